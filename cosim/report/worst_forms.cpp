// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/worst_forms.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "common/enum_names.hpp"

namespace kernbench::cosim {
namespace {

using common::SimTime;

struct LostRow {
  const topology::MazeLinks& links;
  model::fabric::LostTime lost;
};
struct PathRow {
  const TransferPaths& paths;
  TransferPath path;
};

using ByFabric = std::map<std::string, std::optional<SimTime>>;

bool is_fabric(std::string_view text) {
  const auto names = common::names_of(kFabricKindNames);
  return std::find(names.begin(), names.end(), text) != names.end();
}
constexpr common::TextRule kFabricRule = {"^(analytic|cycle|rtl)$", "the name of a fabric",
                                          is_fabric};

/// Returns a value for each run.
template <typename ValueOf>
ByFabric by_fabric(const WorkloadResult& result, ValueOf value_of) {
  ByFabric values;
  for (const FabricRun& run : result.runs) {
    values[std::string(common::name_of(kFabricKindNames, run.fabric))] = value_of(run);
  }
  return values;
}

/// Returns the times of submission.
ByFabric starts(const OperationRow& row) {
  return by_fabric(row.result, [&row](const FabricRun& run) {
    return row.index < run.played.size() ? run.played[row.index].submitted : std::nullopt;
  });
}

/// Returns the latencies of an operation or transfer.
template <typename Row>
ByFabric latencies(const Row& row) {
  return by_fabric(row.result, [&row](const FabricRun& run) {
    const bool is_done = row.index < run.played.size() && run.played[row.index].done;
    return is_done ? std::optional(run.latency(row.index)) : std::nullopt;
  });
}

std::optional<LostRow> lost(const TransferRow& row) {
  const auto lost = lost_time_of(row.result, row.index);
  return lost ? std::optional(LostRow{*row.paths.maze(), *lost}) : std::nullopt;
}

PathRow path(const TransferRow& row) {
  return {row.paths, row.paths.of(row.transfer())};
}

/// Returns a getter of the coordinates of a node on a path.
template <typename Node>
auto coordinates(Node TransferPath::*node) {
  return [node](const PathRow& row) -> std::optional<std::string> {
    const std::optional<unsigned> at = row.path.*node;
    return at ? std::optional(row.paths.cube_name(*at)) : std::nullopt;
  };
}

std::vector<std::string> link_names(const PathRow& row) {
  std::vector<std::string> names;
  for (const std::size_t link : row.path.links) names.push_back(row.paths.link_name(link));
  return names;
}

}  // namespace
}  // namespace kernbench::cosim

namespace kernbench::common {

using cosim::LostRow;
using cosim::OperationRow;
using cosim::PathRow;
using cosim::TransferRow;
using model::fabric::LostTime;

template <>
const Description<OperationRow>& description_of() {
  static const auto kAll =
      Description<OperationRow>()
          .add("operation", [](const auto& row) { return row.index; })
          .add("name",
               [](const auto& row) {
                 return row.result.reference()->machine->operations[row.index];
               })
          .add("start_ps", cosim::starts, "by fabric; null where it did not start")
          .rule(cosim::kFabricRule)
          .add("latency_ps", cosim::latencies<OperationRow>,
               "by fabric; null where it did not complete")
          .rule(cosim::kFabricRule);
  return kAll;
}

template <>
const Description<LostTime>& description_of() {
  static const auto kAll =
      Description<LostTime>()
          .add("latency", &LostTime::latency, "from submission to the last packet")
          .add("serialization", &LostTime::serialization, "packets before the last")
          .add("minimum", &LostTime::minimum, "one packet without waits")
          .add("behind_others", &LostTime::behind_others, "wait at the source, behind transfers")
          .add("source_output", &LostTime::source_output, "wait at the source, for the output")
          .add("first_link", &LostTime::first_link, "wait in the link")
          .add("corner", &LostTime::corner, "wait in the queue and for the output")
          .add("second_link", &LostTime::second_link, "wait in the link")
          .add("exit", &LostTime::exit, "wait for port B and its receiver");
  return kAll;
}

template <>
const Description<LostRow>& description_of() {
  static const auto kAll =
      Description<LostRow>()
          .add("path", [](const auto& row) { return row.lost.path(row.links); })
          .add(
              "place", [](const auto& row) { return row.lost.place(row.links); },
              "the longest wait")
          .add("cycles", &LostRow::lost);
  return kAll;
}

template <>
const Description<PathRow>& description_of() {
  static const auto kAll =
      Description<PathRow>()
          .add("source", cosim::coordinates(&cosim::TransferPath::source))
          .or_null()
          .add("corner", cosim::coordinates(&cosim::TransferPath::corner),
               "where a unicast changes dimension")
          .or_null()
          .add("destination", cosim::coordinates(&cosim::TransferPath::destination), "of a unicast")
          .or_null()
          .add(
              "links", [](const auto& row) { return cosim::link_names(row); },
              "in the order of the hops");
  return kAll;
}

template <>
const Description<TransferRow>& description_of() {
  static const auto kAll =
      Description<TransferRow>()
          .add("transfer", [](const auto& row) { return row.index; })
          .add("type", [](const auto& row) { return row.transfer().type; })
          .add("qos", [](const auto& row) { return row.transfer().qos; })
          .add("src", [](const auto& row) { return row.transfer().src; })
          .add(
              "dst", [](const auto& row) { return row.paths.of(row.transfer()).destination; },
              "of a unicast")
          .or_null()
          .add("bytes", [](const auto& row) { return row.transfer().bytes; })
          .at_least(1)
          .add("at_ps", [](const auto& row) { return row.transfer().at; })
          .add("latency_ps", cosim::latencies<TransferRow>,
               "by fabric; null where it did not complete")
          .rule(cosim::kFabricRule)
          .add("lost", cosim::lost, "where the cycles went; null without a trace")
          .or_null()
          .add("path", cosim::path);
  return kAll;
}

}  // namespace kernbench::common
