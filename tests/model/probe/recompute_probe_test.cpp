// SPDX-License-Identifier: Apache-2.0
// scripts/recompute-probe.py computes the latencies of the probe from the export alone, with
// independent arithmetic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/text_file.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

namespace fs = std::filesystem;
using cli_test::Finished;
using testing::HasSubstr;
using testing::StartsWith;

/// The export and the probe results of a topology. They take a second, so each is made once.
struct Artefacts {
  fs::path folder;
  int exit_code = 0;  ///< sum over the commands

  Artefacts(const std::string& name, const fs::path& spec)
      : folder(fs::path(places::kBuild) / "tests" / "recompute_probe" / name) {
    fs::create_directories(folder);
    // Commands write the mesh file beside the spec, so use a copy outside the source tree.
    fs::copy_file(spec, folder / "topology.yaml", fs::copy_options::overwrite_existing);
    const auto run = [this](std::vector<std::string> words) {
      words.insert(words.end(), {"--topology", "topology.yaml"});
      exit_code += cli_test::kernbench(words, folder, folder).exit_code;
    };
    run({"topology", "export", "--json", "-o", "export.json"});
    run({"probe", "--json", "probe.json"});
  }
};

const Artefacts& shipped() {
  static const Artefacts made("shipped", fs::path(places::kSource) / "configs" / "topology.yaml");
  return made;
}

/// A topology whose sizes, bandwidths and overheads do not divide evenly. A request is two flits.
const Artefacts& odd() {
  static const Artefacts made = [] {
    const fs::path spec = fs::path(places::kBuild) / "tests" / "recompute_probe" / "odd.yaml";
    fs::create_directories(spec.parent_path());
    std::ofstream(spec)
        << "system: {flit_bytes: 192, request_bytes: 333, wire: {ns_per_mm: 0.0137}}\n"
           "sip: {cube_mesh: {w: 2, h: 3}, links: {ucie_mesh: {distance_mm: 1.7}}}\n"
           "cube:\n"
           "  memory_map: {hbm_total_bw_gbs: 777.7, channels_per_slice: 3}\n"
           "  router: {attrs: {overhead_ns: 0.7777}}\n"
           "  hbm_ctrl: {attrs: {overhead_ns: 31.2345}}\n"
           "  links:\n"
           "    router_mesh: {bw_gbs: 99.9}\n"
           "    router_to_hbm: {bw_gbs: 251.3, distance_mm: 0.37}\n"
           "    ucie_conn: {bw_gbs: 101.01, distance_mm: 0.61}\n";
    return Artefacts("odd", spec);
  }();
  return made;
}

class RecomputeProbe : public testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    std::vector<std::string> words = {"/usr/bin/env", "python3",
                                      places::source("/scripts/recompute-probe.py")};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return cli_test::Process(words, folder_.path(), folder_.path()).wait();
  }
  [[nodiscard]] Finished run(const Artefacts& of, std::vector<std::string> more = {}) const {
    more.push_back((of.folder / "export.json").string());
    more.push_back((of.folder / "probe.json").string());
    return run(more);
  }
  /// Writes a copy of a file of `of`, with the first `from` after `behind` replaced by `to`.
  /// Returns its path.
  [[nodiscard]] std::string tampered(const Artefacts& of, const std::string& file,
                                     const std::string& behind, const std::string& from,
                                     const std::string& to) const {
    std::string text = common::read_text_file(of.folder / file);
    const std::size_t at = text.find(from, text.find(behind));
    EXPECT_NE(at, std::string::npos) << from;
    return folder_.write(file, text.replace(at, from.size(), to)).string();
  }

  common::TempFolder folder_;
};

TEST_F(RecomputeProbe, EqualsEveryRowOfTheShippedTopologyUpTo64KiB) {
  ASSERT_EQ(shipped().exit_code, 0);
  const Finished finished = run(shipped(), {"--max-bytes", "65536"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.out, "PASS  108 rows recomputed, all equal; 72 above --max-bytes left out\n");
  EXPECT_EQ(finished.err, "");
}

TEST_F(RecomputeProbe, EqualsEveryRowOfATopologyOfOddNumbers) {
  ASSERT_EQ(odd().exit_code, 0);
  const Finished finished = run(odd(), {"--max-bytes", "1048576"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, StartsWith("PASS  "));
}

// A changed parameter in the export changes the latency of every row whose route uses it.
TEST_F(RecomputeProbe, ReportsEachRowThatAnOtherOverheadChanges) {
  const std::string changed = tampered(shipped(), "export.json", "\"sip0.io0.pcie_ep\"",
                                       "\"overhead_ps\":50000", "\"overhead_ps\":50001");
  const Finished finished =
      run({"--max-bytes", "256", changed, (shipped().folder / "probe.json").string()});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(
      finished.out,
      StartsWith("h2d cube 0, 256 bytes: 135933 ps in the probe, 135934 ps from the export\n"));
  // A host transfer pays the overhead once; a DMA to the other SIP pays it there and back.
  EXPECT_THAT(finished.out, HasSubstr("\npe_dma other SIP, 256 bytes: 540366 ps in the probe, "
                                      "540368 ps from the export\n"
                                      "FAIL  9 of 18 rows differ; "));
}

TEST_F(RecomputeProbe, NoticesAnOtherValueOfEveryKindOfParameter) {
  struct Change {
    std::string behind, from, to;
  };
  const std::vector<Change> changes = {
      {"\"system\"", "\"flit_bytes\":256", "\"flit_bytes\":255"},
      {"\"system\"", "\"request_bytes\":16", "\"request_bytes\":17"},
      {"\"hbm_ctrl\"", "\"channels\":8", "\"channels\":7"},
      {"\"hbm_ctrl\"", "\"slice_bw_gbs\":128.0", "\"slice_bw_gbs\":127.5"},
      {"\"name\":\"sip0.cube0.hbm_ctrl.pe0\"", "\"overhead_ps\":30000", "\"overhead_ps\":29999"},
      {"\"edges\"", "\"bw_gbs\":256.0,\"from\":\"sip0.cube0.hbm_ctrl.pe0\"",
       "\"bw_gbs\":255.0,\"from\":\"sip0.cube0.hbm_ctrl.pe0\""},
      {"\"edges\"", "\"propagation_ps\":5,\"to\":\"sip0.cube0.hbm_ctrl.pe0\"",
       "\"propagation_ps\":4,\"to\":\"sip0.cube0.hbm_ctrl.pe0\""}};
  for (const Change& change : changes) {
    const std::string file =
        tampered(shipped(), "export.json", change.behind, change.from, change.to);
    const Finished finished =
        run({"--max-bytes", "4096", file, (shipped().folder / "probe.json").string()});
    EXPECT_EQ(finished.exit_code, 1) << change.to << '\n' << finished.out << finished.err;
    EXPECT_THAT(finished.out, HasSubstr("pe_dma own slice, 4096 bytes: ")) << change.to;
  }
}

TEST_F(RecomputeProbe, NoticesALatencyThatIsOnePicosecondOff) {
  const std::string changed = tampered(shipped(), "probe.json", "\"own slice\"",
                                       "\"actual_ps\": 555146", "\"actual_ps\": 555147");
  const Finished finished =
      run({"--max-bytes", "65536", (shipped().folder / "export.json").string(), changed});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.out,
            "pe_dma own slice, 65536 bytes: 555147 ps in the probe, 555146 ps from the export\n"
            "FAIL  1 of 108 rows differ; 72 above --max-bytes left out\n");
}

TEST_F(RecomputeProbe, FailsWhenItComparedNothing) {
  const Finished finished = run(shipped(), {"--max-bytes", "255"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.out, "FAIL  nothing was compared; 180 above --max-bytes left out\n");
}

TEST_F(RecomputeProbe, WarnsAboutFilesOfDifferentTopologies) {
  const std::string hash = "\"config_hash\": \"";
  const std::string other = tampered(shipped(), "export.json", hash, hash, hash + "0");
  const Finished finished =
      run({"--max-bytes", "256", other, (shipped().folder / "probe.json").string()});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "warning: the two files were made from different topology files\n");
}

TEST_F(RecomputeProbe, RefusesFilesThatAreNotWhatTheyShouldBe) {
  const std::string topology = (shipped().folder / "export.json").string();
  const std::string probe = (shipped().folder / "probe.json").string();
  const auto error_of = [this](const std::string& first, const std::string& second) {
    const Finished finished = run({"--max-bytes", "256", first, second});
    EXPECT_EQ(finished.exit_code, 2) << finished.out;
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  EXPECT_EQ(error_of("none.json", probe), "error: none.json: No such file or directory\n");
  EXPECT_THAT(error_of(folder_.write("cut.json", "{\"schema\": 1,").string(), probe),
              HasSubstr("cut.json: no JSON: "));
  EXPECT_EQ(error_of(probe, topology), "error: " + probe + ": not a 'topology' file of schema 1\n");
  EXPECT_THAT(error_of(tampered(shipped(), "export.json", "\"system\"", "\"flit_bytes\":256",
                                "\"flit_bytes\":0"),
                       probe),
              HasSubstr("export.json: system: 'flit_bytes' must be at least 1, not 0\n"));
  EXPECT_THAT(
      error_of(tampered(shipped(), "export.json", "\"hbm_ctrl\"", "\"channels\"", "\"channel\""),
               probe),
      HasSubstr("export.json: components: hbm_ctrl: 'channels' is missing\n"));
  EXPECT_THAT(error_of(tampered(shipped(), "export.json", "\"edges\"", "\"bw_gbs\":512.0",
                                "\"bw_gbs\":\"512\""),
                       probe),
              HasSubstr(": 'bw_gbs' must be of type float, not \"512\"\n"));
  EXPECT_THAT(error_of(topology, tampered(shipped(), "probe.json", "\"path\"",
                                          "\"sip0.io0.pcie_ep\"", "\"sip9.io0.pcie_ep\"")),
              HasSubstr("the export has no node \"sip9.io0.pcie_ep\"\n"));
  EXPECT_THAT(error_of(topology, tampered(shipped(), "probe.json", "\"path\"",
                                          "\"sip0.io0.pcie_ep\"", "\"sip0.cube0.sram\"")),
              HasSubstr("the export has no wire sip0.cube0.sram -> sip0.io0.io_noc\n"));
  EXPECT_THAT(
      error_of(topology, tampered(shipped(), "probe.json", "\"family\"", "\"h2d\"", "\"h2h\"")),
      HasSubstr("unknown family; known are h2d, d2h, pe_dma\n"));
}

TEST_F(RecomputeProbe, RefusesArgumentsThatItDoesNotKnow) {
  EXPECT_EQ(run({"--max-bytes", "many", "a", "b"}).exit_code, 2);
  EXPECT_EQ(run({"one.json"}).exit_code, 2);
}

TEST_F(RecomputeProbe, HasAPlotBesideIt) {
  (void)folder_.write("topology.yaml", "sip: {cube_mesh: {w: 2, h: 2}}\n");
  const auto probe = [this](const std::string& plot) {
    return cli_test::kernbench({"probe", "--topology", "topology.yaml", "--plot", plot},
                               folder_.path(), folder_.path());
  };
  EXPECT_EQ(probe("probe.svg").exit_code, 0);
  EXPECT_THAT(common::read_text_file(folder_.path() / "probe.svg"), StartsWith("<svg "));
  const Finished refused = probe("no/such/folder/probe.svg");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("no/such/folder"));
  EXPECT_FALSE(fs::exists(folder_.path() / "no"));
}

}  // namespace
}  // namespace kernbench
