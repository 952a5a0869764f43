// SPDX-License-Identifier: Apache-2.0
#include "python/topology.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "model/probe/probe.hpp"
#include "python/columns.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::python {
namespace {

/// Returns an index of a node, -1 where the node has none.
std::int32_t index_of(std::uint16_t index) {
  return index == topology::kNoIndex ? -1 : std::int32_t{index};
}

std::vector<std::string> assignments(const Settings& settings) {
  std::vector<std::string> all;
  for (const auto& [key, value] : settings) all.push_back(fmt::format("{}={}", key, value));
  return all;
}

}  // namespace

Topology::Topology(std::string file, const Settings& settings)
    : file_(std::move(file)), resolved_(topology::resolve_topology(file_, assignments(settings))) {}

py::dict Topology::nodes() const {
  const auto all = graph().nodes();
  py::dict columns;
  py::list names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    names.append(std::string(graph().name(topology::NodeId(static_cast<std::uint32_t>(i)))));
  }
  columns["name"] = names;
  columns["kind"] = text_column(all, [](const auto& node) { return name(node.kind); });
  columns["sip"] = column<std::int32_t>(all, [](const auto& node) { return index_of(node.sip); });
  columns["cube"] = column<std::int32_t>(all, [](const auto& node) { return index_of(node.cube); });
  columns["pe"] = column<std::int32_t>(all, [](const auto& node) { return index_of(node.pe); });
  columns["x_mm"] = column<double>(all, [](const auto& node) { return node.position.x; });
  columns["y_mm"] = column<double>(all, [](const auto& node) { return node.position.y; });
  columns["overhead_ps"] =
      column<std::int64_t>(all, [](const auto& node) { return node.overhead.ps(); });
  return columns;
}

py::dict Topology::edges() const {
  const auto all = graph().edges();
  py::dict columns;
  columns["source"] =
      column<std::uint32_t>(all, [](const auto& edge) { return edge.from.value(); });
  columns["target"] = column<std::uint32_t>(all, [](const auto& edge) { return edge.to.value(); });
  columns["kind"] = text_column(all, [](const auto& edge) { return name(edge.kind); });
  columns["bw_gbs"] = column<double>(all, [](const auto& edge) { return edge.bw_gbs; });
  columns["length_nm"] =
      column<std::uint32_t>(all, [](const auto& edge) { return edge.length_nm; });
  return columns;
}

py::dict Topology::probe(const std::vector<std::uint64_t>& sizes, unsigned jobs) const {
  std::vector<model::probe::ProbeCase> cases;
  std::vector<std::vector<model::probe::ProbeResult>> results;
  {
    const py::gil_scoped_release release;
    cases = model::probe::probe_cases(graph());
    results = model::probe::run_probes(graph(), cases, sizes, jobs);
  }
  struct Row {
    const model::probe::ProbeCase* of;
    const model::probe::ProbeResult* result;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const auto& result : results[i]) rows.push_back({&cases[i], &result});
  }
  py::dict columns;
  columns["family"] = text_column(rows, [](const Row& row) { return name(row.of->family); });
  columns["case"] = text_column(rows, [](const Row& row) { return row.of->label; });
  columns["source"] = text_column(rows, [](const Row& row) { return row.of->from; });
  columns["target"] = text_column(rows, [](const Row& row) { return row.of->to; });
  columns["bytes"] = column<std::uint64_t>(rows, [](const Row& row) { return row.result->bytes; });
  columns["latency_ps"] =
      column<std::int64_t>(rows, [](const Row& row) { return row.result->actual.ps(); });
  columns["effective_gbs"] =
      column<double>(rows, [](const Row& row) { return row.result->effective_gbs(); });
  columns["bottleneck_gbs"] =
      column<double>(rows, [](const Row& row) { return row.result->bottleneck_gbs; });
  return columns;
}

py::class_<Topology, std::shared_ptr<Topology>> add_topology(py::module_& module) {
  py::class_<Topology, std::shared_ptr<Topology>> type(module, "Topology");
  type.def(py::init<const std::string&, const Settings&>(), py::arg("file"), py::arg("settings"))
      .def("nodes", &Topology::nodes)
      .def("edges", &Topology::edges)
      .def("probe", &Topology::probe, py::arg("sizes"), py::arg("jobs"))
      .def_property_readonly("warnings", &Topology::warnings);
  return type;
}

}  // namespace kernbench::python
