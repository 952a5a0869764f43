// SPDX-License-Identifier: Apache-2.0
// Commands refuse outputs that would overwrite each other or an input, and values that cannot fit.
// They report full disks, and clean up after signals.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>
#include <tuple>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using cli_test::Process;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Files : public ::testing::Test {
 protected:
  Files() {
    (void)folder_.write("topology.yaml",
                        "sip: {cube_mesh: {w: 2, h: 1}}\n"
                        "cube: {pe_layout: {pe_per_corner: 1}, "
                        "memory_map: {slices_per_cube: 4}}\n");
    std::filesystem::create_directories(scratch());
  }
  [[nodiscard]] std::filesystem::path scratch() const { return folder_.path() / "scratch"; }
  [[nodiscard]] Finished run(const std::vector<std::string>& arguments) const {
    return cli_test::kernbench(arguments, folder_.path(), scratch());
  }
  /// Runs a shell command, in which $K is the program.
  [[nodiscard]] Finished shell(const std::string& command) const {
    return Process({"/bin/sh", "-c", "K=" + std::string(places::kKernbench) + "; " + command},
                   folder_.path(), scratch())
        .wait();
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& message) const {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.err, message + "\n");
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.exit_code, 2);
  }
  /// Returns all files but the captured streams.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names = cli_test::files_under(folder_.path());
    std::erase_if(names, [](const std::string& name) { return name.starts_with("scratch/"); });
    return names;
  }
  [[nodiscard]] std::ptrdiff_t temporary_files() const {
    const auto all = names();
    return std::count_if(all.begin(), all.end(), [](const std::string& name) {
      return name.find(".tmp-") != std::string::npos;
    });
  }

  common::TempFolder folder_;
};

TEST_F(Files, AnOutputThatIsAnotherOutputIsRefusedByAnyOfItsNames) {
  std::filesystem::create_symlink("o", folder_.path() / "link");
  const auto before = names();
  expect_refused(
      {"probe", "--topology", "topology.yaml", "--json", "o", "--plot", "./o", "--trace", "link"},
      "error: --plot: './o' is also the output of --json\n"
      "error: --trace: 'link' is also the output of --json");
  expect_refused({"run", "vector-add", "--json", "o", "--oplog", "o"},
                 "error: --oplog: 'o' is also the output of --json");
  // A folder cannot be where a file will be, nor below it.
  for (const char* plots : {"o", "./o", "o/below"}) {
    expect_refused(
        {"evaluate", "gemm", "--topology", "topology.yaml", "--json", "o", "--plots", plots},
        fmt::format("error: --plots: '{}' is also the output of --json", plots));
  }
  EXPECT_EQ(names(), before);
}

TEST_F(Files, AnOutputThatIsAnInputIsRefused) {
  const std::string former = common::read_text_file(folder_.path() / "topology.yaml");
  std::filesystem::create_hard_link(folder_.path() / "topology.yaml", folder_.path() / "hard");
  expect_refused({"topology", "export", "--topology", "topology.yaml", "-o", "topology.yaml"},
                 "error: --output: 'topology.yaml' is also the input of --topology, which it would "
                 "overwrite");
  expect_refused({"topology", "export", "--topology", "topology.yaml", "-o", "hard"},
                 "error: --output: 'hard' is also the input of --topology, which it would "
                 "overwrite");
  expect_refused({"evaluate", "gemm", "--topology", "topology.yaml", "--json", "topology.yaml"},
                 "error: --json: 'topology.yaml' is also the input of --topology, which it would "
                 "overwrite");
  expect_refused({"coverage", "merge", "-o", "topology.yaml", "a.json", "topology.yaml"},
                 "error: --output: 'topology.yaml' is also the input of files, which it would "
                 "overwrite");
  EXPECT_EQ(common::read_text_file(folder_.path() / "topology.yaml"), former);
}

TEST_F(Files, AnOutputThatAnInputOnlyNamesIsRefused) {
  const std::string graph = "src,dst\n0,1\n1,0\n";
  (void)folder_.write("graph.csv", graph);
  (void)folder_.write("zoo.yaml", "topology: {kind: CustomTopology, edges_from: graph.csv}\n");
  (void)folder_.write("list.txt", "a.json\n");
  (void)folder_.write("a.json", "{}");
  std::filesystem::create_symlink("graph.csv", folder_.path() / "link");
  const std::string also = " is also an input of this command, which it would overwrite";
  expect_refused({"topology", "zoo", "--spec", "zoo.yaml", "-o", "./graph.csv"},
                 "error: --output: './graph.csv'" + also);
  expect_refused({"topology", "zoo", "--spec", "zoo.yaml", "--routes", "link"},
                 "error: --routes: 'link'" + also);
  expect_refused({"traffic", "--spec", "zoo.yaml", "--json", "graph.csv"},
                 "error: --json: 'graph.csv'" + also);
  expect_refused({"coverage", "merge", "--list", "list.txt", "-o", "a.json"},
                 "error: --output: 'a.json'" + also);
  EXPECT_EQ(common::read_text_file(folder_.path() / "graph.csv"), graph);
  EXPECT_EQ(common::read_text_file(folder_.path() / "a.json"), "{}");
}

TEST_F(Files, AnOutputThatIsAnInputOfAnyKindIsRefused) {
  const auto before = names();
  for (const char* name : {"w.csv", "m.yaml", "u.0.et", "m.so", "e.yaml", "config.json", "b.py"}) {
    (void)folder_.write(name, name);
  }
  const auto expect = [&](std::vector<std::string> words, const std::string& output,
                          const std::string& option) {
    words.insert(words.end(), {"--json", output});
    expect_refused(words, fmt::format("error: --json: '{}' is also the input of {}, which it would "
                                      "overwrite",
                                      output, option));
  };
  expect({"cosim", "--fabric", "analytic", "--workload", "w.csv"}, "./w.csv", "--workload");
  expect({"cosim", "--model", "m.so"}, "m.so", "--model");
  expect({"cosim", "--engine", "e.yaml"}, "e.yaml", "--engine");
  expect({"replay", "./u.et"}, "u.0.et", "file");
  expect({"run", "transformer", "--set", "model=m.yaml"}, "m.yaml", "--set");
  expect({"run", "gemm", "--plugin", "m.so"}, "m.so", "--plugin");
  expect({"run", "b.py"}, "b.py", "bench");
  expect({"run", "b.py:one"}, "./b.py", "bench");
  expect({"cosim", "--workload", "bench:b.py:one"}, "b.py", "--workload");
  expect({"serve", "--requests", "w.csv"}, "w.csv", "--requests");
  expect_refused({"topology", "build", "--topology", "system.svg", "-o", "."},
                 "error: cannot read 'system.svg': No such file or directory");
  (void)folder_.write("system.svg", "{}");
  expect_refused({"topology", "build", "--topology", "system.svg", "-o", "."},
                 "error: --output: './system.svg' is also the input of --topology, which it would "
                 "overwrite");
  expect_refused({"sweep", "m.yaml", "--output", "m.yaml"},
                 "error: --output: 'm.yaml' is also the input of plan, which it would overwrite");
  EXPECT_EQ(common::read_text_file(folder_.path() / "w.csv"), "w.csv");
  EXPECT_EQ(common::read_text_file(folder_.path() / "u.0.et"), "u.0.et");
  for (const char* name :
       {"w.csv", "m.yaml", "u.0.et", "m.so", "e.yaml", "config.json", "system.svg", "b.py"}) {
    std::filesystem::remove(folder_.path() / name);
  }
  EXPECT_EQ(names(), before);
}

TEST_F(Files, TheCsvFileOfASweepDoesNotReplaceAnInputOfItsPoints) {
  (void)folder_.write("transfers.csv", "time_ps,src,dst,bytes,qos,type\n0,0,1,64,low,unicast\n");
  const std::string before = common::read_text_file(folder_.path() / "transfers.csv");
  const std::string plan =
      "command: [cosim, --workload, transfers.csv, --fabric, analytic]\n"
      "parameters: {seed: [1]}\ntargets: {config_hash: none}\n";
  (void)folder_.write("transfers.yaml", plan);
  const Finished finished = run({"sweep", "transfers.yaml"});
  EXPECT_THAT(finished.err,
              HasSubstr("error: 'transfers.csv' is an input of the command, and the results of the "
                        "sweep would overwrite it; name another file by --output\n"));
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(common::read_text_file(folder_.path() / "transfers.csv"), before);
  expect_refused(
      {"sweep", "transfers.yaml", "--output", "rows.csv"},
      "error: --output: 'rows.csv' is also the name of the CSV file of the rows, which is "
      "written beside the database; use another ending, such as .db");
  (void)folder_.write("plan.csv", plan);
  expect_refused({"sweep", "plan.csv"},
                 "error: 'plan.csv' is the plan, and the results of the sweep would overwrite it; "
                 "name another file by --output");
}

TEST_F(Files, ADashIsStandardOutputAndNothingElseIsPrintedThere) {
  const Finished plain = run({"traffic", "Mesh2D(2,2)", "--loads", "0.1", "--json", "t.json"});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  const Finished dash = run({"traffic", "Mesh2D(2,2)", "--loads", "0.1", "--json", "-"});
  EXPECT_EQ(dash.exit_code, 0) << dash.err;
  const std::string written = common::read_text_file(folder_.path() / "t.json");
  const auto data = [](const std::string& text) { return text.substr(text.find("\"data\"")); };
  EXPECT_EQ(dash.out.front(), '{');
  EXPECT_EQ(data(dash.out), data(written));
  EXPECT_EQ(dash.err, plain.out);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "-"));
  expect_refused({"probe", "--json", "-", "--trace", "-"},
                 "error: --trace: '-' is also the output of --json");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"topology", "build", "-o", "-"},
        {"sweep", "plan.yaml", "--output", "-"},
        {"sim", "--report", "-"}}) {
    const Finished refused = run(words);
    EXPECT_THAT(refused.err, HasSubstr("'-' cannot be standard output here; './-' names a file"));
    EXPECT_EQ(refused.exit_code, 2);
  }
}

TEST_F(Files, AnOutputThatCannotBeCreatedIsRefusedBeforeTheRun) {
  expect_refused({"probe", "--json", "no/such.json", "--plot", "."},
                 "error: cannot write 'no/such.json': No such file or directory\n"
                 "error: cannot write '.': Is a directory");
}

TEST_F(Files, AnEmptyValueIsRefusedByEveryOption) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "vector-add", "--what-if", ""},
        {"sim", "--fault", ""},
        {"cosim", "--trace-window", ""},
        {"schema", ""}}) {
    const Finished finished = run(words);
    EXPECT_THAT(finished.err, HasSubstr(": the value is empty\n"));
    EXPECT_EQ(finished.exit_code, 2);
  }
}

TEST_F(Files, NamesMayHaveAnyByte) {
  const std::filesystem::path topology =
      std::filesystem::path(places::kSource) / "configs/topology-maze-8x8.yaml";
  for (const std::string name : {"a b'\"$(id)`id`#%41?:;&|\\\n*", "caf\xe9"}) {
    const std::filesystem::path folder = folder_.path() / name;
    std::filesystem::create_directories(folder);
    const auto in = [&](const char* file) { return name + "/" + name + file; };
    const auto write = [&](const char* file, const std::string& text) {
      (void)folder_.write(in(file), text);
    };
    write(".yaml", common::read_text_file(folder_.path() / "topology.yaml"));
    write(".zoo", "topology: {kind: CustomTopology, edges_from: \"graph.csv\"}\n");
    (void)folder_.write(name + "/graph.csv", "src,dst\n0,1\n1,0\n");
    write(".csv", "time_ps,src,dst,bytes,qos,type\n0,0,1,64,low,unicast\n");
    write(".plan", "command: [probe]\nparameters: {bytes: [64]}\ntargets: {config_hash: none}\n");
    const auto expect_pass = [&](const std::vector<std::string>& words) {
      const Finished finished = run(words);
      EXPECT_EQ(finished.exit_code, 0) << words.front() << ": " << finished.err;
      EXPECT_EQ(finished.err, "") << words.front();
    };
    expect_pass({"topology", "export", "--topology", in(".yaml"), "-o", in(".json")});
    expect_pass({"topology", "build", "--topology", in(".yaml"), "-o", name + "/views"});
    expect_pass({"topology", "zoo", "--spec", in(".zoo"), "--routes", in(".routes"), "-o",
                 in(".zoo.json"), "--svg", in(".svg")});
    expect_pass({"run", "vector-add", "--topology", in(".yaml"), "--json", in(".run"), "--html",
                 in(".html"), "--trace", in(".trace"), "--oplog", in(".oplog"), "--export-chakra",
                 in("")});
    expect_pass({"replay", in(".et"), "--topology", in(".yaml"), "--json", in(".chakra"), "--trace",
                 in(".trace2")});
    expect_pass({"cosim", "--topology", topology.string(), "--fabric", "cycle", "--workload",
                 in(".csv"), "--json", in(".cosim"), "--html", in(".cosim.html"), "--trace",
                 in(".cosim.trace"), "--report", name + "/report"});
    const bool is_utf8 = name != "caf\xe9";
    const Finished sweep = run({"sweep", in(".plan"), "--output", in(".db")});
    EXPECT_EQ(sweep.exit_code, is_utf8 ? 0 : 2) << sweep.err;
    if (!is_utf8) {
      EXPECT_THAT(sweep.err, HasSubstr("is not UTF-8, so that a job file cannot name it\n"));
      EXPECT_FALSE(std::filesystem::exists(folder_.path() / in(".db")));
    }
    for (const char* report : {".json", ".run", ".chakra", ".cosim"}) {
      const std::string text = common::read_text_file(folder_.path() / in(report));
      EXPECT_TRUE(nlohmann::json::accept(text)) << report;
    }
    // The command of a report repeats it.
    const auto report = nlohmann::json::parse(common::read_text_file(folder_.path() / in(".json")));
    const std::string before = common::read_text_file(folder_.path() / in(".json"));
    std::filesystem::remove(folder_.path() / in(".json"));
    EXPECT_EQ(
        shell("kernbench() { \"$K\" \"$@\"; }; " + report["command"].get<std::string>()).exit_code,
        0);
    EXPECT_EQ(common::read_text_file(folder_.path() / in(".json")), before);
  }
  (void)folder_.write(
      "tab\t.plan", "command: [probe]\nparameters: {bytes: [64]}\ntargets: {config_hash: none}\n");
  const Finished tab = run({"sweep", "tab\t.plan"});
  EXPECT_THAT(tab.err,
              HasSubstr("tab\\t.db' has a control character, so that a job file cannot name "
                        "it\n"));
  EXPECT_EQ(tab.exit_code, 2);
}

TEST_F(Files, DevicesMayBeSharedAndStayDevices) {
  const Finished finished = run({"run", "--topology", "topology.yaml", "vector-add", "--json",
                                 "/dev/null", "--oplog", "/dev/null"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Files, StandardOutputIsWrittenThroughItsDescriptor) {
  const Finished finished = shell(
      "$K topology export --topology topology.yaml -o /dev/stdout > all; "
      "$K topology export --topology topology.yaml -o plain");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  std::string plain = common::read_text_file(folder_.path() / "plain");
  std::string all = common::read_text_file(folder_.path() / "all");
  const std::string last = "wrote /dev/stdout\n";
  ASSERT_GT(all.size(), last.size());
  EXPECT_EQ(all.substr(all.size() - last.size()), last);
  // The command line is in the file.
  EXPECT_EQ(all.substr(all.find("\"data\""), all.size() - last.size() - all.find("\"data\"")),
            plain.substr(plain.find("\"data\"")));
}

TEST_F(Files, AnEmptyPathIsRefused) {
  const auto before = names();
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Finished finished = run(arguments);
    EXPECT_THAT(finished.err, StartsWith("error: " + message + "\nRun 'kernbench "));
    EXPECT_EQ(finished.exit_code, 2);
  };
  for (const char* option : {"--json", "--plot", "--trace"}) {
    expect({"probe", option, ""}, fmt::format("{}: the path is empty", option));
  }
  for (const char* option : {"--json", "--oplog", "--trace", "--ccl"}) {
    expect({"run", "vector-add", option, ""}, fmt::format("{}: the path is empty", option));
  }
  for (const char* option : {"--json", "--html", "--trace", "--calibrate", "--parameters"}) {
    expect({"cosim", option, ""}, fmt::format("{}: the path is empty", option));
  }
  expect({"topology", "export", "-o", ""}, "--output: the path is empty");
  expect({"topology", "build", "-o", ""}, "--output: the path is empty");
  expect({"topology", "zoo", "Mesh2D(2,2)", "--svg", ""}, "--svg: the path is empty");
  expect({"topology", "zoo", ""}, "topology: the topology is empty");
  expect({"traffic", "Mesh2D(2,2)", "--json", ""}, "--json: the path is empty");
  expect({"evaluate", "all-reduce", "--plot", ""}, "--plot: the path is empty");
  expect({"sim", "--report", ""}, "--report: the path is empty");
  EXPECT_EQ(names(), before);
}

TEST_F(Files, ALoopOfLinksAndALongNameAreRefused) {
  std::filesystem::create_symlink("loop", folder_.path() / "loop");
  const std::vector<std::string> all = {"topology", "export", "--topology", "topology.yaml", "-o"};
  const auto with = [&](const std::string& path) {
    std::vector<std::string> arguments = all;
    arguments.push_back(path);
    return arguments;
  };
  expect_refused(with("loop"), "error: cannot write 'loop': Too many levels of symbolic links");
  const std::string name(300, 'n');
  expect_refused(with(name), "error: cannot write '" + name + "': File name too long");
}

TEST_F(Files, AFullDiskIsReportedOnStandardOutputToo) {
  for (const char* arguments :
       {"--help", "--version", "list", "topology zoo", "topology show --topology topology.yaml",
        "topology export --topology topology.yaml", "probe --topology topology.yaml",
        "traffic 'Mesh2D(2,2)' --cycles 100"}) {
    const Finished finished = shell(fmt::format("$K {} > /dev/full", arguments));
    EXPECT_EQ(finished.err, "error: cannot write to standard output: No space left on device\n")
        << arguments;
    EXPECT_EQ(finished.exit_code, 2) << arguments;
  }
}

TEST_F(Files, OfSeveralOutputsNoneIsWrittenIfOneFails) {
  ASSERT_EQ(run({"probe", "--topology", "topology.yaml"}).exit_code, 0);  // keeps the cube mesh
  const auto before = names();
  for (const char* arguments :
       {"traffic 'Mesh2D(2,2)' --cycles 100 --json o --html /dev/full",
        "traffic 'Mesh2D(2,2)' --cycles 100 --json o > /dev/full",
        "probe --topology topology.yaml --json o --plot /dev/full",
        "probe --topology topology.yaml --json o --html p --trace /dev/full",
        "run --topology topology.yaml vector-add --json o --trace /dev/full",
        "run --topology topology.yaml vector-add --html o --oplog /dev/full",
        "run --topology topology.yaml vector-add --json o --export-chakra no/t",
        "topology zoo 'Mesh2D(2,2)' --svg o -o /dev/full"}) {
    const Finished finished = shell(fmt::format("$K {}", arguments));
    EXPECT_EQ(finished.exit_code, 2) << arguments;
    EXPECT_THAT(finished.err, HasSubstr("error: cannot write ")) << arguments;
    EXPECT_EQ(names(), before) << arguments;
  }
  EXPECT_EQ(shell("$K traffic 'Mesh2D(2,2)' --cycles 100 --json o --html p").exit_code, 0);
  EXPECT_EQ(names().size(), before.size() + 2);
}

TEST_F(Files, ClosedAndFullStreamsAreNoInternalError) {
  EXPECT_EQ(shell("$K topology show --node x 2>&-").exit_code, 2);
  EXPECT_EQ(shell("$K topology show --node x 2> /dev/full").exit_code, 2);
  EXPECT_EQ(shell("$K list 2>&-").exit_code, 0);
  const Finished closed = shell("$K list >&-");
  EXPECT_EQ(closed.err, "error: cannot write to standard output: Bad file descriptor\n");
  EXPECT_EQ(closed.exit_code, 2);
}

TEST_F(Files, ASignalLeavesNothingBehindAndEndsWith130) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto before = names();
    Process process(
        {places::kKernbench, "cosim", "--topology",
         places::source("/configs/topology-maze-8x8.yaml"), "--fabric", "cycle", "--workload",
         "concurrent", "--count", "2000000", "--json", "o.json", "--html", "o.html"},
        folder_.path(), scratch());
    for (int i = 0; i < 30'000 && temporary_files() < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(temporary_files(), 2);
    process.send(signal);
    EXPECT_EQ(process.wait().exit_code, 130);
    EXPECT_EQ(names(), before);
  }
}

TEST_F(Files, TheReaderOfAPipeThatLeavesLeavesNothingBehind) {
  (void)shell("$K cosim --topology " + places::source("/configs/topology-maze-8x8.yaml") +
              " --fabric analytic --loads 0.1,0.2 --cycles 20 --json o.json | true");
  EXPECT_EQ(temporary_files(), 0);
}

TEST_F(Files, NumbersAreReadWhole) {
  const auto expect = [&](const char* option, const char* value, const std::string& range) {
    const Finished finished = run({"run", "vector-add", option, value});
    EXPECT_EQ(finished.err, fmt::format("error: {}: must be {}, not '{}'\n"
                                        "Run 'kernbench run --help' for its options.\n",
                                        option, range, value));
    EXPECT_EQ(finished.exit_code, 2);
  };
  for (const char* value : {"nan", "inf", "-1", "0", " 5", "+5", "5 ", "1e400", ""}) {
    expect("--time-limit-us", value, "a number from 0.001 to 1e+09");
    expect("--timeout-s", value, "a number from 0.001 to 1e+07");
  }
  for (const char* value : {" 1", "+1", "\t1", "", "1.0", "-1"}) {
    expect("--device", value, "an integer from 0 to 4294967295");
  }
  EXPECT_EQ(run({"cosim", "--timeout-s", "nan"}).exit_code, 2);
}

TEST_F(Files, FlagsTakeNoValue) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"sim", "--list=5"},
                                                    {"sim", "--list=false"},
                                                    {"evaluate", "all-reduce", "--quick=5"}}) {
    const Finished finished = run(arguments);
    EXPECT_THAT(finished.err, HasSubstr(" takes no value\n"));
    EXPECT_EQ(finished.exit_code, 2);
  }
}

TEST_F(Files, ATensorThatCannotFitIsBadInputThatNamesTheParameterAndItsLimit) {
  const auto refused = [&](const std::string& bench, const std::string& set) {
    const Finished finished =
        run({"run", "--topology", "topology.yaml", bench, "--set", set, "--verify"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    // Without the line of the bench.
    return std::regex_replace(finished.err, std::regex(":[0-9]+, does"), ":LINE, does");
  };
  EXPECT_EQ(refused("softmax", "rows=9000000000000000000"),
            "error: parameter 'rows' is too large: a tensor of 9000000000000000000 x 512 of f16, "
            "made at model/bench/benches/softmax.cpp:LINE, does not fit into sip0, which has room "
            "left for 100663296 rows of it: a tensor has at most 2^60 elements\n");
  EXPECT_EQ(
      refused("softmax", "rows=1000000000"),
      "error: parameter 'rows' is too large: a tensor of 1000000000 x 512 of f16, made at "
      "model/bench/benches/softmax.cpp:LINE, does not fit into sip0, which has room left "
      "for 100663296 rows of it: the HBM slice of sip0.cube0.pe0 is out of memory: "
      "128000000000 bytes asked for, 12884901888 free, 12884901888 in the largest free block\n");
  EXPECT_EQ(refused("vector-add", "columns=9000000000000000000"),
            "error: parameter 'columns' is too large: a tensor of 1024 x 9000000000000000000 of "
            "f32, made at model/bench/benches/vector_add.cpp:LINE, does not fit into sip0, which "
            "has room left for 25165824 columns of it: a tensor has at most 2^60 elements\n");
  EXPECT_EQ(refused("all-to-all", "bytes=9223372036854775808"),
            "error: too large for this system with bytes=9223372036854775808, pes=2: a tensor of "
            "4 x 1152921504606846976 of i32, made at model/bench/benches/all_to_all.cpp:LINE, "
            "does not fit into sip0, which has room left for 3221225472 columns of it: a tensor "
            "has at most 2^60 elements\n");
}

TEST_F(Files, AProcessGroupFileThatIsNotReadIsStillChecked) {
  expect_refused({"run", "--topology", "topology.yaml", "vector-add", "--ccl", "no.yaml"},
                 "error: cannot read 'no.yaml': No such file or directory");
  expect_refused({"run", "--topology", "topology.yaml", "vector-add", "--ccl", "."},
                 "error: cannot read '.': it is a folder");
}

TEST_F(Files, TrafficThatCannotFitIsRefusedWithTheLimit) {
  const auto cosim = [](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"cosim", "--topology", places::source("/configs/topology-maze-8x8.yaml"),
                 "--fabric", "analytic"});
    return more;
  };
  expect_refused(cosim({"--cycles", "1000000000", "--loads", "0.5"}),
                 "error: workload 'uniform_random': its loads make about 32000006400 transfers in "
                 "1000000200 cycles; a run has at most 2000000: reduce --loads, --warmup or "
                 "--cycles");
  expect_refused(
      cosim({"--workload", "concurrent", "--workload", "multicasts", "--count", "1500000"}),
      "error: the workloads have 3000000 transfers; a run has at most 2000000");
  const Finished count = run(cosim({"--workload", "concurrent", "--count", "2000001"}));
  EXPECT_THAT(count.err,
              StartsWith("error: --count: must be an integer from 1 to 2000000, not '2000001'\n"));
  std::vector<std::string> traced = cosim(
      {"--workload", "concurrent", "--count", "5", "--bytes", "1000000", "--trace", "t.json"});
  traced[4] = "cycle";
  expect_refused(traced,
                 "error: --trace: workload 'concurrent' has 5000000 packets; a trace has at most "
                 "4000000");
  expect_refused(cosim({"--calibrate", "p.yaml", "--cycles", "1000000"}),
                 "error: --calibrate: runs of 4000200 cycles have up to 256012800 transfers; a run "
                 "has at most 2000000: reduce --warmup or --cycles");
}

// The sanitizers reserve more address space than any limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Files, TooLittleMemoryIsNoInternalError) {
  const Finished finished = shell("ulimit -v 200000; $K cosim --topology " +
                                  places::source("/configs/topology-maze-8x8.yaml") +
                                  " --fabric analytic --workload concurrent --count 2000000");
  EXPECT_EQ(finished.err, "error: there is not enough memory for this run\n");
  EXPECT_EQ(finished.exit_code, 2);
}
#endif

TEST_F(Files, NamesThatWouldControlTheTerminalAreRefusedOrEscaped) {
  (void)folder_.write("suites.yaml",
                      "name: \"x\\e[2Jy\"\nfabric: {nx: 4, ny: 2}\n"
                      "suites:\n  - {name: \"a\\nb\", kind: connectivity}\n");
  const Finished suites = run({"sim", "suites.yaml", "--list"});
  EXPECT_EQ(suites.err,
            "suites.yaml:1:7: error: 'x\\x1b[2Jy' has a control character\n"
            "    1 | name: \"x\\e[2Jy\"\n"
            "      |       ^\n"
            "  hint: write it on one line of printable characters\n"
            "suites.yaml:4:12: error: 'a\\nb' has a control character\n"
            "    4 |   - {name: \"a\\nb\", kind: connectivity}\n"
            "      |            ^\n"
            "  hint: write it on one line of printable characters\n");
  EXPECT_EQ(suites.exit_code, 2);
  (void)folder_.write("list.txt", "no\x1b[2J\n");
  expect_refused({"coverage", "report", "--list", "list.txt"},
                 "list.txt:1:1: error: file 'no\\x1b[2J' does not exist\n"
                 "    1 | no?[2J\n"
                 "      | ^\n"
                 "  hint: paths are relative to the folder of the list");
}

TEST_F(Files, AReportThatIsNestedTooDeeplyOrHasAHugeNumberIsRefused) {
  (void)folder_.write("deep.json", std::string(10'000'000, '['));
  (void)folder_.write("huge.json", "{\"schema\": 1e400}");
  const std::string deep = "deep.json:1:65: error: nested more than 64 levels deep";
  const std::string huge = "huge.json:1:12: error: the number '1e400' is too large";
  const std::string line =
      "\n    1 | {\"schema\": 1e400}\n"
      "      |            ^";
  for (const auto& [file, message, source] :
       {std::tuple{"deep.json", deep, std::string()}, {"huge.json", huge, line}}) {
    expect_refused({"coverage", "report", file}, message);
    expect_refused({"coverage", "merge", "-o", "o.json", file}, message);
    expect_refused({"replay", file}, message + source);
    expect_refused({"evaluate", "gemm", "--figures", file, "--plots", "plots"}, message + source);
  }
}

}  // namespace
}  // namespace kernbench
