// SPDX-License-Identifier: Apache-2.0
// Every kind of bad input ends with exit code 2, reports the error and its position, and leaves no
// files. The inputs are in this folder, the messages in expected/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::files_under;
using cli_test::Finished;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const fs::path kInputs = places::source("/tests/bad_input");

struct BadInputCase {
  const char* name;  ///< name of the test and of the file with the message
  std::vector<std::string> arguments;
};

std::vector<std::string> sim(std::vector<std::string> more) {
  more.insert(more.begin(), "sim");
  more.insert(more.end(), {"--report", "{tmp}/report", "--models", "{tmp}/models"});
  return more;
}
std::vector<std::string> sim_config(const char* config) {
  return sim({config, "--model", "{model}", "--no-structure"});
}
std::vector<std::string> sim_good(std::vector<std::string> more) {
  more.insert(more.begin(), {"good.yaml", "--model", "{model}", "--no-structure"});
  return sim(std::move(more));
}
std::vector<std::string> sim_model(const char* model) {
  return sim({"good.yaml", "--model", model});
}

std::vector<std::string> topology(std::vector<std::string> more) {
  more.insert(more.begin(), "topology");
  more.insert(more.end(), {"--topology", "{tmp}/out/topology.yaml"});
  return more;
}

std::vector<std::string> web(std::vector<std::string> more) {
  more.insert(more.begin(), {"web", "--topology", "{tmp}/out/topology.yaml"});
  return more;
}

const BadInputCase kCases[] = {
    // Regression files.
    {"unknown_keys", sim_config("unknown_keys.yaml")},
    {"misspelled_names", sim_config("misspelled_names.yaml")},
    {"wrong_types", sim_config("wrong_types.yaml")},
    {"trailing_garbage", sim_config("trailing_garbage.yaml")},
    {"out_of_range", sim_config("out_of_range.yaml")},
    {"empty_suite_list", sim_config("empty_suite_list.yaml")},
    {"no_suites", sim_config("no_suites.yaml")},
    {"empty", sim_config("empty.yaml")},
    {"broken", sim_config("broken.yaml")},
    {"two_of_a_key", sim_config("two_of_a_key.yaml")},
    {"missing_file", sim_config("no_such_file.yaml")},
    {"folder_for_a_file", sim_config(".")},
    {"list_of_a_bad_file", {"sim", "--list", "no_suites.yaml"}},
    // Traces.
    {"trace_csv", sim_config("trace_csv.yaml")},
    {"trace_json", sim_config("trace_json.yaml")},
    {"trace_missing", sim_config("trace_missing.yaml")},
    {"trace_empty", sim_config("trace_empty.yaml")},
    // Models.
    {"model_of_another_shape", sim_model("{model_3x2}")},
    {"model_of_another_interface", sim_model("{stale_model}")},
    {"model_that_is_no_library", sim_model("no_library.txt")},
    {"model_that_is_another_library", sim_model("{other_library}")},
    {"model_without_code_coverage", sim_good({"--code-coverage", "{tmp}/code"})},
    {"model_missing", sim_model("no_such_model.so")},
    {"rtl_missing", sim({"good.yaml", "--rtl-dir", "no_such_rtl"})},
    // The command line.
    {"no_command", {}},
    {"unknown_command", {"simulate"}},
    {"unknown_coverage_command", {"coverage", "marge", "-o", "{tmp}/all.json"}},
    {"unknown_option", sim_good({"--sead", "3"})},
    {"unknown_suite", sim_good({"--suite", "saturatoin"})},
    {"unknown_fault", sim_good({"--fault", "drip"})},
    {"seed_with_garbage", sim_good({"--seed", "12x"})},
    {"seed_negative", sim_good({"--seed", "-1"})},
    {"seed_too_large", sim_good({"--seed", "18446744073709551616"})},
    {"seed_octal", sim_good({"--seed", "010"})},
    {"seeds_zero", sim_good({"--seeds", "0"})},
    {"cycles_zero", sim_good({"--cycles", "0"})},
    {"cycles_too_many", sim_good({"--cycles", "1000000001"})},
    {"jobs_zero", sim_good({"--jobs", "0"})},
    {"jobs_not_a_number", sim_good({"--jobs", "two"})},
    {"waves_unknown", sim_good({"--waves", "sometimes"})},
    {"structure_of_a_suite", {"structure", "--suite", "saturation"}},
    {"structure_of_a_model", {"structure", "--model", "{model}"}},
    {"structure_without_rtl", {"structure", "--rtl-dir", "no_such_rtl"}},
    // Topologies. Errors inside topology files are in topology/.
    {"topology_missing", {"topology", "build", "--topology", "no_such_topology.yaml"}},
    {"topology_broken", {"topology", "show", "--topology", "topology/unknown_key.yaml"}},
    {"topology_command_unknown", {"topology", "rout"}},
    {"topology_node_unknown", topology({"show", "--node", "sip0.cube0.nothing"})},
    {"topology_route_without_ends", topology({"route"})},
    {"topology_route_from_nowhere",
     topology({"route", "--from", "sip0.cube99.pe0", "--to", "sip0.cube0.sram"})},
    {"topology_route_to_garbage",
     topology({"route", "--from", "sip0.cube0.pe0", "--to", "0x12zz"})},
    {"topology_route_to_a_reserved_address",
     topology({"route", "--from", "sip0.cube0.pe0", "--to", "0x0100000000000000"})},
    {"topology_route_that_is_not_there",
     topology({"route", "--from", "sip0.cube0.pe0", "--to", "sip0.io0.io_cpu"})},
    {"topology_intent_unknown",
     topology({"route", "--from", "a", "--to", "b", "--intent", "teleport"})},
    {"topology_format_unknown", topology({"export", "--format", "xls"})},
    {"topology_export_unwritable", topology({"export", "-o", "{tmp}/no/such/graph.json"})},
    {"topology_pictures_below_a_file", topology({"build", "-o", "good.yaml/pictures"})},
    {"cosim_without_a_maze", {"cosim", "--topology", "{tmp}/out/topology.yaml"}},
    {"cosim_unknown_workload",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--workload", "uniform_randon"}},
    {"cosim_pattern_of_another_shape",
     {"cosim", "--topology", "{tmp}/out/maze3x3.yaml", "--workload", "bit_reverse"}},
    {"cosim_unknown_fabric", {"cosim", "--fabric", "rlt"}},
    {"cosim_unknown_fault",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--nodes", "ideal", "--fault", "drip"}},
    {"cosim_load_above_one", {"cosim", "--topology", "{tmp}/out/maze.yaml", "--loads", "0.5,1.5"}},
    {"cosim_model_of_another_shape",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--nodes", "ideal", "--model", "{model}",
      "--fabric", "rtl"}},
    {"cosim_model_of_another_width",
     {"cosim", "--topology", "{tmp}/out/maze16bit.yaml", "--nodes", "ideal", "--model", "{model}",
      "--json", "{tmp}/out/cosim.json", "--html", "{tmp}/out/cosim.html"}},
    {"cosim_unknown_nodes", {"cosim", "--topology", "{tmp}/out/maze.yaml", "--nodes", "idael"}},
    {"cosim_nodes_that_do_not_route_y_first", {"cosim", "--topology", "{tmp}/out/maze_yx.yaml"}},
    {"cosim_fault_without_ideal_nodes",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--fault", "drop"}},
    {"cosim_failed_node_outside",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--failed-node", "16"}},
    {"cosim_failed_node_of_ideal_nodes",
     {"cosim", "--topology", "{tmp}/out/maze_failed.yaml", "--nodes", "ideal"}},
    {"cosim_failed_node_under_a_machine",
     {"cosim", "--topology", "{tmp}/out/maze_failed.yaml", "--workload", "probe"}},
    {"cosim_transfers_of_the_failed_node",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--failed-node", "2", "--fabric", "cycle",
      "--workload", "{tmp}/out/transfers.csv"}},
    {"run_with_a_failed_node", {"run", "--topology", "{tmp}/out/maze_failed.yaml", "vector-add"}},
    {"topology_failed_node", {"topology", "check", "--topology", "{tmp}/out/maze_no_node.yaml"}},
    {"cosim_window_without_a_timeline",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--trace-window", "100:200"}},
    {"cosim_window_that_ends_before_it_begins",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--trace", "{tmp}/out/t.json", "--trace-window",
      "200:100"}},
    {"cosim_transfers_broken",
     {"cosim", "--topology", "{tmp}/out/maze.yaml", "--workload", "broken_transfers.csv"}},
    {"replay_missing", {"replay", "no_such.json"}},
    {"replay_other_kind", {"replay", "other_kind.json"}},
    {"replay_pins_broken", {"replay", "broken_pins.json"}},
    {"replay_of_a_suite", {"replay", "broken_pins.json", "--suite", "saturation"}},
    {"replay_on_a_fabric", {"replay", "broken_pins.json", "--fabric", "3x5"}},
    {"probe_of_no_bytes", {"probe", "--bytes", "0"}},
    {"probe_json_unwritable",
     {"probe", "--topology", "{tmp}/out/topology.yaml", "--json", "{tmp}/no/such/p.json"}},
    {"zoo_kind_unknown", {"topology", "zoo", "Mash2D(3,3)"}},
    {"zoo_text_cut_off", {"topology", "zoo", "TerminalRouter(Mesh2D(3,3)"}},
    {"zoo_text_and_file", {"topology", "zoo", "Mesh2D(3,3)", "--spec", "good.yaml"}},
    {"zoo_too_large_to_draw", {"topology", "zoo", "Mesh2D(64,64)", "--svg", "{tmp}/out/mesh.svg"}},
    {"zoo_picture_unwritable",
     {"topology", "zoo", "Mesh2D(3,3)", "--svg", "{tmp}/no/such/mesh.svg"}},
    {"zoo_routes_broken",
     {"topology", "zoo", "--spec", "zoo_routes.yaml", "-o", "{tmp}/out/line.json"}},
    {"zoo_routes_in_json_broken",
     {"topology", "zoo", "--spec", "zoo_routes_json.yaml", "--routes", "{tmp}/out/line.csv"}},
    {"zoo_routes_with_a_circle",
     {"traffic", "--spec", "zoo_circle.yaml", "--json", "{tmp}/out/traffic.json"}},
    {"zoo_network_broken", {"topology", "zoo", "--spec", "zoo_network.yaml"}},
    // The viewer.
    {"web_view_unknown", web({"--view", "rack"})},
    {"web_port_too_large", web({"--port", "65536"})},
    {"web_port_zero", web({"--port", "0"})},
    {"web_port_not_a_number", web({"--port", "80x"})},
    {"web_address_unknown", web({"--bind", "example.org"})},
    {"web_address_of_another", web({"--bind", "192.0.2.1", "--port", "8080"})},
    {"web_reports_in_a_file", web({"--report", "good.yaml"})},
    {"web_topology_missing", {"web", "--topology", "no_such_topology.yaml"}},
    {"web_topology_broken", {"web", "--topology", "topology/unknown_key.yaml"}},
    // Report folders.
    {"report_below_a_file",
     {"sim", "good.yaml", "--model", "{model}", "--no-structure", "--report", "good.yaml/report"}},
    {"report_is_a_folder",
     {"sim", "good.yaml", "--model", "{model}", "--no-structure", "--report", "{tmp}/occupied"}},
    // Coverage files.
    {"coverage_none", {"coverage", "report"}},
    {"coverage_missing", {"coverage", "report", "no_such_run.json"}},
    {"coverage_broken", {"coverage", "report", "broken_coverage.json"}},
    {"coverage_incomplete", {"coverage", "report", "incomplete_coverage.json"}},
    {"coverage_other_kind", {"coverage", "report", "other_kind.json"}},
    {"coverage_twice",
     {"coverage", "report", "{tmp}/run/coverage.json", "{tmp}/run/coverage.json"}},
    {"coverage_of_another_design",
     {"coverage", "merge", "-o", "{tmp}/all.json", "{tmp}/run/coverage.json",
      "{tmp}/run_3x2/coverage.json"}},
    {"coverage_several_errors",
     {"coverage", "merge", "-o", "{tmp}/all.json", "broken_coverage.json", "no_such_run.json",
      "incomplete_coverage.json"}},
    {"coverage_list", {"coverage", "report", "--list", "coverage_list.txt"}},
    {"coverage_empty_list", {"coverage", "report", "--list", "empty_list.txt"}},
    {"coverage_unwritable",
     {"coverage", "merge", "-o", "{tmp}/no/such/folder.json", "{tmp}/run/coverage.json"}},
    {"coverage_without_output", {"coverage", "merge", "{tmp}/run/coverage.json"}},
    {"coverage_missed_negative", {"coverage", "report", "--rows", "-1", "{tmp}/run/coverage.json"}},
};

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

class BadInputTest : public ::testing::TestWithParam<BadInputCase> {
 protected:
  void SetUp() override {
    fs::create_directories(tmp_ / "out");
    fs::create_directories(tmp_ / "occupied/report.json");
    std::ofstream(tmp_ / "out/maze.yaml") << "sip: {inter_cube: maze}\n";
    std::ofstream(tmp_ / "out/maze_yx.yaml") << "sip:\n  inter_cube: maze\n  maze: {order: yx}\n";
    std::ofstream(tmp_ / "out/maze_failed.yaml")
        << "sip:\n  inter_cube: maze\n  maze: {failed_node: 5}\n";
    std::ofstream(tmp_ / "out/maze_no_node.yaml")
        << "sip:\n  inter_cube: maze\n  maze: {failed_node: 99}\n";
    std::ofstream(tmp_ / "out/transfers.csv")
        << "time_ps,src,dst,bytes,qos,type\n0,1,3,8,low,unicast\n5,2,3,8,low,unicast\n";
    std::ofstream(tmp_ / "out/maze3x3.yaml")
        << "sip: {inter_cube: maze, cube_mesh: {w: 3, h: 3}}\n";
    std::ofstream(tmp_ / "out/maze16bit.yaml")
        << "sip:\n  inter_cube: maze\n  cube_mesh: {w: 4, h: 3}\n  maze: {flit_bits: 16}\n";
    std::ofstream(tmp_ / "out/topology.yaml") << "system: {sips: {count: 1}}\n";
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> names() const {
    return {{"{tmp}", tmp_.string()},
            {"{model}", places::kReferenceModel},
            {"{model_3x2}", places::kReferenceModel3x2},
            {"{stale_model}", places::kReferenceModelStale},
            {"{other_library}", places::kNotAModel},
            {"{inputs}", kInputs.string()}};
  }
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    for (std::string& argument : arguments) {
      for (const auto& [name, value] : names()) replace_all(argument, name, value);
    }
    return cli_test::kernbench(arguments, kInputs, tmp_ / "out");
  }

  common::TempFolder folder_;
  fs::path tmp_ = folder_.path();
};

TEST_P(BadInputTest, EndsWithExitCode2SaysWhatIsWrongAndLeavesNothing) {
  for (const auto& argument : GetParam().arguments) {
    if (argument.find("/coverage.json") == std::string::npos) continue;
    ASSERT_EQ(
        run({"sim", "good.yaml", "--model", "{model}", "--no-structure", "--report", "{tmp}/run"})
            .exit_code,
        0);
    ASSERT_EQ(run({"sim", "good_3x2.yaml", "--model", "{model_3x2}", "--no-structure", "--report",
                   "{tmp}/run_3x2"})
                  .exit_code,
              0);
    break;
  }
  const auto before = files_under(tmp_);

  const Finished finished = run(GetParam().arguments);

  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  std::string message = finished.err;
  for (const auto& [name, value] : names()) replace_all(message, value, name);
  const fs::path expected = kInputs / "expected" / (std::string(GetParam().name) + ".txt");
  std::ifstream file(expected);
  EXPECT_EQ(message, std::string(std::istreambuf_iterator<char>(file), {})) << expected;

  std::vector<std::string> left = files_under(tmp_);
  std::erase_if(left, [&](const std::string& path) {
    return path.starts_with("out/") ||
           std::find(before.begin(), before.end(), path) != before.end();
  });
  EXPECT_THAT(left, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Cases, BadInputTest, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(BadInputTest, AFileThatMayNotBeReadIsNamed) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const fs::path secret = folder_.write("secret.yaml", "name: secret\n");
  fs::permissions(secret, fs::perms::none);
  const Finished finished = run({"sim", secret.string(), "--report", "{tmp}/report"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err, "error: cannot read '" + secret.string() + "': Permission denied\n");
}

TEST_F(BadInputTest, AReportFolderThatMayNotBeWrittenIsNamed) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const fs::path sealed = tmp_ / "sealed";
  fs::create_directory(sealed);
  fs::permissions(sealed, fs::perms::owner_read | fs::perms::owner_exec);
  const Finished finished = run(
      {"sim", "good.yaml", "--model", "{model}", "--no-structure", "--report", sealed.string()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "error: cannot write '" + (sealed / "report.json").string() + "': Permission denied\n");
}

}  // namespace
}  // namespace kernbench
