// SPDX-License-Identifier: Apache-2.0
// Failures of co-simulations over routers: faults, the replay of what fails, and its cause. The
// reference, which a plusarg breaks, stands in for the RTL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "process.hpp"
#include "sim/noc/noc_fault.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::cli_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class NocCosimFailure : public ::testing::Test {
 protected:
  void SetUp() override {
    write_system("'BidirectionalLine(3)'");
    (void)folder_.write("graph.yaml",
                        "topology:\n  kind: CustomTopology\n  n: 3\n"
                        "  edges: [[0, 1], [1, 0], [1, 2], [2, 1]]\n");
  }
  void write_system(const std::string& network) const {
    (void)folder_.write("system.yaml",
                        "system: {sips: {count: 1}}\n"
                        "sip: {cube_mesh: {w: 3, h: 1}, inter_cube: {noc: " +
                            network + "}, noc: {flit_bits: 23, slots: 4}}\n");
  }
  [[nodiscard]] Finished run(const std::vector<std::string>& words) const {
    return kernbench(words, folder_.path(), scratch_.path());
  }
  /// Runs a workload on the stand-in for the RTL.
  [[nodiscard]] Finished cosim(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"cosim",      "--topology", "system.yaml",
                                      "--workload", "all_to_all", "--bytes",
                                      "200",        "--report",   "out"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  [[nodiscard]] Finished cosim_on_stand_in(std::vector<std::string> more) const {
    more.insert(more.end(), {"--fabric", "rtl", "--model", places::kReferenceNoc});
    return cosim(more);
  }
  [[nodiscard]] Finished replay(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"replay",  "out/cosim-1.json",    "--waves",  "off",
                                      "--model", places::kReferenceNoc, "--report", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  [[nodiscard]] std::string text(const std::string& file) const {
    return common::read_text_file((folder_.path() / file).string());
  }
  [[nodiscard]] nlohmann::json data(const std::string& file) const {
    return nlohmann::json::parse(text(file)).at("data");
  }
  [[nodiscard]] bool exists(const std::string& file) const {
    return fs::exists(folder_.path() / file);
  }

  const std::string failure_ = "out/failures/replay/";
  common::TempFolder folder_;
  common::TempFolder scratch_;
};

TEST_F(NocCosimFailure, IsReplayedAndExplained) {
  const Finished finished = cosim_on_stand_in({"--plusarg", "third_head"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  const std::string reason =
      "edge 52: cycle 55 of the RTL: lockstep flit: 1->2: vc 0, 0x9ffdfe046, the reference has vc "
      "0, "
      "0x9ffcfe046\n";
  EXPECT_EQ(data("out/cosim-1.json")["failure"].get<std::string>() + "\n", reason);
  const Finished replayed = replay({"--plusarg", "third_head"});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("recorded  " + reason + "now       " + reason));
  EXPECT_THAT(replayed.out, HasSubstr("      first wrong: BidirectionalLine(3) 1->2 flit in cycle "
                                      "55 is head, node 1 to node 2, sent on vc 0, "));
  EXPECT_THAT(replayed.out,
              HasSubstr("      shrunk to 3 packets, 0 stalls, 0 resets and 1 cycle\n"));
  EXPECT_THAT(replayed.out, HasSubstr("      page: " + failure_ + "failure.html\n"));
  EXPECT_THAT(replayed.out, HasSubstr("\nSAME FAILURE  "));
  EXPECT_THAT(text(failure_ + "failure.html"), HasSubstr("class=\"way\""));
  EXPECT_EQ(data(failure_ + "failure.json").at("words").at(0), "replay");
  // The shrunk case needs no machine any more.
  const auto suite = [&](const std::string& plusarg) {
    return run({"sim", failure_ + "suite.yaml", "--model", places::kReferenceNoc, "--plusarg",
                plusarg, "--report", "suite", "--shrink", "0"});
  };
  const Finished again = suite("third_head");
  EXPECT_EQ(again.exit_code, 1) << again.err << again.out;
  EXPECT_EQ(suite("nothing").exit_code, 0);
  const Finished sound = replay({});
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_THAT(sound.out, HasSubstr("now       no failure\nPASS  "));
}

TEST_F(NocCosimFailure, OfAGraphOfOnesOwnHasASuiteToo) {
  write_system("graph.yaml");
  ASSERT_EQ(cosim_on_stand_in({"--plusarg", "third_head"}).exit_code, 1);
  fs::remove(folder_.path() / "graph.yaml");
  const Finished replayed = replay({"--plusarg", "third_head"});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("\nSAME FAILURE  "));
  EXPECT_THAT(text(failure_ + "suite.yaml"),
              HasSubstr("{topology: \"CustomTopology(3,0->1,1->0,1->2,2->1)\", lanes: 1, "));
  const Finished suite = run({"sim", failure_ + "suite.yaml", "--model", places::kReferenceNoc,
                              "--plusarg", "third_head", "--report", "suite", "--shrink", "0"});
  EXPECT_EQ(suite.exit_code, 1) << suite.err << suite.out;
}

TEST_F(NocCosimFailure, OfEachFaultIsNoticedAndReplayed) {
  for (const auto& [name, kind] : sim::kNocFaultNames) {
    SCOPED_TRACE(name);
    const std::string fault(name);
    const Finished finished = cosim_on_stand_in({"--fault", fault, "--json", "cosim.json"});
    const nlohmann::json found = data("cosim.json")["workloads"][0]["runs"][0]["fault"];
    EXPECT_EQ(found["kind"], fault);
    EXPECT_TRUE(found["injected_at"].is_number()) << found;
    // A receiver that always takes what arrives leaves credits to spare.
    const bool does_harm = kind != sim::NocFaultKind::TakenCreditLost;
    EXPECT_EQ(finished.exit_code, does_harm ? 1 : 0) << finished.err << finished.out;
    EXPECT_EQ(found["caught_by"].empty(), !does_harm) << found;
    if (!does_harm) continue;
    EXPECT_EQ(data("out/cosim-1.json")["router_fault"], fault);
    const Finished replayed = replay({});
    EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("\nSAME FAILURE  "));
    EXPECT_THAT(replayed.out, Not(HasSubstr("first wrong")));
  }
}

TEST_F(NocCosimFailure, OfAFaultNamesItsPlaceAndWhoNoticedIt) {
  const Finished finished =
      cosim_on_stand_in({"--fault", "drop", "--json", "cosim.json", "--html", "cosim.html"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  const nlohmann::json run = data("cosim.json")["workloads"][0]["runs"][0];
  EXPECT_EQ(run["fault"], nlohmann::json({{"kind", "drop"},
                                          {"link", nullptr},
                                          {"place", "2->1"},
                                          {"injected_at", 50},
                                          {"caught_by", {"lockstep"}}}));
  EXPECT_EQ(run["reason"],
            "edge 47: cycle 50 of the RTL: lockstep valid: 2->1: no flit, the reference has vc 0, "
            "0x25cd27828");
  EXPECT_THAT(
      text("cosim.html"),
      HasSubstr("<p>Injected on purpose: drop at 2-&gt;1, cycle 50; noticed by lockstep</p>"));
}

TEST_F(NocCosimFailure, NeedsTheNameOfAFaultAndTheRtl) {
  const Finished wrong = cosim({"--fault", "dorp"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("error: --fault: 'dorp' is not one of payload_bit_flip, "));
  EXPECT_THAT(wrong.err, EndsWith("; did you mean 'drop'?\n"));
  const Finished other = cosim({"--fault", "receiver_sleeps:40"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("error: --fault: 'receiver_sleeps:40' is not one of "));
  EXPECT_EQ(cosim({"--fault", "between_sips:drop"}).err,
            "error: --fault: 'between_sips:drop': no network joins the SIPs of this topology; "
            "'system.inter_sip' is to be {noc: TOPOLOGY}\n");
  EXPECT_EQ(cosim({"--fault", "drop", "--fabric", "cycle"}).err,
            "error: --fault requires --fabric rtl or all: it acts on the RTL\n");
  EXPECT_FALSE(exists("out"));
}

}  // namespace
}  // namespace kernbench::cli_test
