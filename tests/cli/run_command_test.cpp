// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench run` and `kernbench list` as processes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/text_file.hpp"
#include "tests/cli/run_fixture.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using cli_test::RunCommand;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(RunCommand, PrintsWhatEachKernelTookAndWhetherItsNumbersAreRight) {
  const Finished finished = run({"softmax", "--set", "rows=9", "--verify"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              StartsWith("softmax: y = softmax of each row of x, over all PEs\n"
                         "sizes: columns=512 rows=9 rows_at_once=16 split=no type=f16\n"
                         "machine: 2 SIPs of 2x1 cubes of 4 PEs at 1 GHz; HBM of each "
                         "cube 48 GB, 1,024 GB/s\n"
                         "\nregion, its kernels  SIP  cubes  PEs  start (us)  time (us) "));
  EXPECT_THAT(finished.out,
              HasSubstr("\nsoftmax                0      2    8       0.964      0.808 "));
  EXPECT_THAT(finished.out, HasSubstr("\n  softmax              0      2    8 "));
  EXPECT_THAT(finished.out, Not(HasSubstr("skew"))) << "there is one rank";
  EXPECT_THAT(finished.out, HasSubstr("\nPASS  y: 4,608 elements, 0 wrong, "));
  EXPECT_EQ(finished.err, "");
}

TEST_F(RunCommand, WritesTheSameAsJsonInTheProjectsEnvelope) {
  EXPECT_EQ(run({"gemm", "--set", "m=8", "--set", "k=64", "--set", "n=64", "--verify", "--device",
                 "1", "--json", "run.json"})
                .exit_code,
            0);
  const nlohmann::json report = json("run.json");
  EXPECT_EQ(report["kind"], "run");
  EXPECT_EQ(report["outcome"], "pass");
  const nlohmann::json& data = report["data"];
  EXPECT_EQ(data["bench"], "gemm");
  EXPECT_EQ(data["device"], 1);
  EXPECT_EQ(data["parameters"]["m"], "8");
  EXPECT_EQ(data["parameters"]["type"], "f16");
  ASSERT_EQ(data["launches"].size(), 1U);
  const nlohmann::json& launch = data["launches"][0];
  EXPECT_EQ(launch["sip"], 1);
  EXPECT_EQ(launch["macs"], 8 * 64 * 64);
  EXPECT_EQ(launch["written_bytes"], 8 * 64 * 2);
  EXPECT_GT(launch["read_gbs"], 0.0);
  EXPECT_EQ(data["checks"][0]["elements"], 512);
  EXPECT_EQ(data["checks"][0]["wrong"], 0);
  EXPECT_GT(data["flit_hops"], 0);
}

TEST_F(RunCommand, TakesTheSameTimeWithVerificationTraceAndIndex) {
  const std::vector<std::string> plain = {"vector-add", "--json", "plain.json"};
  EXPECT_EQ(run(plain).exit_code, 0);
  EXPECT_EQ(
      run({"vector-add", "--verify", "--trace", "hops.json", "--json", "verified.json"}).exit_code,
      0);
  EXPECT_EQ(json("plain.json")["data"]["end_ps"], json("verified.json")["data"]["end_ps"]);
  const nlohmann::json region = json("plain.json")["data"]["regions"][0];
  const nlohmann::json events = json("hops.json")["traceEvents"];
  ASSERT_GT(events.size(), 3U);
  EXPECT_EQ(events[1]["args"]["name"], "measured on sip0");
  EXPECT_EQ(events[2]["name"], "vector-add");
  EXPECT_NEAR(events[2]["ts"], region["start_ps"].get<double>() / 1e6, 1e-9);
  EXPECT_NEAR(events[2]["dur"], region["time_ps"].get<double>() / 1e6, 1e-9);
}

TEST_F(RunCommand, WritesATimelineOfOperationsOrOfHops) {
  const std::vector<std::string> words = {"softmax",   "--set",   "rows=64",      "--set",
                                          "columns=8", "--trace", "timeline.json"};
  const auto tracks = [&](const std::string& detail) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--trace-detail", detail});
    EXPECT_EQ(run(all).exit_code, 0);
    std::set<std::string> names;
    const nlohmann::json timeline = json("timeline.json");
    for (const nlohmann::json& event : timeline["traceEvents"]) {
      if (event["name"] == "thread_name") names.insert(event["args"]["name"]);
    }
    return names;
  };
  EXPECT_THAT(tracks("operations"), ::testing::Contains("cube1.pe3"));
  EXPECT_THAT(tracks("hops"), ::testing::Contains("sip0.cube1.pe3.pe_math"));
  const Finished refused = run({"softmax", "--trace-detail", "hops"});
  EXPECT_EQ(refused.exit_code, 2);
}

// B has rows of 2048 bytes: with eight channels in turn, a column of it is on one channel.
TEST_F(RunCommand, NamesAKernelThatLoadsTheHbmChannelsUnevenly) {
  for (const bool modulo : {true, false}) {
    (void)folder_.write("one.yaml", fmt::format("system: {{sips: {{count: 1}}}}\n"
                                                "sip: {{cube_mesh: {{w: 1, h: 1}}}}\n"
                                                "cube: {{memory_map: {{hbm_interleave: {}}}}}\n",
                                                modulo ? "modulo" : "hash"));
    const Finished finished = run({"--topology",   "one.yaml",   "gemm",  "--set",     "m=128",
                                   "--set",        "k=128",      "--set", "n=1024",    "--set",
                                   "b=everywhere", "--set",      "c=row", "--set",     "tile_k=64",
                                   "--set",        "tile_n=128", "--set", "rotate=no", "--set",
                                   "cubes=1",      "--set",      "pes=8", "--json",    "run.json"});
    EXPECT_EQ(finished.exit_code, 0);
    const std::string sentence =
        "kernel 'gemm' on SIP 0 loads the HBM channels unevenly: the fullest channel of an access "
        "has 7.30 times the mean";
    if (modulo) {
      EXPECT_THAT(finished.out, EndsWith(" flit-hops\n" + sentence + "\n"));
      EXPECT_EQ(finished.err, "warning: " + sentence +
                                  "; 'hbm_interleave: hash' in cube.memory_map loads them evenly "
                                  "at any row stride\n");
    } else {
      EXPECT_THAT(finished.out, EndsWith(" flit-hops\n"));
      EXPECT_EQ(finished.err, "");
    }
    const double figure = json("run.json")["data"]["launches"][0]["hbm_fullest_channel"];
    EXPECT_NEAR(figure, modulo ? 7.3 : 1.45, 1e-12);
  }
}

TEST_F(RunCommand, TakesTheShapeOfAHuggingFaceModel) {
  (void)folder_.write("config.json", R"({"model_type": "llama", "hidden_size": 64,
"intermediate_size": 96, "num_attention_heads": 8, "num_hidden_layers": 1, "vocab_size": 64})");
  const Finished finished = run({"transformer", "--set", "model=config.json", "--set", "prompt=3"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
}

TEST_F(RunCommand, LetsTokensChooseExpertsByLiveNumbers) {
  std::vector<std::string> arguments = {
      "transformer", "--set",    "model=configs/models/tiny-experts.yaml",
      "--set",       "prompt=3", "--set",
      "decode=1",    "--set",    "layers=1",
      "--verify",    "--set",    "decode_by=argmax"};
  Finished finished = run(arguments);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "error: the tokens of 'tiny-experts' choose their experts by numbers: compute them "
            "while kernels run with `--data live`, or draw the experts with routing=drawn\n");
  arguments.insert(arguments.end(), {"--data", "live"});
  finished = run(arguments);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\nPASS  chosen experts: 8 elements, 0 wrong, "));
  EXPECT_THAT(finished.out, HasSubstr("\nPASS  chosen words: 4 elements, 0 wrong, "));
}

TEST_F(RunCommand, ShowsTheFiguresOfABench) {
  const Finished finished = run({"transformer", "--set", "prompt=3", "--set", "decode=2", "--set",
                                 "layers=1", "--json", "run.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const nlohmann::json data = json("run.json")["data"];
  const double first = data["regions"][0]["time_ps"].get<double>() / 1e6;
  const double others =
      (data["regions"][1]["time_ps"].get<double>() + data["regions"][2]["time_ps"].get<double>()) /
      1e6;
  ASSERT_EQ(data["figures"].size(), 4U);
  EXPECT_EQ(data["figures"][0]["name"], "time to first token");
  EXPECT_EQ(data["figures"][0]["unit"], "us");
  EXPECT_NEAR(data["figures"][0]["value"], first, 1e-9);
  EXPECT_NEAR(data["figures"][1]["value"], others / 2.0, 1e-9);
  EXPECT_NEAR(data["figures"][2]["value"], 4.0 / others * 1e6, 1e-3);
  EXPECT_THAT(finished.out, HasSubstr(fmt::format("\ntime to first token: {:.3f} us\n"
                                                  "time per token: {:.3f} us\n",
                                                  first, others / 2.0)));
}

TEST_F(RunCommand, ShowsRegionsTheirSkewAndWhatIsNotMeasured) {
  for (const bool upload : {false, true}) {
    std::vector<std::string> arguments = {"all-reduce", "--set",  "bytes=4096", "--ccl",
                                          "ccl.yaml",   "--json", "run.json"};
    if (upload) arguments.emplace_back("--upload");
    (void)folder_.write("ccl.yaml", "backend: ahbm\n");
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(finished.out, HasSubstr("\nall-reduce            0-1      4   16 "));
    EXPECT_THAT(finished.out, HasSubstr("\n  recursive-doubling    0      2    8 "));
    EXPECT_THAT(finished.out, HasSubstr("\n  skew between ranks 0."));
    EXPECT_THAT(finished.out, HasSubstr("\nnot measured: 2 launches (fill)\n"));
    EXPECT_THAT(finished.out, HasSubstr("\nall_reduce of 4,096 bytes in group 'world': "
                                        "recursive-doubling, SIPs as hypercube, root cube "));
    const nlohmann::json data = json("run.json")["data"];
    EXPECT_EQ(data["choices"][0]["algorithm"], "recursive-doubling");
    EXPECT_EQ(data["uploaded"], upload);
    ASSERT_EQ(data["regions"].size(), 1U);
    const nlohmann::json& region = data["regions"][0];
    EXPECT_EQ(region["name"], "all-reduce");
    ASSERT_EQ(region["ranks"].size(), 2U);
    const std::int64_t start = region["start_ps"];
    const std::int64_t first = region["ranks"][0]["end_ps"];
    const std::int64_t second = region["ranks"][1]["end_ps"];
    EXPECT_EQ(region["time_ps"], std::max(first, second) - start);
    EXPECT_EQ(region["skew_ps"], std::abs(first - second));
    EXPECT_EQ(data["launches"][0]["region"], nullptr);
    EXPECT_EQ(data["launches"][2]["region"], 0);
    EXPECT_EQ(data["launches"][2]["start_ps"], start);
    EXPECT_EQ(data["launches"][3]["start_ps"], start);
  }
}

TEST_F(RunCommand, ExplainsTheTimeOfARegion) {
  const Finished plain = run({"vector-add", "--set", "rows=64"});
  const Finished finished =
      run({"vector-add", "--set", "rows=64", "--explain", "--json", "run.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith(plain.out));
  EXPECT_THAT(finished.out,
              HasSubstr("\ncritical path of region 'vector-add': 0.775 us in 41 steps\n"
                        "  limited by: latency of messages and accesses (73 %), bandwidth of "
                        "hbm_ctrl (9 %), bandwidth of\n    pe_tcm (6 %)\n"
                        "  by component  us\n"
                        "           0.200   25.8 %  overhead of switch\n"));
  EXPECT_THAT(finished.out,
              HasSubstr("\n           0.139   18.0 %  in 45 smaller parts\n  by operation  us\n"));
  EXPECT_THAT(finished.out, HasSubstr("\n  by PE         us\n"
                                      "           0.447   57.6 %  outside of PEs\n"
                                      "           0.328   42.4 %  sip0.cube1.pe3\n"
                                      "  by link       us\n"));
  const nlohmann::json data = json("run.json")["data"];
  ASSERT_EQ(data["explanations"].size(), 1U);
  const nlohmann::json& path = data["explanations"][0];
  EXPECT_EQ(path["of"], "region 'vector-add'");
  EXPECT_EQ(path["start_ps"], data["regions"][0]["start_ps"]);
  EXPECT_EQ(path["time_ps"], data["regions"][0]["time_ps"]);
  EXPECT_EQ(path["unnamed_ps"], 0);
  for (const char* parts : {"by_limit", "by_component", "by_operation", "by_pe"}) {
    std::int64_t sum = 0;
    for (const nlohmann::json& part : path[parts]) sum += part["time_ps"].get<std::int64_t>();
    EXPECT_EQ(sum, path["time_ps"].get<std::int64_t>()) << parts;
  }
}

TEST_F(RunCommand, ShowsThePathOverTimeAndTheLaunchesOnTheirRooflines) {
  const Finished finished =
      run({"vector-add", "--set", "rows=64", "--explain", "--json", "run.json"});
  EXPECT_THAT(finished.out, EndsWith("\nlaunches and their limits: the longest of each kernel\n"
                                     "  vector-add                0.775 us  far from all limits: "
                                     "the nearest is HBM with 12 %\n"));
  const nlohmann::json data = json("run.json")["data"];
  const nlohmann::json& path = data["explanations"][0];
  std::int64_t at = path["start_ps"];
  std::map<std::string, std::int64_t> links;
  for (const nlohmann::json& window : path["over_time"]) {
    EXPECT_EQ(window["start_ps"], at);
    std::int64_t sum = 0;
    for (const nlohmann::json& part : window["by_limit"])
      sum += part["time_ps"].get<std::int64_t>();
    EXPECT_EQ(sum, window["time_ps"].get<std::int64_t>());
    for (const nlohmann::json& part : window["by_link"]) {
      links[part["name"]] += part["time_ps"].get<std::int64_t>();
    }
    at += sum;
  }
  EXPECT_EQ(at, path["start_ps"].get<std::int64_t>() + path["time_ps"].get<std::int64_t>());
  EXPECT_GT(path["over_time"].size(), 16U);
  EXPECT_EQ(links.size(), path["by_link"].size());
  for (const nlohmann::json& link : path["by_link"]) {
    EXPECT_EQ(links[link["name"]], link["time_ps"].get<std::int64_t>());
  }
  EXPECT_EQ(data["rooflines"].size(), data["launches"].size());
}

TEST_F(RunCommand, WritesAPageOfWhereTheTimeWent) {
  const Finished plain = run({"gemm"});
  const Finished finished = run({"gemm", "--html", "run.html"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, plain.out);
  const std::string page = common::read_text_file(folder_.path() / "run.html");
  EXPECT_THAT(page, HasSubstr("<h2>Region &#39;gemm&#39;: critical path</h2>"));
  EXPECT_THAT(page, HasSubstr("bandwidth of wires router_mesh</td><td class=\"n\">"));
  EXPECT_THAT(page, HasSubstr(">limit</th></tr></thead>"));
  EXPECT_THAT(page, HasSubstr(" --html run.html</code>"));
  // Ten links, numbered in the picture and in the table.
  EXPECT_EQ(count(page, "<circle class=\"number\""), count(page, "<path class=\"way\""));
  EXPECT_THAT(page, HasSubstr("<tr><td class=\"n\">10</td><td>"));
  EXPECT_THAT(page, Not(HasSubstr("<tr><td class=\"n\">11</td><td>")));
  EXPECT_EQ(count(page, "<script>"), 1U) << "the page loads nothing";
  EXPECT_THAT(page, Not(HasSubstr("http")));
}

TEST_F(RunCommand, VerifyingNothingIsVacuous) {
  const Finished finished =
      run({"vector-add", "--set", "rows=0", "--verify", "--json", "run.json"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("\nVACUOUS  z: 0 elements, 0 wrong, "));
  EXPECT_EQ(finished.err,
            "error: bench 'vector-add': --verify compared no numbers: the expected tensors have no "
            "elements with columns=256, rows=0\n");
  EXPECT_EQ(json("run.json")["outcome"], "vacuous");
}

TEST_F(RunCommand, LookingForRacesWithoutAccessesIsVacuous) {
  const Finished finished = run({"vector-add", "--set", "rows=0", "--races", "--json", "run.json"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, EndsWith("\nVACUOUS  races: 0 between 0 accesses of 0 PEs\n"));
  EXPECT_EQ(finished.err,
            "error: bench 'vector-add': --races compared no accesses: the kernels access no HBM or "
            "SRAM\n");
  EXPECT_EQ(json("run.json")["outcome"], "vacuous");
}

TEST_F(RunCommand, EveryShippedBenchHasNoRaces) {
  const std::vector<std::vector<std::string>> benches = {
      {"all-reduce", "bytes=4096"},
      {"all-to-all", "bytes=1024"},
      {"attention", "queries=40", "keys=48"},
      {"attention-grouped", "context=40", "size=8"},
      {"collective", "collective=all_to_all", "bytes=256"},
      {"copy-bandwidth", "to=1024", "programs=all"},
      {"gemm", "m=40", "k=72", "n=48"},
      {"gemm-batched", "m=20", "k=24", "n=16"},
      {"gemm-epilogue", "m=40", "k=72", "n=48"},
      {"gemm-quantized", "m=8", "k=72", "n=256", "weights=f8e4m3"},
      {"layernorm", "rows=40"},
      {"mlp", "batch=8"},
      {"rmsnorm", "rows=40"},
      {"softmax", "rows=40"},
      {"transformer", "prompt=3", "decode=1", "layers=1"},
      {"vector-add", "rows=40"}};
  const std::string list = cli_test::kernbench({"list"}, folder_.path(), folder_.path()).out;
  EXPECT_THAT(list, HasSubstr(fmt::format("\n{:>3}  {}", benches.size() - 1, "vector-add")))
      << "a bench is missing here";
  for (const std::vector<std::string>& bench : benches) {
    std::vector<std::string> words = {bench[0], "--races"};
    for (std::size_t i = 1; i < bench.size(); ++i) words.insert(words.end(), {"--set", bench[i]});
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 0) << bench[0] << finished.err;
    EXPECT_THAT(finished.out, HasSubstr("\nPASS  races: 0 between ")) << bench[0];
  }
}

TEST_F(RunCommand, ABenchThatAsksForNothingIsVacuous) {
  const Finished finished = run({"copy-bandwidth", "--set", "from=1000", "--set", "to=999"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err, "error: bench 'copy-bandwidth' submitted no operation\n");
}

TEST_F(RunCommand, ABrokenTopologyIsReportedByItsLineAndNothingIsWritten) {
  (void)folder_.write("broken.yaml",
                      "sip: {cube_mesh: {w: 2, h: 1}}\n"
                      "cube:\n"
                      "  pe_layuot: {pe_per_corner: 1}\n");
  std::filesystem::create_directories(folder_.path() / "scratch");
  const Finished finished =
      cli_test::kernbench({"run", "--topology", "broken.yaml", "vector-add", "--verify", "--json",
                           "run.json", "--trace", "hops.json", "--oplog", "operations.json"},
                          folder_.path(), folder_.path() / "scratch");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, StartsWith("broken.yaml:3:3: error: "));
  EXPECT_THAT(finished.err, HasSubstr("'pe_layuot'"));
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(cli_test::files_under(folder_.path()),
              ::testing::ElementsAre("broken.yaml", "scratch/stderr", "scratch/stdout"));
}

TEST_F(RunCommand, TheOpLogHasAsManyOperationsAsTheTerminalSays) {
  const Finished finished = run({"vector-add", "--oplog", "operations.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const nlohmann::json log = json("operations.json");
  EXPECT_EQ(log["kind"], "op-log");
  EXPECT_EQ(log["outcome"], "pass");
  const nlohmann::json& records = log["data"]["records"];
  ASSERT_GT(records.size(), 0U);
  EXPECT_THAT(finished.out,
              HasSubstr(fmt::format(" us in all (exact), {} operations, {} tile stages, ",
                                    records.size(), log["data"]["stages"].size())));
}

TEST_F(RunCommand, TheOpLogHasTheSameBytesInEachRun) {
  std::vector<nlohmann::json> operations;
  for (const bool verify : {false, true}) {
    std::vector<std::string> words = {"vector-add", "--oplog", "operations.json"};
    if (verify) words.emplace_back("--verify");
    EXPECT_EQ(run(words).exit_code, 0);
    const std::string first = common::read_text_file(folder_.path() / "operations.json");
    std::filesystem::remove(folder_.path() / "operations.json");
    EXPECT_EQ(run(words).exit_code, 0);
    EXPECT_TRUE(common::read_text_file(folder_.path() / "operations.json") == first)
        << (verify ? "with --verify" : "without --verify");
    operations.push_back(json("operations.json")["data"]);
  }
  EXPECT_TRUE(operations[0] == operations[1]) << "verification changes what is logged";
}

TEST_F(RunCommand, ListShowsBenchesWithTheirParameters) {
  const Finished finished = cli_test::kernbench({"list"}, folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("  softmax "));
  EXPECT_THAT(finished.out, HasSubstr("rows_at_once"));
  const Finished one = cli_test::kernbench({"list", "softmax"}, folder_.path(), folder_.path());
  EXPECT_THAT(finished.out, HasSubstr(one.out.substr(0, one.out.find("\nEvery bench also has:"))));
  EXPECT_THAT(one.out, HasSubstr("  softmax "));
  EXPECT_THAT(one.out, Not(HasSubstr("  vector-add ")));
  const Finished none = cli_test::kernbench({"list", "softmix"}, folder_.path(), folder_.path());
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("error: unknown bench 'softmix'; did you mean 'softmax'?"));
}

struct Refusal {
  std::vector<std::string> arguments;
  std::string message;
};

TEST_F(RunCommand, RefusesWhatIsNotThere) {
  const Refusal refusals[] = {
      {{"sotfmax"}, "unknown bench 'sotfmax'; did you mean 'softmax'?\n"},
      {{"softmax", "--set", "row=3"},
       "bench 'softmax' has no parameter 'row'; it has rows, columns, type, rows_at_once, split, "
       "cubes, pes; "
       "did "
       "you mean 'rows'?\n"},
      {{"softmax", "--set", "rows=many", "--set", "type"}, "--set takes NAME=VALUE, not 'type'\n"},
      {{"softmax", "--set", "rows=many"},
       "parameter 'rows' must be a whole number such as 1024, not 'many'\n"},
      {{"softmax", "--set", "type=f8"},
       "parameter 'type' must be one of f32, f16, bf16, i32, i8, f8e4m3, f8e5m2, i4, not 'f8'\n"},
      {{"softmax", "--device", "2"}, "unknown device 2; the system has SIPs 0 to 1\n"},
  };
  for (const Refusal& refusal : refusals) {
    const Finished finished = run(refusal.arguments);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.err, "error: " + refusal.message);
    EXPECT_EQ(finished.out, "");
  }
}

}  // namespace
}  // namespace kernbench
