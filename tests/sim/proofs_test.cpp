// SPDX-License-Identifier: Apache-2.0
// Proofs in the reports of a regression: those of the same RTL, of other RTL, and damaged ones.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>

#include "common/hash.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "sim/regression/proofs.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

class ProofResults : public ::testing::Test {
 protected:
  void write(const nlohmann::json& summary, const std::string& kind = "proofs") const {
    common::ReportEnvelope report;
    report.kind = kind;
    report.data = {
        {"rtl_hash", "00ff"}, {"summary", summary}, {"results", nlohmann::json::array()}};
    common::write_report(folder_.path() / "proofs.json", report);
  }
  [[nodiscard]] std::optional<Proofs> read(const std::string& hash = "00ff") const {
    return read_proofs(folder_.path(), hash, folder_.path() / "reports/night");
  }
  static nlohmann::json summary(int proven, int refuted, int undecided) {
    return {{"proven", proven}, {"refuted", refuted}, {"undecided", undecided}, {"seconds", 12.5}};
  }

  common::TempFolder folder_;
};

TEST_F(ProofResults, OfTheSameRtlAreCounted) {
  write(summary(187, 0, 0));
  const auto proofs = read();
  ASSERT_TRUE(proofs);
  EXPECT_EQ(proofs->state, Proofs::State::OfThisRtl);
  EXPECT_EQ(proofs->total(), 187U);
  EXPECT_EQ(proofs_text(*proofs), "187 of 187 properties proven");
  EXPECT_EQ(proofs->report, "") << "there is no page";
  write(summary(184, 2, 1));
  EXPECT_EQ(proofs_text(*read()), "184 of 187 properties proven, 2 refuted, 1 undecided");
}

TEST_F(ProofResults, HaveAPageRelativeToTheReports) {
  write(summary(1, 0, 0));
  (void)folder_.write("proofs.html", "");
  EXPECT_EQ(read()->report, (folder_.path() / "proofs.html").string());
  EXPECT_EQ(read()->link, "../../proofs.html");
}

TEST_F(ProofResults, OfOtherRtlAreNotCounted) {
  write(summary(187, 0, 0));
  (void)folder_.write("proofs.html", "");
  const auto proofs = read("00fe");
  ASSERT_TRUE(proofs);
  EXPECT_EQ(proofs->state, Proofs::State::OfOtherRtl);
  EXPECT_EQ(proofs->proven, 0U);
  EXPECT_EQ(proofs_text(*proofs), "of other RTL; run make prove");
  EXPECT_EQ(proofs->link, "");
}

TEST_F(ProofResults, MayBeMissingOrDamaged) {
  EXPECT_FALSE(read());
  const auto unreadable = [&] {
    const auto proofs = read();
    return proofs && proofs->state == Proofs::State::Unreadable && proofs->total() == 0;
  };
  (void)folder_.write("proofs.json", "{");
  EXPECT_TRUE(unreadable());
  EXPECT_EQ(proofs_text(*read()), "not readable; run make prove");
  write(summary(1, 0, 0), "proof");
  EXPECT_TRUE(unreadable());
  write({{"proven", 1}, {"refuted", 0}});
  EXPECT_TRUE(unreadable());
  write(summary(1, 0, -1));
  EXPECT_TRUE(unreadable());
  write(nullptr);
  EXPECT_TRUE(unreadable());
  write(summary(0, 0, 0));
  EXPECT_TRUE(unreadable());
}

TEST_F(ProofResults, AreBoundToTheNamesTheOrderAndTheTextOfTheRtl) {
  const auto of = [&](const std::string& list, const std::string& a, const std::string& b) {
    (void)folder_.write("a.sv", a);
    (void)folder_.write("b.sv", b);
    return rtl_hash(folder_.write("topo.f", list));
  };
  const std::string hash = of("// two files\na.sv\nb.sv\n", "A", "B");
  EXPECT_EQ(hash, common::hex64(common::hash_bytes("a.sv\nAb.sv\nB")));
  EXPECT_EQ(hash, "bb86fd43ef2f23b3");
  EXPECT_NE(hash, of("b.sv\na.sv\n", "A", "B"));
  EXPECT_NE(hash, of("a.sv\nb.sv\n", "A", "C"));
  EXPECT_EQ(hash, of("a.sv\nb.sv\n", "A", "B"));
}

TEST_F(ProofResults, AreBoundToTheTextOfIncludedFiles) {
  fs::create_directories(folder_.path() / "rtl/sub");
  const auto write = [&](const std::string& name, const std::string& text) {
    return folder_.write("rtl/" + name, text);
  };
  const std::string list = write("topo.f", "a.sv\n");
  const std::string a = "// `include OFF\n`include \"sub/x.svh\"\nA $readmemh ( \"a.hex\", m);";
  const std::string x = "X `include <../../y.h> /* `include \"z.h\" */";
  (void)write("a.sv", a);
  (void)write("sub/x.svh", x);
  (void)write("a.hex", "01");
  (void)write("z.h", "Z");
  (void)folder_.write("y.h", "Y");
  const std::string hash = rtl_hash(list);
  EXPECT_EQ(hash, common::hex64(common::hash_bytes("a.sv\n" + a + "sub/x.svh\n" + x +
                                                   "../../y.h\nY" + "a.hex\n01")));
  const auto changes = [&](const std::string& name, const std::string& text) {
    const fs::path path = folder_.path() / "rtl" / name;
    const bool existed = fs::exists(path);
    const std::string before = existed ? common::read_text_file(path) : "";
    (void)write(name, text);
    const bool changed = rtl_hash(list) != hash;
    existed ? (void)write(name, before) : (void)fs::remove(path);
    EXPECT_EQ(rtl_hash(list), hash) << name;
    return changed;
  };
  EXPECT_TRUE(changes("sub/x.svh", x + " "));
  EXPECT_TRUE(changes("../y.h", "y"));
  EXPECT_TRUE(changes("a.hex", "02"));
  EXPECT_FALSE(changes("z.h", "z"));
  EXPECT_FALSE(changes("other.svh", "z"));
  fs::remove(folder_.path() / "y.h");
  EXPECT_NE(rtl_hash(list), hash) << "a deleted file";
}

TEST_F(ProofResults, AreOfOtherRtlWhenAMacroNamesAnIncludedFile) {
  (void)folder_.write("a.sv", "`define FILE \"x.svh\"\n`include `FILE\n");
  EXPECT_EQ(rtl_hash(folder_.write("topo.f", "a.sv\n")), "");
}

TEST_F(ProofResults, AreBoundToTheNetworkBesideTheLinks) {
  fs::create_directories(folder_.path() / "network");
  const std::string list = folder_.write("topo.f", "a.sv\n");
  (void)folder_.write("a.sv", "A");
  EXPECT_EQ(rtl_hash(list), common::hex64(common::hash_bytes("a.sv\nA")));
  (void)folder_.write("network/maze.f", "-F ../topo.f\nn.sv\n");
  (void)folder_.write("network/n.sv", "N");
  EXPECT_EQ(rtl_hash(list), common::hex64(common::hash_bytes("a.sv\nAnetwork/n.sv\nN")));
}

}  // namespace
}  // namespace kernbench::sim
