// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/replay_report.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "model/bench/grade.hpp"
#include "model/report/run_report.hpp"

namespace kernbench::model::chakra {

namespace {

// Rows that join values of the traces and of the replay.

struct RankRow {
  std::size_t rank = 0;
  std::size_t nodes = 0;
  RankFigures figures;
};
struct KindRow {
  NodeKind kind = NodeKind::Unknown;
  KindFigures figures;
};
using TypeCount = std::pair<std::int32_t, std::uint64_t>;
using NameCount = std::pair<std::string, std::uint64_t>;
/// Parts of a result.
struct ComputationCounts {
  const ReplayResult& of;
};
struct OperationCounts {
  const ReplayResult& of;
};

std::vector<RankRow> ranks_of(const ReplayReport& report) {
  std::vector<RankRow> rows;
  for (std::size_t rank = 0; rank < report.result.ranks.size(); ++rank) {
    rows.push_back({rank, report.traces.ranks[rank].nodes.size(), report.result.ranks[rank]});
  }
  return rows;
}

std::array<KindRow, kNodeKinds> kinds_of(const ReplayReport& report) {
  std::array<KindRow, kNodeKinds> rows{};
  for (std::size_t i = 0; i < kNodeKinds; ++i) {
    rows[i] = {static_cast<NodeKind>(i), report.result.kinds[i]};
  }
  return rows;
}

}  // namespace

}  // namespace kernbench::model::chakra

namespace kernbench::common {

using model::chakra::CallFigures;
using model::chakra::ComputationCounts;
using model::chakra::KindFigures;
using model::chakra::KindRow;
using model::chakra::NameCount;
using model::chakra::OperationCounts;
using model::chakra::RankFigures;
using model::chakra::RankRow;
using model::chakra::ReplayReport;
using model::chakra::TypeCount;

template <>
const Description<RankFigures>& description_of() {
  static const auto kAll =
      Description<RankFigures>()
          .add("end_ps", &RankFigures::end, "of its last node")
          .add("computing_ps", &RankFigures::computing, "computations that are not on its host")
          .add("on_host_ps", &RankFigures::on_host, "computations on its host")
          .add("communicating_ps", &RankFigures::communicating,
               "time with a communication ready or under way")
          .add("exposed_ps", &RankFigures::exposed,
               "the part of it without a computation on the rank");
  return kAll;
}

template <>
const Description<RankRow>& description_of() {
  static const auto kAll = Description<RankRow>()
                               .add("rank", &RankRow::rank)
                               .add("nodes", &RankRow::nodes)
                               .add_members(&RankRow::figures);
  return kAll;
}

template <>
const Description<KindFigures>& description_of() {
  static const auto kAll =
      Description<KindFigures>()
          .add("nodes", &KindFigures::nodes)
          .add("busy_ps", &KindFigures::busy, "sum of their times, without waiting")
          .add("waited_ps", &KindFigures::waited, "sum of the waits of ready nodes");
  return kAll;
}

template <>
const Description<KindRow>& description_of() {
  static const auto kAll =
      Description<KindRow>().add("kind", &KindRow::kind).add_members(&KindRow::figures);
  return kAll;
}

template <>
const Description<CallFigures>& description_of() {
  static const auto kAll = Description<CallFigures>()
                               .add("collective", &CallFigures::collective)
                               .add("group", &CallFigures::group, "empty for all ranks")
                               .add("bytes", &CallFigures::bytes)
                               .add("calls", &CallFigures::calls)
                               .at_least(1)
                               .add("shortest_ps", &CallFigures::shortest,
                                    "from the last member's arrival to the last member's end")
                               .add("longest_ps", &CallFigures::longest);
  return kAll;
}

template <>
const Description<ComputationCounts>& description_of() {
  static const auto kAll =
      Description<ComputationCounts>()
          .add(
              "by_duration", [](const auto& all) { return all.of.by_duration; },
              "with their recorded duration")
          .add(
              "by_operations", [](const auto& all) { return all.of.by_operations; },
              "by their operations and bytes")
          .add(
              "without_time", [](const auto& all) { return all.of.without_time; },
              "with neither, which take no time");
  return kAll;
}

template <>
const Description<OperationCounts>& description_of() {
  static const auto kAll =
      Description<OperationCounts>()
          .add("simulated", [](const auto& all) { return all.of.simulated; })
          .add(
              "reused", [](const auto& all) { return all.of.reused; },
              "with the times of equal ones before them")
          .add(
              "overlapping", [](const auto& all) { return all.of.overlapping; },
              "operations that overlap reused ones and do not meet their traffic");
  return kAll;
}

template <>
const Description<TypeCount>& description_of() {
  static const auto kAll = Description<TypeCount>()
                               .add("type", &TypeCount::first)
                               .add("nodes", &TypeCount::second)
                               .at_least(1);
  return kAll;
}

template <>
const Description<NameCount>& description_of() {
  static const auto kAll = Description<NameCount>()
                               .add("name", &NameCount::first)
                               .add("count", &NameCount::second)
                               .at_least(1);
  return kAll;
}

template <>
const Description<ReplayReport>& description_of() {
  static const auto kAll =
      Description<ReplayReport>()
          .add("traces", &ReplayReport::prefix, "the prefix of the files")
          .not_empty()
          .add("compute", &ReplayReport::compute, "source of the time of computations")
          .one_of({"recorded", "ops"})
          .add("reuse", &ReplayReport::reuse,
               "operations that were simulated before take the same time again")
          .add(
              "end_ps", [](const auto& all) { return all.result.end; },
              "of the last node, from the start of the nodes")
          .add("flit_hops", [](const auto& all) { return all.result.run.flit_hops; })
          .add("ranks", model::chakra::ranks_of)
          .not_empty()
          .add("kinds", model::chakra::kinds_of, "of nodes")
          .add(
              "collectives", [](const auto& all) { return all.result.calls; },
              "equal calls together")
          .add(
              "computations", [](const auto& all) { return ComputationCounts{all.result}; },
              "by the source of their time")
          .add(
              "operations", [](const auto& all) { return OperationCounts{all.result}; },
              "memory traffic, collectives and messages")
          .add(
              "choices", [](const auto& all) { return all.result.run.choices; },
              "algorithms of collectives that were chosen by their formulas")
          .add(
              "absent_dependencies", [](const auto& all) { return all.traces.absent_dependencies; },
              "on nodes that are not in the files, which count as done")
          .add(
              "dropped_dependencies",
              [](const auto& all) { return all.traces.dropped_dependencies; },
              "control dependencies of ranks where they close a circle, which are not followed")
          .add("unknown_types",
               [](const auto& all) {
                 return std::vector<TypeCount>(all.traces.unknown_types.begin(),
                                               all.traces.unknown_types.end());
               })
          .add(
              "unknown_attributes",
              [](const auto& all) {
                return std::vector<NameCount>(all.traces.unknown_attributes.begin(),
                                              all.traces.unknown_attributes.end());
              },
              "attributes without effect");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::chakra {

const plot::ReportKind kReplayReport = {.name = "chakra",
                                        .command = "replay",
                                        .about = "A replay of execution traces (Chakra)",
                                        .form = common::form_of<ReplayReport>};

common::Grade grade_of(const topology::TopologySpec& spec, const ReplayResult& result) {
  common::Grade grade = bench::grade_of_system(spec);
  const auto count = [&grade](std::uint64_t number, const char* reason) {
    if (number != 0) grade.add(common::Grade::estimate(fmt::format("{} {}", number, reason)));
  };
  count(result.reused, "operations have the times of equal ones before them");
  count(result.by_operations, "computations have times by their operations and bytes");
  count(result.without_time, "computations took no time");
  return grade;
}

}  // namespace kernbench::model::chakra
