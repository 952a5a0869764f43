// SPDX-License-Identifier: Apache-2.0
// Pin-traces on verilated RTL: copies with one planted error fail in the cycle computed by hand,
// the shipped RTL passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "pin_trace_text.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using cli_test::PinsOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class PinReplay : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("KERNBENCH_LAST_WAVE", (folder_.path() / "last-wave").c_str(), 1);
  }

  /// Copies rtl/ with one text of a file replaced. The path is the same in every run of the tests,
  /// which find their models again.
  static std::string planted(const std::string& name, const std::string& file,
                             const std::string& sound, const std::string& broken) {
    const fs::path rtl = fs::path(places::kCliModels) / "pins" / name;
    fs::remove_all(rtl);
    fs::create_directories(rtl.parent_path());
    fs::copy(places::source("/rtl"), rtl);
    std::string text = common::read_text_file(rtl / file);
    const auto at = text.find(sound);
    EXPECT_NE(at, std::string::npos) << sound;
    text.replace(at, sound.size(), broken);
    common::write_file_atomically(rtl / file, text);
    return rtl.string();
  }
  static std::string primitive(const std::string& kind, int depth, const std::vector<PinsOf>& pins,
                               std::optional<int> fails = {}) {
    return cli_test::pin_trace_text(
        {{"bench", "primitive"},
         {"primitive", {{"payload_bits", 33}, {"depth", depth}, {"kind", kind}, {"ro_en", false}}}},
        {{"node", 0}, {"port", 0}}, {{"node", 0}, {"port", 0}}, pins, fails);
  }
  [[nodiscard]] Finished replay(const std::string& text, std::vector<std::string> more) const {
    (void)folder_.write("pins.json", text);
    fs::create_directories(folder_.path() / "out");
    more.insert(more.begin(),
                {"replay", "pins.json", "--models", places::kCliModels, "--report", "my report"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "out");
  }

  common::TempFolder folder_;
};

// Link x[3] of 8x2 has three stages. The first packet waits in the main entry of the last stage
// from cycle 4 on; the second one, which arrives there in the same cycle, goes to the skid entry
// and shows when the first has left at the end of cycle 6.
TEST_F(PinReplay, OnAFabricFailsInTheCycleOfTheTrace) {
  const std::string trace = cli_test::pin_trace_text(
      {{"bench", "topo"}, {"fabric", {{"nx", 8}, {"ny", 2}, {"flit_bits", 8}}}},
      {{"node", 0}, {"port", 3}}, {{"node", 4}, {"port", 3}},
      {{.reset = true},
       {.packet = "0x13", .ready = false},
       {.packet = "0x17", .ready = false},
       {.ready = false},
       {.ready = false},
       {.ready = false},
       {},
       {}},
      7);
  const Finished sound = replay(trace, {"--waves", "off"});
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_EQ(sound.out,
            "pins.json: 8 cycles on TOPO 8x2x8\n"
            "PASS  16 start seeds from 1, 16,512 comparisons\n"
            "      the failure of the trace, cycle 7 (rule 'order'), does not show on this RTL\n");

  const std::string rtl = planted("skid", "irs_lp.sv", "skid_pyld_q <= payload_i;",
                                  "skid_pyld_q <= payload_i & ~PYLD_W'(2);");
  const Finished failed = replay(trace, {"--rtl-dir", rtl, "--waves", "off", "--seed", "3"});
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  EXPECT_THAT(
      failed.out,
      StartsWith(
          "pins.json: 8 cycles on TOPO 8x2x8\n"
          "FAIL  cycle 7: [0,0].x[3] -> [0,4].x[3]: payload is type=0 qos=0 src=[0,0] "
          "tgt=[0,0] data=0x15, the reference has type=0 qos=0 src=[0,0] tgt=[0,0] data=0x17\n"
          "      the trace says cycle 7 (rule 'order')\n"
          "      start seed 3\n"
          "      first wrong: [0,0].x[3] -> [0,4].x[3] stage 2 skid_pyld_q in cycle 8 is "));
  // The line that loses the bit is the first, and the page is of two packets.
  EXPECT_THAT(failed.out, HasSubstr("irs_lp.sv:62 drives skid_pyld_q\n"));
  EXPECT_THAT(failed.out, HasSubstr("      shrunk to 2 packets, 1 stall, 0 resets and "));
  EXPECT_THAT(failed.out, HasSubstr("/failures/replay/failure.html\n"));
}

// The first of two half stages is empty in cycle 1, takes the packet, and passes it on in cycle 2:
// it is at the output in cycle 3.
TEST_F(PinReplay, OnAPrimitiveFailsInTheCycleOfTheTraceAndShowsIt) {
  const std::vector<PinsOf> pins = {{.reset = true, .packet = "0x1"},
                                    {.packet = "0x100000003", .ready = false},
                                    {.ready = false},
                                    {.ready = false},
                                    {},
                                    {}};
  const Finished sound = replay(primitive("half", 2, pins, 3), {});
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_EQ(sound.out,
            "pins.json: 6 cycles on IRS_N of 2 IRS_HALF, 33 bits\n"
            "PASS  16 start seeds from 1, 96 comparisons\n"
            "      the failure of the trace, cycle 3 (rule 'order'), does not show on this RTL\n");

  const std::string rtl =
      planted("half", "irs_half.sv", "pyld_q <= payload_i;", "pyld_q <= payload_i & ~PYLD_W'(2);");
  const Finished failed = replay(primitive("half", 2, pins, 4), {"--rtl-dir", rtl});
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  const std::string setup = (folder_.path() / "my report/waves/replay.gtkw").string();
  EXPECT_EQ(failed.out,
            "pins.json: 6 cycles on IRS_N of 2 IRS_HALF, 33 bits\n"
            "FAIL  cycle 3: IRS_N: payload is 0x100000001, the reference has 0x100000003\n"
            "      the trace says cycle 4 (rule 'order'): another cycle\n"
            "      start seed 1\n"
            "      view: gtkwave '" +
                setup + "'\n");
  EXPECT_EQ(common::read_text_file(folder_.path() / "last-wave"), setup + "\n");
  const std::string shown = common::read_text_file(setup);
  EXPECT_THAT(shown, HasSubstr("*-6.600000 30 -1")) << "the marker";
  EXPECT_THAT(shown, HasSubstr("+{stage 2 payload_o} "
                               "TOP.maze_tb_top.u_irs.g_stage[1].g_half.u_irs.payload_o[32:0]\n"));
  EXPECT_THAT(shown, HasSubstr("+{expected vld} TOP.maze_tb_top.expected_vld_i\n"));
}

// Only the IRS_N is needed, not a fabric, and its payload may be wider than any packet.
TEST_F(PinReplay, OnAPrimitiveTakesFilesOfItAlone) {
  const std::string rtl = places::source("/rtl/");
  const Finished finished =
      replay(primitive("no_ready", 1, {{.reset = true}, {.packet = "0x1"}, {.ready = false}, {}}),
             {"--rtl", rtl + "irs_n.sv", rtl + "irs_lp.sv", rtl + "irs_half.sv"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out,
            "pins.json: 4 cycles on IRS_N of 1 IRS_HALF without ready, 33 bits\n"
            "PASS  16 start seeds from 1, 64 comparisons\n");
  const Finished missing =
      replay(primitive("no_ready", 1, {{.reset = true}}), {"--rtl", rtl + "irs_lp.sv"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err,
              HasSubstr("error: cannot build the IRS_N model: the RTL has no module 'IRS_N' ("));
}

// Without its reset the flop is set from the start in every second draw.
TEST_F(PinReplay, FindsALostResetByItsStartSeeds) {
  const std::string rtl = planted("reset", "irs_lp.sv", "      main_vld_q  <= 1'b0;\n", "");
  const std::string trace = primitive("lp", 1, {{.reset = true}, {}});
  const Finished failed = replay(trace, {"--rtl-dir", rtl});
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  const std::string start =
      "pins.json: 2 cycles on IRS_N of 1 IRS_LP, 33 bits\n"
      "FAIL  cycle 0: IRS_N: valid is 1, the reference has 0\n"
      "      the trace names no failure\n"
      "      start seed ";
  EXPECT_THAT(failed.out, MatchesRegex(start + "[0-9]+(; it passed from 1 to [0-9]+)?\n"
                                               "      view: gtkwave '.*'\n"));
  // The seed that is named fails by itself, also from an earlier one.
  const int seed = std::atoi(failed.out.c_str() + start.size());
  EXPECT_EQ(replay(trace, {"--rtl-dir", rtl, "--waves", "off", "--seed", std::to_string(seed)}).out,
            start + std::to_string(seed) + "\n");
}

}  // namespace
}  // namespace kernbench
