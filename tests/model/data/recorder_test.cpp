// SPDX-License-Identifier: Apache-2.0
#include "model/data/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

using common::SimTime;
using ::testing::ElementsAre;

Block tile_of(std::uint64_t rows, std::uint64_t columns, DataType type = DataType::F32) {
  return block_at(Space::Tcm, 0x1000, type, rows, columns);
}

std::uint32_t begin(Recorder& recorder, Params params, int line = 1) {
  OpRecord record;
  record.params = std::move(params);
  record.line = {"kernel.cpp", line};
  return recorder.begin(std::move(record));
}

std::uint32_t copy(Recorder& recorder, bool send, const Block& block, int line) {
  return begin(recorder, IpcqCopyParams{send, block, topology::NodeId(1), 0}, line);
}

/// Returns the error of a receive into `into` of a send from `from`, or "accepted".
std::string received(bool keeps_operations, const Block& from, const Block& into) {
  Recorder recorder(keeps_operations ? Recorder::Keeps::Operations : Recorder::Keeps::Stages);
  recorder.end(copy(recorder, true, from, 3), SimTime{});
  const std::uint32_t receive = copy(recorder, false, into, 4);
  return data_refusal<std::invalid_argument>([&] { recorder.end(receive, SimTime{}); });
}

TEST(Recorder, RefusesAReceiveOfAnotherShapeOrTypeWhetherItKeepsOperationsOrNot) {
  Block turned = tile_of(2, 3);
  turned.transposed = true;
  for (const bool keeps : {false, true}) {
    EXPECT_EQ(received(keeps, tile_of(2, 3), tile_of(2, 3)), "accepted");
    EXPECT_EQ(received(keeps, turned, tile_of(3, 2)), "accepted");
    EXPECT_EQ(received(keeps, turned, tile_of(2, 3)),
              "3 x 2 of f32 were sent at kernel.cpp:3, not 2 x 3 of f32");
    EXPECT_EQ(received(keeps, tile_of(1, 4, DataType::F16), tile_of(1, 2)),
              "1 x 4 of f16 were sent at kernel.cpp:3, not 1 x 2 of f32");
  }
}

TEST(Recorder, GivesTheSameNumbersButKeepsNothingWithoutOperations) {
  for (const bool keeps : {false, true}) {
    Recorder recorder(keeps ? Recorder::Keeps::Operations : Recorder::Keeps::Stages);
    const std::uint32_t first = begin(recorder, UnknownParams{});
    const std::uint32_t send = copy(recorder, true, tile_of(1, 1), 2);
    const std::uint32_t receive = copy(recorder, false, tile_of(1, 1), 3);
    for (const std::uint32_t number : {first, send, receive}) recorder.end(number, SimTime{});
    EXPECT_THAT((std::vector{first, send, receive}), ElementsAre(0, 1, 2));
    EXPECT_EQ(recorder.operations(), 3U);
    EXPECT_EQ(recorder.log().records().size(), keeps ? 3U : 0U);
    EXPECT_EQ(recorder.log().moments().size(), keeps ? 6U : 0U);
    if (!keeps) continue;
    EXPECT_THAT(recorder.log().records()[receive].dependencies, ElementsAre(send));
  }
}

}  // namespace
}  // namespace kernbench::model::data
