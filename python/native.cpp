// SPDX-License-Identifier: Apache-2.0
// Exposes topologies, probes and benches to Python. kernbench/__init__.py makes frames and
// exceptions of them.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/runner.hpp"
#include "model/probe/probe.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/resolve/resolve_topology.hpp"

namespace py = pybind11;
using namespace kernbench;

namespace {

using Settings = std::map<std::string, std::string>;

/// Returns the values of a field of all items as a NumPy array.
template <typename T, typename Items, typename Get>
py::array_t<T> column(const Items& items, Get get) {
  py::array_t<T> values(static_cast<py::ssize_t>(items.size()));
  T* out = values.mutable_data();
  for (const auto& item : items) *out++ = static_cast<T>(get(item));
  return values;
}

template <typename Items, typename Get>
py::list text_column(const Items& items, Get get) {
  py::list values;
  for (const auto& item : items) values.append(std::string(get(item)));
  return values;
}

/// -1 where a node has no such index.
std::int32_t index_of(std::uint16_t index) {
  return index == topology::kNoIndex ? -1 : std::int32_t{index};
}

/// A topology that was compiled from its file.
class Topology {
 public:
  Topology(const std::string& file, const Settings& settings)
      : resolved_(topology::resolve_topology(file, assignments(settings))) {}

  [[nodiscard]] py::dict nodes() const {
    const auto all = graph().nodes();
    py::dict columns;
    py::list names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      names.append(std::string(graph().name(topology::NodeId(static_cast<std::uint32_t>(i)))));
    }
    columns["name"] = names;
    columns["kind"] = text_column(all, [](const auto& node) { return name(node.kind); });
    columns["sip"] = column<std::int32_t>(all, [](const auto& node) { return index_of(node.sip); });
    columns["cube"] =
        column<std::int32_t>(all, [](const auto& node) { return index_of(node.cube); });
    columns["pe"] = column<std::int32_t>(all, [](const auto& node) { return index_of(node.pe); });
    columns["x_mm"] = column<double>(all, [](const auto& node) { return node.position.x; });
    columns["y_mm"] = column<double>(all, [](const auto& node) { return node.position.y; });
    columns["overhead_ps"] =
        column<std::int64_t>(all, [](const auto& node) { return node.overhead.ps(); });
    return columns;
  }

  [[nodiscard]] py::dict edges() const {
    const auto all = graph().edges();
    py::dict columns;
    columns["source"] =
        column<std::uint32_t>(all, [](const auto& edge) { return edge.from.value(); });
    columns["target"] =
        column<std::uint32_t>(all, [](const auto& edge) { return edge.to.value(); });
    columns["kind"] = text_column(all, [](const auto& edge) { return name(edge.kind); });
    columns["bw_gbs"] = column<double>(all, [](const auto& edge) { return edge.bw_gbs; });
    columns["length_nm"] =
        column<std::uint32_t>(all, [](const auto& edge) { return edge.length_nm; });
    return columns;
  }

  [[nodiscard]] py::dict probe(const std::vector<std::uint64_t>& sizes, unsigned jobs) const {
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
    columns["bytes"] =
        column<std::uint64_t>(rows, [](const Row& row) { return row.result->bytes; });
    columns["latency_ps"] =
        column<std::int64_t>(rows, [](const Row& row) { return row.result->actual.ps(); });
    columns["effective_gbs"] =
        column<double>(rows, [](const Row& row) { return row.result->effective_gbs(); });
    columns["bottleneck_gbs"] =
        column<double>(rows, [](const Row& row) { return row.result->bottleneck_gbs; });
    return columns;
  }

  [[nodiscard]] py::dict run(const std::string& bench, const Settings& parameters,
                             std::uint32_t device, bool verify, const std::string& ccl,
                             double time_limit_us) const {
    model::bench::RunOptions options;
    options.parameters = parameters;
    options.device = device;
    options.verify = verify;
    options.ccl.name = ccl;
    options.time_limit = common::SimTime::from_ns(time_limit_us * 1000.0);
    model::bench::RunResult result;
    {
      const py::gil_scoped_release release;
      result = model::bench::run_bench(model::bench::find_bench(bench), graph(), options);
    }
    py::dict values;
    values["end_ps"] = result.end.ps();
    values["operations"] = result.operations;
    values["flit_hops"] = result.flit_hops;
    py::list wrong;
    for (const auto* const checks : {&result.checks, &result.contracts}) {
      for (const auto& check : *checks) {
        if (check.wrong != 0) wrong.append(fmt::format("{}: {}", check.name, check.first_wrong));
      }
    }
    values["wrong"] = wrong;
    py::dict regions;
    regions["name"] = text_column(result.regions, [](const auto& region) { return region.name; });
    regions["start_ps"] =
        column<std::int64_t>(result.regions, [](const auto& region) { return region.start.ps(); });
    regions["time_ps"] =
        column<std::int64_t>(result.regions, [](const auto& region) { return region.time().ps(); });
    values["regions"] = regions;
    return values;
  }

  [[nodiscard]] const std::vector<std::string>& warnings() const { return resolved_.warnings; }

 private:
  [[nodiscard]] const topology::TopologyGraph& graph() const { return resolved_.graph; }

  static std::vector<std::string> assignments(const Settings& settings) {
    std::vector<std::string> all;
    for (const auto& [key, value] : settings) all.push_back(fmt::format("{}={}", key, value));
    return all;
  }

  topology::ResolvedTopology resolved_;
};

py::dict benches() {
  py::dict all;
  for (const model::bench::Bench& bench : model::bench::benches()) {
    py::dict parameters;
    for (const auto& parameter : bench.parameters) {
      parameters[py::str(parameter.name)] = parameter.value;
    }
    all[py::str(bench.name)] = parameters;
  }
  return all;
}

/// Raises kernbench.BadInput with the text and (file, line, column, message, hint) of each error.
void raise_bad_input(const common::BadInput& error) {
  py::list errors;
  for (const common::Diagnostic& one : error.diagnostics().errors()) {
    errors.append(py::make_tuple(one.position.file, one.position.line, one.position.column,
                                 one.message, one.hint));
  }
  const py::object type = py::module_::import("kernbench").attr("BadInput");
  PyErr_SetObject(type.ptr(), type(error.what(), errors).ptr());
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    const auto raise = [](const char* name, const std::exception& error) {
      const py::object type = py::module_::import("kernbench").attr(name);
      PyErr_SetString(type.ptr(), error.what());
    };
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const common::BadInput& error) {
      raise_bad_input(error);
    } catch (const model::bench::RunDeadlocked& error) {
      raise("RunFailed", error);
    } catch (const model::bench::RunFailed& error) {
      raise("RunFailed", error);
    } catch (const model::bench::TimeLimitReached& error) {
      raise("RunFailed", error);
    } catch (const model::bench::NothingSubmitted& error) {
      raise("RunFailed", error);
    }
  });
  py::class_<Topology>(module, "Topology")
      .def(py::init<const std::string&, const Settings&>(), py::arg("file"), py::arg("settings"))
      .def("nodes", &Topology::nodes)
      .def("edges", &Topology::edges)
      .def("probe", &Topology::probe, py::arg("sizes"), py::arg("jobs"))
      .def("run", &Topology::run, py::arg("bench"), py::arg("parameters"), py::arg("device"),
           py::arg("verify"), py::arg("ccl"), py::arg("time_limit_us"))
      .def_property_readonly("warnings", &Topology::warnings);
  module.def("benches", &benches);
}
