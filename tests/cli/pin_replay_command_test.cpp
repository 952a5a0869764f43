// SPDX-License-Identifier: Apache-2.0
// `kernbench replay` of pin-traces on the reference in place of a verilated model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pin_trace_text.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::files_under;
using cli_test::Finished;
using ::testing::IsEmpty;

class PinReplayCommand : public ::testing::Test {
 protected:
  /// Replays this trace, whose path is that of the folder.
  [[nodiscard]] Finished replay(const std::string& text, std::vector<std::string> more) const {
    (void)folder_.write("pins.json", text);
    std::filesystem::create_directories(folder_.path() / "out");
    more.insert(more.begin(), {"replay", "pins.json", "--report", "report"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "out");
  }
  /// A trace of link x[1] of a 4x3 torus, or of one that is `nx` wide.
  static std::string fabric_trace(std::optional<int> fails, unsigned nx = 4) {
    return cli_test::pin_trace_text(
        {{"bench", "topo"}, {"fabric", {{"nx", nx}, {"ny", 3}, {"flit_bits", 8}}}},
        {{"node", 0}, {"port", 1}}, {{"node", 2}, {"port", 1}},
        {{.reset = true, .packet = "0x1"}, {.packet = "0x2", .ready = false}, {}, {}}, fails);
  }

  common::TempFolder folder_;
};

TEST_F(PinReplayCommand, OnASoundFabricPasses) {
  const Finished cover = replay(fabric_trace({}), {"--model", places::kReferenceModel});
  EXPECT_EQ(cover.exit_code, 0) << cover.err;
  EXPECT_EQ(cover.out,
            "pins.json: 4 cycles on TOPO 4x3x8\n"
            "PASS  16 start seeds from 1, 3,840 comparisons\n");
  const Finished failure = replay(
      fabric_trace(2), {"--model", places::kReferenceModel, "--seed", "18446744073709551615"});
  EXPECT_EQ(failure.exit_code, 0) << failure.err;
  EXPECT_EQ(failure.out,
            "pins.json: 4 cycles on TOPO 4x3x8\n"
            "PASS  16 start seeds from 18446744073709551615, 3,840 comparisons\n"
            "      the failure of the trace, cycle 2 (rule 'order'), does not show on this RTL\n");
  EXPECT_THAT(files_under(folder_.path() / "report"), IsEmpty());
}

TEST_F(PinReplayCommand, RefusesAModelOfAnotherShape) {
  const Finished finished = replay(fabric_trace({}, 8), {"--model", places::kReferenceModel});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(
      finished.err,
      "error: " + std::string(places::kReferenceModel) +
          ": built for a 4x3 fabric with 8 data bits, the configuration asks for 8x3 with 8\n");
}

TEST_F(PinReplayCommand, OfAPrimitiveRefusesAModel) {
  const Finished finished = replay(
      cli_test::pin_trace_text(
          {{"bench", "primitive"},
           {"primitive", {{"payload_bits", 1}, {"depth", 1}, {"kind", "lp"}, {"ro_en", true}}}},
          {{"node", 0}, {"port", 0}}, {{"node", 0}, {"port", 0}}, {{.reset = true}}),
      {"--model", places::kReferenceModel});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "error: --model: the trace is of a primitive, which has a model of its own\n");
}

TEST_F(PinReplayCommand, WithoutATracedModelStillSaysThatItPasses) {
  const Finished finished =
      replay(fabric_trace({}), {"--model", places::kReferenceModel, "--waves", "0:3"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, ::testing::HasSubstr("PASS  16 start seeds"));
  EXPECT_THAT(finished.err,
              ::testing::StartsWith("error: no waves: " + std::string(places::kReferenceModel) +
                                    ": nothing beside it tells how it was built"));
}

}  // namespace
}  // namespace kernbench
