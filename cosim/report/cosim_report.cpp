// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/report_rows.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::cosim {
namespace {

struct CosimReport {
  const Place& place;
  const std::vector<WorkloadResult>& results;
  std::size_t not_run = 0;
};
/// The cubes of a SIP. Those of a MAZE are 2x2 to 16x16, with packets of at most 32 bits.
struct CubesRow {
  const topology::SipSpec& sip;
};
/// A network of routers.
struct NetworkRow {
  const topology::SipSpec& sip;
};

using Pair = std::array<std::uint32_t, 2>;

std::vector<Pair> channels(const NetworkRow& row) {
  std::vector<Pair> pairs;
  for (const auto& channel : row.sip.noc_topology->topology()->channels()) {
    pairs.push_back({channel.src, channel.dst});
  }
  return pairs;
}

/// Returns where the nodes are in the picture of the topology.
std::vector<std::array<double, 2>> places(const NetworkRow& row) {
  std::vector<std::array<double, 2>> places;
  for (const auto& node : row.sip.noc_topology->topology()->layout().nodes) {
    places.push_back({node.at.x, node.at.y});
  }
  return places;
}

std::optional<NetworkRow> network(const CosimReport& report) {
  if (report.place.sip.inter_cube != topology::InterCube::Noc) return std::nullopt;
  return NetworkRow{report.place.sip};
}

}  // namespace
}  // namespace kernbench::cosim

namespace kernbench::common {

using cosim::CosimReport;
using cosim::CubesRow;
using cosim::NetworkRow;
using cosim::WorkloadRow;

template <>
const Description<CubesRow>& description_of() {
  static const auto kAll =
      Description<CubesRow>()
          .add(
              "nx", [](const auto& row) { return row.sip.cube_mesh_w; }, "columns")
          .within(1, 65536)
          .add(
              "ny", [](const auto& row) { return row.sip.cube_mesh_h; }, "rows")
          .within(1, 65536)
          .add(
              "flit_w", [](const auto& row) { return cosim::packet_bits_of(row.sip); },
              "data bits of a packet or flit")
          .within(1, 65536);
  return kAll;
}

template <>
const Description<NetworkRow>& description_of() {
  static const auto kAll =
      Description<NetworkRow>()
          .add("topology", [](const auto& row) { return row.sip.noc_topology->topology()->name(); })
          .add(
              "lanes", [](const auto& row) { return row.sip.noc.lanes; },
              "virtual channels of each class of the routes")
          .at_least(1)
          .add(
              "slots", [](const auto& row) { return row.sip.noc.slots; },
              "flits that an input holds for a virtual channel")
          .at_least(1)
          .add(
              "stages", [](const auto& row) { return row.sip.noc.stages; },
              "registers of each link")
          .add(
              "packet_flits", [](const auto& row) { return row.sip.noc.packet_flits; },
              "most flits of a packet")
          .at_least(1)
          .add("channels", cosim::channels, "source and destination of each, by its number")
          .add("places", cosim::places,
               "x and y of each node, in distances of adjacent nodes; y grows downwards")
          .add(
              "node_names",
              [](const auto& row) { return row.sip.noc_topology->topology()->node_names(); },
              "by number")
          .absent_unless("the topology's file names its nodes");
  return kAll;
}

template <>
const Description<CosimReport>& description_of() {
  static const auto kAll =
      Description<CosimReport>()
          .add(
              "shape", [](const auto& report) { return CubesRow{report.place.sip}; },
              "of the cubes")
          .add("network", cosim::network, "that joins the cubes; null: a MAZE")
          .or_null()
          .add("period_ps",
               [](const auto& report) { return cosim::period_of(report.place.sip).ps(); })
          .at_least(1)
          .add(
              "order", [](const auto& report) { return report.place.sip.maze.order; }, "of a MAZE")
          .add(
              "nodes", [](const auto& report) { return cosim::nodes_of(report.results); },
              "those of the MAZE as they are built, or ideal ones")
          .add(
              "failed_node", [](const auto& report) { return report.place.sip.maze.failed_node; },
              "the node that has failed")
          .or_null()
          .add(
              "coverage",
              [](const auto& report) {
                auto coverage = cosim::rtl_coverage(report.results);
                return coverage.groups.empty() ? std::nullopt : std::optional(std::move(coverage));
              },
              "over all runs of rtl; null if none was collected")
          .or_null()
          .add("workloads",
               [](const auto& report) {
                 std::vector<WorkloadRow> rows;
                 for (const auto& result : report.results) rows.push_back({report.place, result});
                 return rows;
               })
          .add("not_run", &CosimReport::not_run, "workloads that were not started after a failure")
          .at_least(1)
          .absent_unless("there are any");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::cosim {

const plot::ReportKind kCosimReport = {.name = "cosim-report",
                                       .command = "cosim",
                                       .about = "Transfers between cubes on several fabrics",
                                       .form = common::form_of<CosimReport>,
                                       .has_own_page = true};

nlohmann::json json_data(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip,
                         std::size_t not_run) {
  const Place place{sip, TransferPaths(sip)};
  return common::to_json(CosimReport{place, results, not_run});
}

}  // namespace kernbench::cosim
