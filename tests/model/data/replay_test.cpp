// SPDX-License-Identifier: Apache-2.0
#include "model/data/replay.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/data/recorder.hpp"
#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

using Floats = std::vector<float>;
using common::SimTime;
using components::MathOp;

constexpr std::uint64_t kTileA = 0x1000;
constexpr std::uint64_t kTileB = 0x2000;
constexpr std::uint64_t kTensor = 0x100000;
constexpr std::uint64_t kResult = 0x200000;

Block tile(std::uint64_t pa, std::uint64_t columns = 3) {
  return block_at(Space::Tcm, pa, DataType::F32, 1, columns);
}
Block tensor(std::uint64_t pa, std::uint64_t columns = 3) {
  return block_at(Space::Hbm, pa, DataType::F32, 1, columns);
}

/// A log whose operations start and end in the order of the test, a nanosecond apart.
class Log {
 public:
  std::uint32_t begin(Params params) {
    OpRecord record;
    record.start = tick();
    record.params = std::move(params);
    record.line = {"kernel.cpp", 7};
    return recorder_.begin(std::move(record));
  }
  void end(std::uint32_t record) { recorder_.end(record, tick()); }
  std::uint32_t done(Params params) {
    const std::uint32_t record = begin(std::move(params));
    end(record);
    return record;
  }

  /// Logs an operation that fills a block with one value.
  std::uint32_t fill(const Block& block, double value) {
    return done(MathParams{MathOp::Fill, {value}, {}, block});
  }
  /// Logs a host write to a tensor.
  std::uint32_t write(const Block& block, const Floats& values) {
    return done(host_copy(block, [=] { return row_of(block.type, values); }));
  }
  static HostCopyParams host_copy(const Block& block, std::function<Array()> data) {
    HostCopyParams copy;
    copy.to_device = data != nullptr;
    copy.rows = block.rows;
    copy.columns = block.columns;
    copy.type = block.type;
    copy.parts = {{0, 0, block}};
    copy.data = std::move(data);
    return copy;
  }
  static IpcqCopyParams message(bool send, const Block& block) {
    return {send, block, topology::NodeId(1), 0};
  }

  [[nodiscard]] const OpLog& log() const { return recorder_.log(); }
  [[nodiscard]] const std::vector<std::uint32_t>& dependencies(std::uint32_t record) const {
    return log().records()[record].dependencies;
  }
  /// Returns the contents of a block after the replay.
  [[nodiscard]] Floats replayed(const Block& block) const {
    Replay replay;
    replay.run(log());
    return floats_of(replay.store().read(block));
  }
  [[nodiscard]] std::string refusal() const {
    return data_refusal<ReplayError>([&] { Replay().run(log()); });
  }

 private:
  SimTime tick() { return now_ = now_ + SimTime::from_ps(1000); }

  Recorder recorder_;
  SimTime now_;
};

TEST(Snapshot, ADmaWriteTakesATileThatIsFreedAndReusedMeanwhile) {
  Log log;
  log.fill(tile(kTileA), 1);
  const std::uint32_t write = log.begin(CopyParams{tile(kTileA), tensor(kResult)});
  log.fill(tile(kTileA), 2);         // another tile reuses its memory
  log.fill(tile(kTileA + 4, 1), 3);  // and a third tile a part of it
  log.end(write);
  EXPECT_EQ(log.replayed(tensor(kResult)), (Floats{1, 1, 1}));
}

TEST(Snapshot, AReadBringsTheTensorAsItWasWhenItBegan) {
  Log log;
  log.write(tensor(kTensor), {1, 2, 3});
  const std::uint32_t read = log.begin(CopyParams{tensor(kTensor), tile(kTileA)});
  log.fill(tile(kTileB, 1), 9);
  log.done(CopyParams{tile(kTileB, 1), tensor(kTensor + 4, 1)});
  log.end(read);
  EXPECT_EQ(log.replayed(tile(kTileA)), (Floats{1, 2, 3}));
  EXPECT_EQ(log.replayed(tensor(kTensor)), (Floats{1, 9, 3}));
}

/// Logs a tile of numbers of rows.
Block numbers(Log& log, std::uint64_t pa, const std::vector<std::int32_t>& values) {
  const Block block = block_at(Space::Tcm, pa, DataType::I32, 1, values.size());
  const Block host = block_at(Space::Hbm, pa, DataType::I32, 1, values.size());
  log.done(Log::host_copy(host, [=] { return integers_of(DataType::I32, values); }));
  log.done(CopyParams{host, block});
  return block;
}

/// A matrix of 4 x 2 with a gap after each row, in two stretches.
Block matrix_with_gaps() {
  Block matrix = block_at(Space::Hbm, kTensor, DataType::F32, 4, 2);
  matrix.row_stride = 3;
  matrix.stretches = {{kTensor, 16}, {kResult, 28}};
  return matrix;
}

TEST(RowsByNumber, AreGatheredInTheirOrderAndAnyNumberOfTimes) {
  Log log;
  log.done(Log::host_copy(matrix_with_gaps(), [] {
    return array_of(DataType::F32, 4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  }));
  const Block rows = numbers(log, kTileA, {3, 1, 1, 0});
  const Block found = block_at(Space::Tcm, kTileB, DataType::F32, 4, 2);
  log.done(CopyParams{matrix_with_gaps(), found, rows});
  EXPECT_EQ(log.replayed(found), (Floats{7, 8, 3, 4, 3, 4, 1, 2}));
}

TEST(RowsByNumber, AreScatteredAndTheLastOneOfEqualNumbersCounts) {
  Log log;
  const Block tile = block_at(Space::Tcm, kTileB, DataType::F32, 3, 2);
  const Block values = block_at(Space::Hbm, kTileB, DataType::F32, 3, 2);
  log.done(Log::host_copy(matrix_with_gaps(), [] { return Array(DataType::F32, 4, 2); }));
  log.done(Log::host_copy(values, [] {
    return array_of(DataType::F32, 3, 2, {1, 2, 3, 4, 5, 6});
  }));
  log.done(CopyParams{values, tile});
  const Block rows = numbers(log, kTileA, {1, 3, 1});
  log.done(CopyParams{tile, matrix_with_gaps(), rows});
  EXPECT_EQ(log.replayed(matrix_with_gaps()), (Floats{0, 0, 5, 6, 0, 0, 3, 4}));
}

TEST(RowsByNumber, OutsideOfTheMatrixAreRefused) {
  for (const std::int32_t bad : {4, -1}) {
    Log log;
    log.done(Log::host_copy(matrix_with_gaps(), [] { return Array(DataType::F32, 4, 2); }));
    const Block rows = numbers(log, kTileA, {1, bad});
    log.done(
        CopyParams{matrix_with_gaps(), block_at(Space::Tcm, kTileB, DataType::F32, 2, 2), rows});
    EXPECT_EQ(log.refusal(), fmt::format("kernel.cpp:7: gather at 7.000 ns: index {} at position 1 "
                                         "is not a row of the 4 x 2 of f32",
                                         bad));
  }
}

TEST(Snapshot, ResultsAreThereWhenAnOperationEndsAndNotBefore) {
  Log log;
  log.write(tensor(kTensor), {1, 2, 3});
  log.fill(tile(kTileA), 7);
  const std::uint32_t write = log.begin(CopyParams{tile(kTileA), tensor(kTensor)});
  const std::uint32_t early = log.done(CopyParams{tensor(kTensor), tile(kTileB)});
  log.end(write);
  const std::uint32_t late = log.done(CopyParams{tensor(kTensor), tile(kTileB + 64)});
  EXPECT_EQ(log.replayed(tile(kTileB)), (Floats{1, 2, 3}));
  EXPECT_EQ(log.replayed(tile(kTileB + 64)), (Floats{7, 7, 7}));
  EXPECT_EQ(log.dependencies(early), std::vector<std::uint32_t>{0});
  EXPECT_EQ(log.dependencies(late), std::vector<std::uint32_t>{write});
}

TEST(Snapshot, MathTakesAllItsInputsWhenItBegins) {
  Log log;
  log.fill(tile(kTileA), 2);
  log.fill(tile(kTileB), 3);
  const std::uint32_t mul =
      log.begin(MathParams{MathOp::Mul, {tile(kTileA), tile(kTileB)}, {}, tile(0x3000)});
  log.fill(tile(kTileA), 50);
  log.fill(tile(kTileB), 70);
  log.end(mul);
  EXPECT_EQ(log.replayed(tile(0x3000)), (Floats{6, 6, 6}));
}

TEST(Snapshot, AMessageHasWhatWasSentWhateverBecomesOfTheSendersTile) {
  Log log;
  log.fill(tile(kTileA), 4);
  const std::uint32_t receive = log.begin(Log::message(false, tile(kTileB)));
  const std::uint32_t send = log.begin(Log::message(true, tile(kTileA)));
  log.fill(tile(kTileA), 5);
  log.end(send);
  log.fill(tile(kTileA), 6);
  log.fill(tile(kTileB), 8);  // before the data arrive
  log.end(receive);
  EXPECT_EQ(log.replayed(tile(kTileB)), (Floats{4, 4, 4}));
  EXPECT_EQ(log.dependencies(receive), std::vector<std::uint32_t>{send});
}

TEST(Snapshot, ASlotThatIsReusedDeliversMessagesInTheOrderOfTheirSends) {
  Log log;
  std::vector<std::uint32_t> sends;
  for (int i = 0; i < 3; ++i) {
    log.fill(tile(kTileA), i);
    sends.push_back(log.done(Log::message(true, tile(kTileA))));
  }
  const std::uint32_t first = log.begin(Log::message(false, tile(0x3000)));
  const std::uint32_t second = log.begin(Log::message(false, tile(0x4000)));
  log.end(second);  // ends earlier, but keeps its own data
  log.end(first);
  const std::uint32_t third = log.done(Log::message(false, tile(0x3000 + 64)));
  EXPECT_EQ(log.replayed(tile(0x3000)), (Floats{0, 0, 0}));
  EXPECT_EQ(log.replayed(tile(0x4000)), (Floats{1, 1, 1}));
  EXPECT_EQ(log.replayed(tile(0x3000 + 64)), (Floats{2, 2, 2}));
  EXPECT_EQ(log.dependencies(second), std::vector<std::uint32_t>{sends[1]});
  EXPECT_EQ(log.dependencies(third), std::vector<std::uint32_t>{sends[2]});
}

TEST(Snapshot, TheHostReadsATensorAsItIsWhenTheCopyBegins) {
  Log log;
  log.write(tensor(kTensor), {1, 2, 3});
  const std::uint32_t read = log.begin(Log::host_copy(tensor(kTensor), nullptr));
  log.write(tensor(kTensor), {4, 5, 6});
  log.end(read);
  Replay replay;
  replay.run(log.log());
  EXPECT_EQ(floats_of(replay.result(0)), (Floats{1, 2, 3}));
}

/// The work of a kernel: GEMMs of tiles, an epilogue, softmax.
void add_layers(Log& log) {
  const Block a = block_at(Space::Hbm, 0x10000, DataType::F16, 33, 70);
  const Block b = block_at(Space::Hbm, 0x20000, DataType::F16, 70, 41);
  log.done(Log::host_copy(a, [] { return fractions(DataType::F16, 33, 70, 1); }));
  log.done(Log::host_copy(b, [] { return fractions(DataType::F16, 70, 41, 2); }));
  const Block c = block_at(Space::Tcm, 0x1000, DataType::F32, 33, 41);
  CompositeGemmParams gemm{a, b, c, {}, {{MathOp::Mul, 0.5}, {MathOp::Exp, {}}}};
  log.done(gemm);
  const Block sums = block_at(Space::Tcm, 0x8000, DataType::F32, 33, 1);
  log.done(MathParams{MathOp::Sum, {c}, Axis::Columns, sums});
  const Block shares = block_at(Space::Tcm, 0x9000, DataType::F32, 33, 41);
  log.done(MathParams{MathOp::Div, {c, sums}, {}, shares});
  const Block result = block_at(Space::Hbm, 0x30000, DataType::F32, 33, 41);
  log.done(CopyParams{shares, result});
  log.done(Log::host_copy(result, nullptr));
}

TEST(Replay, TwiceGivesTheSameBits) {
  Log log;
  add_layers(log);
  Replay once;
  once.run(log.log());
  Replay again;
  again.run(log.log());
  EXPECT_EQ(once.result(0), again.result(0));
  again.run(log.log());
  EXPECT_EQ(once.result(0), again.result(0));
}

TEST(Replay, ComputesWhatThePlainArithmeticGives) {
  Log log;
  add_layers(log);
  Replay replay;
  replay.run(log.log());
  const Eigen::MatrixXd a = fractions(DataType::F16, 33, 70, 1).to_floats().cast<double>();
  const Eigen::MatrixXd b = fractions(DataType::F16, 70, 41, 2).to_floats().cast<double>();
  Eigen::MatrixXd expected = ((a * b) * 0.5).array().exp();
  for (Eigen::Index row = 0; row < expected.rows(); ++row) {
    expected.row(row) /= expected.row(row).sum();
  }
  const MatrixF found = replay.result(0).to_floats();
  for (Eigen::Index row = 0; row < expected.rows(); ++row) {
    for (Eigen::Index column = 0; column < expected.cols(); ++column) {
      ASSERT_NEAR(static_cast<double>(found(row, column)), expected(row, column), 1e-6);
    }
  }
}

TEST(Replay, TransposedOperandsAreReadAsTheyAreSeen) {
  Log log;
  Block a = block_at(Space::Tcm, 0x1000, DataType::F32, 2, 3);
  log.done(MathParams{MathOp::Fill, {2.0}, {}, a});
  log.done(
      MathParams{MathOp::Arange, {0.0}, {}, block_at(Space::Tcm, 0x1000, DataType::F32, 1, 3)});
  a.transposed = true;  // 0 2 / 1 2 / 2 2
  const Block b = block_at(Space::Tcm, 0x2000, DataType::F32, 2, 1);
  log.done(MathParams{MathOp::Fill, {1.0}, {}, b});
  log.done(GemmParams{a, b, block_at(Space::Tcm, 0x3000, DataType::F32, 3, 1)});
  log.done(CopyParams{a, block_at(Space::Hbm, kResult, DataType::F32, 3, 2)});
  EXPECT_EQ(log.replayed(tile(0x3000)), (Floats{2, 3, 4}));
  EXPECT_EQ(log.replayed(tensor(kResult, 6)), (Floats{0, 2, 1, 2, 2, 2}));
}

TEST(Replay, OperationsThatNeverEndedDoNothing) {
  Log log;
  log.write(tensor(kTensor), {1, 2, 3});
  log.fill(tile(kTileA), 9);
  (void)log.begin(CopyParams{tile(kTileA), tensor(kTensor)});
  (void)log.begin(Log::message(false, tile(kTileB)));
  EXPECT_EQ(log.replayed(tensor(kTensor)), (Floats{1, 2, 3}));
}

TEST(Replay, SaysWhichOperationCannotBeDone) {
  {
    Log log;
    log.done(CopyParams{tensor(kTensor), tile(kTileA)});
    EXPECT_EQ(log.refusal(),
              "kernel.cpp:7: dma_read at 1.000 ns: read of 12 bytes at hbm 0x100000: nothing was "
              "written at 0x100000");
  }
  {
    Log log;
    log.done(UnknownParams{});
    EXPECT_EQ(log.refusal(),
              "kernel.cpp:7: unknown at 1.000 ns: an operation without data semantics cannot be "
              "replayed");
  }
  {
    Log log;
    log.fill(tile(kTileA), 1);
    log.done(MathParams{MathOp::Add, {tile(kTileA), tile(kTileA, 2)}, {}, tile(kTileB)});
    EXPECT_EQ(log.refusal(),
              "kernel.cpp:7: add at 3.000 ns: an input of 1 x 2 does not fit a result of 1 x 3");
  }
  {
    Log log;
    log.done(Log::host_copy(tensor(kTensor), [] { return Array(DataType::I8, 2, 3); }));
    EXPECT_EQ(log.refusal(),
              "kernel.cpp:7: host_write at 1.000 ns: the host data are 2 x 3 of i8, but the tensor "
              "is 1 x 3 of f32");
  }
  {
    Log log;
    log.fill(tile(kTileA), 1);
    log.done(Log::message(true, tile(kTileA)));
    OpLog wrong = log.log();  // a Recorder would reject it
    OpRecord receive;
    receive.params = Log::message(false, tile(kTileB, 2));
    wrong.end(wrong.begin(std::move(receive)), SimTime::from_ps(5000));
    EXPECT_EQ(
        data_refusal<ReplayError>([&] { Replay().run(wrong); }),
        "ipcq_copy at 0.000 ns: the receive expects 1 x 2 of f32, but 1 x 3 of f32 were sent");
  }
}

}  // namespace
}  // namespace kernbench::model::data
