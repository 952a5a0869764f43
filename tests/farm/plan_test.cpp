// SPDX-License-Identifier: Apache-2.0
// Plans: the points of each kind of sample, the words of a point, and every kind of error.
#include "farm/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/common/expect_bad_input.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const std::string kHead = "command: [run, gemm]\n";
const std::string kTargets = "targets: {data.end_ps: min}\n";

/// Returns the points of a plan as "a b" each.
std::vector<std::string> points_of(const std::string& middle) {
  std::vector<std::string> points;
  for (const PlanPoint& point : parse_plan(kHead + middle + kTargets, "p.yaml").points) {
    std::string text;
    for (const Value& value : point) text += (text.empty() ? "" : " ") + value.text;
    points.push_back(text);
  }
  return points;
}

std::string error_of(const std::string& text) {
  return common::bad_input_of([&] { (void)parse_plan(text, "p.yaml"); });
}

TEST(Plan, AGridHasAllCombinationsAndChangesTheLastParameterFastest) {
  EXPECT_THAT(points_of("parameters: {bench.m: [8, 16], bench.type: [f16, f32]}\n"),
              ElementsAre("8 f16", "8 f32", "16 f16", "16 f32"));
}

TEST(Plan, ARangeHasStepsOrACountAndOneOfTwoScales) {
  EXPECT_THAT(points_of("parameters: {bench.m: {from: 1, to: 2, step: 0.25}}\n"),
              ElementsAre("1", "1.25", "1.5", "1.75", "2"));
  EXPECT_THAT(points_of("parameters: {bench.m: {from: 0.1, to: 0.35, step: 0.1}}\n"),
              ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(points_of("parameters: {bench.m: {from: 0, to: 10, count: 5}}\n"),
              ElementsAre("0", "2.5", "5", "7.5", "10"));
  EXPECT_THAT(points_of("parameters: {bench.m: {from: 1, to: 1024, count: 11, scale: log}}\n"),
              ElementsAre("1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024"));
  EXPECT_THAT(
      points_of("parameters: {bench.m: {from: 1, to: 8, count: 7, scale: log, whole: true}}\n"),
      ElementsAre("1", "2", "3", "4", "6", "8"));
  EXPECT_THAT(points_of("parameters: {bench.m: {from: 3, to: 3, count: 4}}\n"), ElementsAre("3"));
}

TEST(Plan, ConstraintsRemovePointsOfAGrid) {
  EXPECT_THAT(points_of("parameters: {bench.m: [1, 2, 3], bench.n: [1, 2, 3]}\n"
                        "constraints: ['bench.m * bench.n <= 4', bench.m != bench.n]\n"),
              ElementsAre("1 2", "1 3", "2 1", "3 1"));
  EXPECT_THAT(points_of("parameters: {bench.m: [1, 2], bench.type: [f16, f32]}\n"
                        "constraints: [bench.type == f16]\n"),
              ElementsAre("1 f16", "2 f16"));
}

TEST(Plan, AListHasItsPoints) {
  EXPECT_THAT(points_of("list: [{bench.m: 1, seed: 5}, {seed: 6, bench.m: 2}]\n"),
              ElementsAre("1 5", "2 6"));
}

TEST(Plan, ARandomSampleDependsOnItsSeedOnlyAndHasDifferentPoints) {
  const std::string parameters =
      "parameters: {bench.m: [1, 2, 3, 4], bench.n: {from: 0, to: 1}}\n"
      "constraints: [bench.m > 1]\n";
  const std::vector<std::string> points =
      points_of(parameters + "sample: {kind: random, points: 3, seed: 7}\n");
  EXPECT_THAT(points, ElementsAre("4 0.999613389028", "4 0.626410271602", "4 0.765447426274"));
  EXPECT_EQ(points, points_of(parameters + "sample: {kind: random, points: 3, seed: 7}\n"));
  EXPECT_NE(points, points_of(parameters + "sample: {kind: random, points: 3, seed: 8}\n"));
  EXPECT_THAT(points_of("parameters: {bench.m: [1, 2, 3, 4, 5]}\n"
                        "sample: {kind: random, points: 5, seed: 1}\n"),
              ::testing::UnorderedElementsAre("1", "2", "3", "4", "5"));
}

TEST(Plan, ALatinHypercubeHasOnePointInEachPartOfEachParameter) {
  const Plan plan = parse_plan(kHead +
                                   "parameters: {bench.m: {from: 0, to: 8}, bench.n: [1, 2]}\n"
                                   "sample: {kind: latin-hypercube, points: 8, seed: 3}\n" +
                                   kTargets,
                               "p.yaml");
  ASSERT_THAT(plan.points, SizeIs(8));
  std::vector<int> parts(8);
  std::vector<int> values(3);
  for (const PlanPoint& point : plan.points) {
    ++parts.at(static_cast<std::size_t>(*point[0].number));
    ++values.at(static_cast<std::size_t>(*point[1].number));
  }
  EXPECT_THAT(parts, ::testing::Each(1));
  EXPECT_THAT(values, ElementsAre(0, 4, 4));
}

TEST(Plan, ALatinHypercubeHasAllItsPointsAlsoIfAConstraintRefusesSome) {
  const Plan plan =
      parse_plan(kHead +
                     "parameters: {bench.m: {from: 0, to: 8}, bench.n: {from: 0, to: 8}}\n"
                     "sample: {kind: latin-hypercube, points: 40, seed: 3}\n"
                     "constraints: ['bench.m <= bench.n']\n" +
                     kTargets,
                 "p.yaml");
  ASSERT_THAT(plan.points, SizeIs(40));
  for (const PlanPoint& point : plan.points) EXPECT_LE(*point[0].number, *point[1].number);
}

TEST(Plan, ALatinHypercubeThatCannotHaveItsPointsIsRefused) {
  EXPECT_EQ(error_of(kHead +
                     "parameters: {bench.m: [1, 2], bench.n: [1, 2]}\n"
                     "sample: {kind: latin-hypercube, points: 5, seed: 3}\n" +
                     kTargets),
            "p.yaml:3:9: error: only 4 of 5 points differ and satisfy the constraints\n"
            "    3 | sample: {kind: latin-hypercube, points: 5, seed: 3}\n"
            "      |         ^");
}

TEST(Plan, AParameterBecomesASettingAnOptionOrAFlag) {
  const Plan plan = parse_plan(
      kHead +
          "parameters: {bench.m: [8], topology.pe.clock_ghz: [2], seed: [3], verify: [true, "
          "false]}\n" +
          kTargets,
      "p.yaml");
  EXPECT_THAT(words_of(plan, plan.points[0]),
              ElementsAre("run", "gemm", "--set=m=8", "--set=topology.pe.clock_ghz=2", "--seed=3",
                          "--verify"));
  EXPECT_THAT(words_of(plan, plan.points[1]),
              ElementsAre("run", "gemm", "--set=m=8", "--set=topology.pe.clock_ghz=2", "--seed=3"));
}

TEST(Plan, APointOfSimHasAFolderOfItsOwn) {
  const Plan plan = parse_plan(
      "command: [sim, --seeds, 1]\nparameters: {suite: [a, b/c]}\n" + kTargets, "/x/depth.yaml");
  EXPECT_THAT(words_of(plan, plan.points[1]), ElementsAre("sim", "--seeds", "1", "--suite=b/c",
                                                          "--report=depth.reports/suite=b_c"));
  EXPECT_EQ(report_folder(plan, plan.points[0]), "depth.reports/suite=a");
}

TEST(Plan, ABenchIsAnArgument) {
  const Plan plan = parse_plan(
      "command: [run]\nparameters: {bench: [gemm, mlp], device: [1]}\n" + kTargets, "p.yaml");
  EXPECT_THAT(words_of(plan, plan.points[1]), ElementsAre("run", "mlp", "--device=1"));
}

TEST(Plan, ReportsAllErrorsOfAFileAtOnce) {
  EXPECT_EQ(error_of("comand: [run]\nparameters: {bench.m: []}\ntargets: {data.end_ps: least}\n"),
            "p.yaml:1:1: error: missing key 'command'\n"
            "    1 | comand: [run]\n"
            "      | ^\n"
            "  hint: it must be a list of at least 1 item\n"
            "p.yaml:1:1: error: unknown key 'comand'\n"
            "    1 | comand: [run]\n"
            "      | ^\n"
            "  hint: did you mean 'command'?\n"
            "p.yaml:2:23: error: 'bench.m' must be a list of at least 1 item, not of 0\n"
            "    2 | parameters: {bench.m: []}\n"
            "      |                       ^\n"
            "p.yaml:3:24: error: 'data.end_ps' must be one of min, max, none, not 'least'\n"
            "    3 | targets: {data.end_ps: least}\n"
            "      |                        ^");
}

TEST(Plan, RefusesParametersThatCannotBe) {
  EXPECT_EQ(error_of(kHead + "parameters:\n  bench.m: [1]\n  bench.m: [2]\n" + kTargets),
            "p.yaml:4:3: error: duplicate key 'bench.m'\n"
            "    4 |   bench.m: [2]\n"
            "      |   ^\n"
            "  hint: first given in line 3");
  EXPECT_EQ(error_of(kHead + "parameters:\n  bench.m: [1, 2, 1]\n" + kTargets),
            "p.yaml:3:19: error: the value '1' is in the list twice\n"
            "    3 |   bench.m: [1, 2, 1]\n"
            "      |                   ^\n"
            "  hint: remove one of them");
  EXPECT_EQ(
      error_of(kHead + "parameters:\n  data.m: [1]\n" + kTargets),
      "p.yaml:3:11: error: 'data.m' is not a parameter\n"
      "    3 |   data.m: [1]\n"
      "      |           ^\n"
      "  hint: topology.KEY of a topology file, bench.NAME of a bench, or an option without '--'");
  EXPECT_EQ(error_of(kHead + "parameters:\n  json: [a.json]\n" + kTargets),
            "p.yaml:3:9: error: a sweep does not take '--json' of a command\n"
            "    3 |   json: [a.json]\n"
            "      |         ^\n"
            "  hint: results are in the database of the sweep");
  EXPECT_EQ(error_of(kHead + "parameters:\n  bench: [gemm]\n" + kTargets),
            "p.yaml:3:10: error: 'bench' is already set in 'command'\n"
            "    3 |   bench: [gemm]\n"
            "      |          ^");
  EXPECT_EQ(error_of("command: [run, --set, m=1]\nparameters:\n  bench.m: [1]\n" + kTargets),
            "p.yaml:3:12: error: 'bench.m' is already set in 'command'\n"
            "    3 |   bench.m: [1]\n"
            "      |            ^");
  EXPECT_EQ(error_of(kHead + "parameters:\n  outcome: [1]\n" + kTargets),
            "p.yaml:3:3: error: 'outcome' is already a column of the table of results\n"
            "    3 |   outcome: [1]\n"
            "      |   ^");
  EXPECT_EQ(error_of(kHead + "parameters: {}\n" + kTargets),
            "p.yaml:2:13: error: 'parameters' is empty\n"
            "    2 | parameters: {}\n"
            "      |             ^");
}

TEST(Plan, RefusesRangesThatCannotBe) {
  const auto range = [](const std::string& text) {
    return error_of(kHead + "parameters:\n  bench.m: " + text + "\n" + kTargets);
  };
  EXPECT_EQ(range("{from: 4, to: 3, step: 1}"),
            "p.yaml:3:26: error: the range is empty: 'to' (3) is below 'from' (4)\n"
            "    3 |   bench.m: {from: 4, to: 3, step: 1}\n"
            "      |                          ^");
  EXPECT_EQ(range("{from: 1, to: 3}"),
            "p.yaml:3:26: error: a range of a grid needs 'step' or 'count'\n"
            "    3 |   bench.m: {from: 1, to: 3}\n"
            "      |                          ^");
  EXPECT_EQ(range("{from: 1, to: 3, step: 1, count: 2}"),
            "p.yaml:3:45: error: 'step' and 'count' exclude each other\n"
            "    3 |   bench.m: {from: 1, to: 3, step: 1, count: 2}\n"
            "      |                                             ^");
  EXPECT_EQ(range("{from: 0, to: 3, count: 2, scale: log}"),
            "p.yaml:3:19: error: a range with 'scale: log' begins above 0\n"
            "    3 |   bench.m: {from: 0, to: 3, count: 2, scale: log}\n"
            "      |                   ^");
  EXPECT_EQ(range("{from: 1, to: 3, step: 1, scale: log}"),
            "p.yaml:3:35: error: a range with 'scale: log' takes 'count' instead of 'step'\n"
            "    3 |   bench.m: {from: 1, to: 3, step: 1, scale: log}\n"
            "      |                                   ^");
  EXPECT_EQ(range("{from: 1, to: 3, step: 0}"),
            "p.yaml:3:35: error: 'step' must be a number above 0, not '0'\n"
            "    3 |   bench.m: {from: 1, to: 3, step: 0}\n"
            "      |                                   ^");
}

TEST(Plan, RefusesSamplesWithoutPoints) {
  EXPECT_EQ(
      error_of(kHead + "parameters: {bench.m: [1, 2]}\nconstraints: [bench.m > 2]\n" + kTargets),
      "p.yaml:3:14: error: no point satisfies the constraints\n"
      "    3 | constraints: [bench.m > 2]\n"
      "      |              ^");
  EXPECT_EQ(error_of(kHead + "parameters: {bench.m: [1, 2]}\nsample: {kind: random, points: 3}\n" +
                     kTargets),
            "p.yaml:3:9: error: only 2 of 3 points differ and satisfy the constraints\n"
            "    3 | sample: {kind: random, points: 3}\n"
            "      |         ^");
  EXPECT_EQ(error_of(kHead + "list: [{bench.m: 1}, {bench.n: 2}]\n" + kTargets),
            "p.yaml:2:22: error: the point has no value for 'bench.m'\n"
            "    2 | list: [{bench.m: 1}, {bench.n: 2}]\n"
            "      |                      ^\n"
            "p.yaml:2:32: error: the first point has no value for 'bench.n'\n"
            "    2 | list: [{bench.m: 1}, {bench.n: 2}]\n"
            "      |                                ^");
  EXPECT_EQ(error_of(kHead + "list: [{bench.m: 1}, {bench.m: 1}]\n" + kTargets),
            "p.yaml:2:22: error: the point is in the list twice\n"
            "    2 | list: [{bench.m: 1}, {bench.m: 1}]\n"
            "      |                      ^");
  EXPECT_EQ(error_of(kHead + "list: [{bench.m: 1}]\nparameters: {bench.n: [1]}\n" + kTargets),
            "p.yaml:2:7: error: 'parameters' and 'list' exclude each other\n"
            "    2 | list: [{bench.m: 1}]\n"
            "      |       ^");
}

TEST(Plan, RefusesConstraintsThatAreNotComparisonsOfItsParameters) {
  const auto constraint = [](const std::string& text) {
    return error_of(kHead + "parameters: {bench.mm: [1]}\nconstraints: ['" + text + "']\n" +
                    kTargets);
  };
  EXPECT_EQ(constraint("bench.mn < 3"),
            "p.yaml:3:15: error: 'bench.mn' is neither a parameter nor a target of the plan; did "
            "you mean "
            "'bench.mm'?\n"
            "    3 | constraints: ['bench.mn < 3']\n"
            "      |               ^");
  EXPECT_EQ(
      constraint("bench.mm < 3 < 4"),
      "p.yaml:3:15: error: 'bench.mm < 3 < 4' is not an expression: it compares a comparison; "
      "join them with &&\n"
      "    3 | constraints: ['bench.mm < 3 < 4']\n"
      "      |               ^");
  EXPECT_EQ(constraint("bench.mm <"),
            "p.yaml:3:15: error: 'bench.mm <' is not an expression: it is not complete, or two "
            "values or two operators stand side by side\n"
            "    3 | constraints: ['bench.mm <']\n"
            "      |               ^");
  EXPECT_EQ(constraint("bench.mm"),
            "p.yaml:3:15: error: 'bench.mm' is not a comparison, such as 'bench.m * bench.n <= "
            "4096'\n"
            "    3 | constraints: ['bench.mm']\n"
            "      |               ^");
}

TEST(Plan, TargetsAreFieldsOrExpressionsWithAUnit) {
  const Plan plan = parse_plan(kHead +
                                   "parameters: {bench.m: [1, 2]}\n"
                                   "constraints: [bench.m < 2, time < 3 us]\n"
                                   "targets:\n"
                                   "  time: {of: data.end_ps / 1e6, goal: min, unit: us}\n"
                                   "  data.flit_hops: none\n",
                               "p.yaml");
  ASSERT_THAT(plan.targets, SizeIs(2));
  EXPECT_EQ(plan.targets[0].name, "time");
  EXPECT_EQ(plan.targets[0].of, "data.end_ps / 1e6");
  EXPECT_EQ(plan.targets[0].time_unit(), "us");
  EXPECT_EQ(plan.targets[1].name, "data.flit_hops");
  EXPECT_THAT(plan.limits, ElementsAre("time < 3 us"));
  EXPECT_THAT(plan.points, SizeIs(1));
  EXPECT_EQ(error_of(kHead + "parameters: {bench.m: [1]}\ntargets: {t: {of: 3 *}}\n"),
            "p.yaml:3:19: error: '3 *' is not an expression: it is not complete, or two values or "
            "two operators stand side by side\n"
            "    3 | targets: {t: {of: 3 *}}\n"
            "      |                   ^");
}

TEST(Plan, ASearchHasAScreening) {
  const Plan plan = parse_plan(
      kHead + "parameters: {bench.m: [1, 2]}\nsample: {kind: search, points: 5}\n" + kTargets,
      "p.yaml");
  EXPECT_EQ(plan.search->most_points, 5U);
  EXPECT_THAT(screening_of(plan).command, ElementsAre("run", "gemm", "--fidelity=message"));
  const Plan other = parse_plan(
      "command: [serve]\nparameters: {max-batch: [1, 2]}\nsample: {kind: search, points: 5, "
      "screen: "
      "{seconds: 0.1, bench.layers: 1}}\ntargets: {a: min}\n",
      "p.yaml");
  EXPECT_THAT(screening_of(other).command, ElementsAre("serve", "--seconds=0.1", "--set=layers=1"));
  EXPECT_EQ(error_of("command: [serve]\nparameters: {max-batch: [1, 2]}\n"
                     "sample: {kind: search, points: 5}\ntargets: {a: none}\n"),
            "p.yaml:3:9: error: a search of 'serve' needs 'screen'\n"
            "    3 | sample: {kind: search, points: 5}\n"
            "      |         ^\n"
            "  hint: options that make a run a cheap estimate, such as {seconds: 0.01} of serve\n"
            "p.yaml:4:10: error: a search needs a target that is to be small or large\n"
            "    4 | targets: {a: none}\n"
            "      |          ^");
  EXPECT_EQ(error_of(kHead +
                     "parameters: {seed: [1, 2]}\n"
                     "sample: {kind: search, points: 5, screen: {seed: 3}}\n" +
                     kTargets),
            "p.yaml:3:50: error: 'seed' is a parameter of the plan\n"
            "    3 | sample: {kind: search, points: 5, screen: {seed: 3}}\n"
            "      |                                                  ^");
}

TEST(Plan, RefusesCommandsThatWriteNoReportAndOptionsOfTheSweep) {
  EXPECT_EQ(error_of("command: [web]\nparameters: {seed: [1]}\n" + kTargets),
            "p.yaml:1:11: error: item 1 of 'command' must be one of run, serve, traffic, probe, "
            "evaluate, cosim, sim, not 'web'\n"
            "    1 | command: [web]\n"
            "      |           ^");
  EXPECT_EQ(error_of("command: [run, --json=a]\nparameters: {seed: [1]}\n" + kTargets),
            "p.yaml:1:16: error: a sweep does not take '--json' of a command\n"
            "    1 | command: [run, --json=a]\n"
            "      |                ^\n"
            "  hint: results are in the database of the sweep");
}

}  // namespace
}  // namespace kernbench::farm
