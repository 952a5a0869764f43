// SPDX-License-Identifier: Apache-2.0
// The dependences that the structure check finds: none that exists is missed, and a correct stage,
// however it is written, has no finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "broken_copy.hpp"
#include "sim/structure/bit_value.hpp"
#include "tests/places.hpp"

namespace kernbench::sim::structure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const BitValue kA = BitValue::copy(1);
const BitValue kB = BitValue::copy(2);
const BitValue kC = BitValue::copy(3);

TEST(BitValue, AChoiceBetweenTwoFunctionsOfTheSameSignalsDependsOnItsCondition) {
  EXPECT_THAT(bit_choose(kC, bit_and(kA, kB), bit_or(kA, kB)).all_inputs().bits(),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(bit_choose(kC, bit_xor(kA, kB), bit_not(bit_xor(kA, kB))).all_inputs().bits(),
              ElementsAre(1, 2, 3));
}

TEST(BitValue, AChoiceBetweenTheSameExpressionsDoesNotDependOnItsCondition) {
  EXPECT_THAT(bit_choose(kC, bit_and(kA, kB), bit_and(kB, kA)).all_inputs().bits(),
              ElementsAre(1, 2));
  EXPECT_EQ(bit_choose(kC, kA, kA), kA);
}

TEST(BitValue, AnExpressionAndItsInverseAreDifferentFunctions) {
  const BitValue f = bit_and(kA, kB);
  EXPECT_NE(f, bit_not(f));
  EXPECT_EQ(bit_not(bit_not(f)), f);
  EXPECT_EQ(bit_and(f, bit_not(f)), BitValue::zero());
  EXPECT_EQ(bit_xor(f, bit_not(f)), BitValue::one());
  EXPECT_EQ(bit_or(f, bit_not(f)), BitValue::one());
}

TEST(BitValue, UnknownBitsAreNotEachOthersInverse) {
  EXPECT_NE(bit_and(BitValue{}, bit_not(BitValue{})).kind, BitValue::Kind::Zero);
  EXPECT_NE(bit_xor(BitValue{}, BitValue{}).kind, BitValue::Kind::Zero);
}

TEST(BitValue, TheNumberOfAFunctionTellsItFromOthersOfTheSameSignals) {
  EXPECT_NE(function_of(1, kA, kB), function_of(2, kA, kB));
  EXPECT_EQ(function_of(1, kA, kB), function_of(1, kA, kB));
}

// --- Stages --------------------------------------------------------------------------------------

class Stage : public BrokenCopy {};

TEST_F(Stage, AReadyThatDependsOnTheClockIsReported) {
  edit("irs_lp.sv", "assign ready_o   = skid_free_q;",
       "always_comb begin\n    ready_o = skid_free_q | ~main_vld_q;\n"
       "    if (!clk) ready_o = skid_free_q & main_vld_q;\n  end");
  EXPECT_THAT(findings(),
              ElementsAre("irs_n.sv:16: IRS_N has a combinational path from clk to ready_o"));
}

TEST_F(Stage, AValidThatDependsOnThePayloadUnderAConditionIsReported) {
  edit("irs_lp.sv", "assign main_vld_d = stall | ~skid_free_q | valid_i;",
       "always_comb begin\n    main_vld_d = stall | ~skid_free_q | valid_i;\n"
       "    if (main_pyld_q[3:1] == 3'd5) main_vld_d = stall & ~skid_free_q & valid_i;\n  end");
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:40: ready_o of IRS_N depends on payload_i[1]: the contract "
                          "lets no payload bit decide about valid or ready",
                          "irs_lp.sv:40: valid_o of IRS_N depends on payload_i[1]: the contract "
                          "lets no payload bit decide about valid or ready"));
}

TEST_F(Stage, APayloadBitInTheControlIsNamed) {
  edit("irs_lp.sv", "assign main_vld_d = stall |",
       "assign main_vld_d = (payload_i[3] & valid_i) | stall |");
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:38: ready_o of IRS_N depends on payload_i[3]: the contract "
                          "lets no payload bit decide about valid or ready",
                          "irs_lp.sv:38: valid_o of IRS_N depends on payload_i[3]: the contract "
                          "lets no payload bit decide about valid or ready"));
}

TEST_F(Stage, ARegisterThatAProcessDeclaresIsFollowed) {
  edit("irs_lp.sv", "assign valid_o   = main_vld_q;",
       "logic odd_q;\n  always_ff @(posedge clk or negedge rst_n) begin : p_odd\n"
       "    logic last;\n    if (!rst_n) odd_q <= 1'b0;\n"
       "    else begin odd_q <= last; last = payload_i[0]; end\n  end\n"
       "  assign valid_o = main_vld_q & odd_q;");
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:69: valid_o of IRS_N depends on payload_i[0]: the contract "
                          "lets no payload bit decide about valid or ready"));
}

TEST_F(Stage, ASkidThatIsNarrowerThanThePayloadIsReportedAsThat) {
  edit("irs_lp.sv", "if (skid_load) skid_pyld_q <= payload_i;",
       "if (skid_load) skid_pyld_q <= {1'b0, payload_i[PYLD_W-2:0]};");
  EXPECT_THAT(findings(), ElementsAre("irs_lp.sv:62: skid_pyld_q[18] stores no bit of the packet, "
                                      "but other bits of it do"));
}

TEST_F(Stage, MoreRegistersThanThePacketsNeedAreNoted) {
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_THAT(notes_, IsEmpty());
  edit("irs_lp.sv", "logic stall, main_load, skid_load;",
       "logic stall, main_load, skid_load, more_q;\n"
       "  always_ff @(posedge clk) more_q <= valid_i;");
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_THAT(notes_,
              ElementsAre("irs_n.sv:6: IRS_N with IRS_DEEP=1 has 41 registers, expected at most "
                          "40"));
}

/// A correct stage in the folder codings/.
class Coding : public BrokenCopy, public ::testing::WithParamInterface<std::string> {};

const std::string kCodings = places::source("/tests/sim/structure/codings");

std::vector<std::string> codings() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kCodings)) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(Coding, HasNoFinding) {
  std::filesystem::copy_file(kCodings + "/" + GetParam() + ".sv", rtl() / "irs_lp.sv",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(findings(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, Coding, ::testing::ValuesIn(codings()),
                         [](const auto& one) { return one.param; });

TEST(Codings, AreAtLeast15) {
  EXPECT_GE(codings().size(), 15U);
}

}  // namespace
}  // namespace kernbench::sim::structure
