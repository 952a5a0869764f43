// SPDX-License-Identifier: Apache-2.0
// Traffic on base topologies, and one workload over several fabrics.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_values.hpp"
#include "common/places.hpp"
#include "common/text_distance.hpp"
#include "cosim/calibrate/parameters_file.hpp"
#include "cosim/report/json.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/run/maze_setup.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/traffic/traffic_study.hpp"
#include "python/columns.hpp"
#include "python/topology.hpp"
#include "python/transfers.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/traffic_kind.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::python {
namespace {

namespace zoo = topology::zoo;
using cosim::FabricKind;

/// The fabric of a base topology: that of a MAZE is simulated, others are estimates.
model::fabric::BaseFabric base_fabric(std::uint32_t packet_bits, bool maze) {
  return {.kind = maze ? FabricKind::Cycle : FabricKind::Analytic,
          .maze = maze,
          .noc = {.flit_bits = packet_bits}};
}

struct TrafficReport {
  std::string data;
  std::string outcome;
};

TrafficReport traffic(const std::string& topology,
                      const model::fabric::TrafficStudySettings& settings) {
  const py::gil_scoped_release release;
  const model::fabric::TrafficStudy study(zoo::open_topology(topology), settings);
  std::vector<model::fabric::TrafficResult> results;
  bool measured = !settings.loads.empty();
  for (const double load : settings.loads) {
    results.push_back(study.run(load));
    measured = measured && results.back().latencies.count() != 0;
  }
  return {common::to_json(study.report(results)).dump(),
          std::string(name(measured ? common::Outcome::Pass : common::Outcome::Vacuous))};
}

py::tuple traffic_of(const std::string& topology, const std::string& pattern,
                     const std::vector<double>& loads, std::uint64_t bytes,
                     std::uint32_t packet_bits, std::uint64_t warmup, std::uint64_t cycles,
                     std::uint64_t seed, bool maze, std::uint32_t hotspot_node,
                     double hotspot_share, const std::string& fabric,
                     const std::array<std::uint32_t, 4>& routers) {
  if (topology::find_traffic(pattern) == nullptr) {
    const auto names = topology::traffic_names();
    throw std::invalid_argument(fmt::format("pattern '{}' is not one of {}{}", pattern,
                                            fmt::join(names, ", "),
                                            common::did_you_mean(pattern, names)));
  }
  model::fabric::BaseFabric base = base_fabric(packet_bits, maze);
  const auto& [lanes, slots, stages, packet_flits] = routers;
  base.noc = {lanes, slots, stages, packet_bits, packet_flits};
  if (!fabric.empty()) {
    const auto kind = common::find_value(model::fabric::kFabricKindNames, fabric);
    if (!kind || *kind == FabricKind::Rtl) {
      throw std::invalid_argument(fmt::format(
          "fabric '{}' is not analytic or cycle; `kernbench traffic` also has rtl", fabric));
    }
    base.kind = *kind;
  }
  const TrafficReport report = traffic(topology, {.pattern = {pattern, hotspot_node, hotspot_share},
                                                  .loads = loads,
                                                  .bytes = bytes,
                                                  .warmup = warmup,
                                                  .cycles = cycles,
                                                  .seed = seed,
                                                  .fabric = std::move(base)});
  return py::make_tuple(report.data, report.outcome);
}

std::uint32_t nodes_of_base(const std::string& topology) {
  return zoo::open_topology(topology)->n_nodes();
}

/// Plays transfers over the fabric of a base topology. Returns their columns.
py::dict play(const std::string& topology, const Transfers& transfers, std::uint32_t packet_bits,
              bool maze) {
  std::vector<model::fabric::PlayedTransfer> played;
  {
    const py::gil_scoped_release release;
    const model::fabric::BaseNetwork network(zoo::open_topology(topology),
                                             base_fabric(packet_bits, maze));
    model::engine::Simulation simulation;
    const auto built = network.build(simulation);
    model::fabric::TransferPlayer player(simulation, *built.fabric, transfers.all());
    player.start();
    simulation.run();
    player.require_all_done();
    played = player.played();
  }
  py::dict columns = columns_of(transfers.all());
  columns["done_ps"] = done_column(played);
  return columns;
}

/// Settings of topology.cosim(), with the names of `kernbench cosim`.
struct CosimSettings {
  cosim::MazeSetup maze;
  std::string root;
  std::string fabric;
  std::string parameters;  ///< file of the analytic fabric's; may be empty
  cosim::WorkloadSettings workloads;
  unsigned jobs = 1;
};

struct NamedTransfers {
  std::string name;
  std::shared_ptr<Transfers> transfers;
};

using WorkloadChoice = std::variant<std::string, NamedTransfers>;

class CosimResults {
 public:
  CosimResults(std::shared_ptr<Topology> topology, const std::vector<WorkloadChoice>& choices,
               CosimSettings settings)
      : topology_(std::move(topology)) {
    cosim::Options options;
    if (!settings.parameters.empty()) {
      options.run.analytic = cosim::read_parameters(settings.parameters);
    }
    options.fabrics = cosim::parse_fabrics(settings.fabric);
    options.jobs = settings.jobs;
    const auto runs_on = [&](FabricKind kind) {
      return std::find(options.fabrics.begin(), options.fabrics.end(), kind) !=
             options.fabrics.end();
    };
    if (runs_on(FabricKind::Analytic) && runs_on(FabricKind::Cycle)) {
      options.run.trace = model::fabric::PacketTrace::Detail::LastPackets;
    }
    settings.maze.topology = topology_->file();
    if (settings.maze.models.empty()) {
      settings.maze.models =
          common::default_models_folder({settings.root, common::is_checkout(settings.root)});
    }
    options.run.nodes = cosim::nodes_of(settings.maze);
    sip_ = cosim::sip_of(settings.maze, topology_->graph(),
                         runs_on(FabricKind::Cycle) || runs_on(FabricKind::Rtl));
    options.run.rtl.seed = settings.workloads.seed;
    const std::vector<cosim::Workload> workloads = make(choices, settings.workloads);
    if (runs_on(FabricKind::Rtl)) {
      (void)cosim::open_model(settings.maze, settings.root, sip_, options.run);
    }
    config_hash_ = cosim::config_hash(sip_, workloads, options);
    results_ = cosim::run_cosim(sip_, workloads, options);
  }

  [[nodiscard]] const std::string& config_hash() const { return config_hash_; }
  [[nodiscard]] std::string data() const { return cosim::json_data(results_, sip_).dump(); }
  [[nodiscard]] std::string outcome() const {
    return std::string(name(cosim::outcome_of(results_)));
  }

  /// Returns the columns of a workload's transfers, or of a machine's operations.
  [[nodiscard]] py::dict transfers(std::size_t workload) const {
    const cosim::WorkloadResult& result = results_.at(workload);
    py::dict columns = columns_of(result.workload.transfers);
    for (const cosim::FabricRun& run : result.runs) {
      if (run.machine) throw std::invalid_argument("a bench has operations, not transfers");
      const auto fabric = common::name_of(cosim::kFabricKindNames, run.fabric);
      columns[py::str(fmt::format("done_ps.{}", fabric))] = done_column(run.played);
    }
    return columns;
  }

 private:
  [[nodiscard]] std::vector<cosim::Workload> make(const std::vector<WorkloadChoice>& choices,
                                                  const cosim::WorkloadSettings& settings) const {
    std::vector<std::string> names;
    std::vector<cosim::Workload> workloads;
    for (const WorkloadChoice& choice : choices) {
      if (const auto* const source = std::get_if<NamedTransfers>(&choice)) {
        cosim::Workload workload;
        workload.name = source->name;
        workload.transfers = source->transfers->all();
        cosim::avoid_failed_node(workload, sip_);
        cosim::require_carried(workload, sip_);
        workloads.push_back(std::move(workload));
        continue;
      }
      names.push_back(std::get<std::string>(choice));
      for (auto& workload : cosim::make_workloads(names.back(), topology_->graph(), settings)) {
        cosim::avoid_failed_node(workload, sip_);
        cosim::require_carried(workload, sip_);
        workloads.push_back(std::move(workload));
      }
      cosim::require_fitting(workloads, sip_, false);
    }
    cosim::require_fitting(workloads, sip_, false);
    cosim::require_used_parameters(names, settings);
    return workloads;
  }

  std::shared_ptr<Topology> topology_;
  topology::SipSpec sip_;
  std::string config_hash_;
  std::vector<cosim::WorkloadResult> results_;
};

std::unique_ptr<CosimResults> run_cosim(std::shared_ptr<Topology> topology,
                                        const py::list& workloads, const py::dict& values) {
  std::vector<WorkloadChoice> choices;
  for (const py::handle item : workloads) {
    if (py::isinstance<py::str>(item)) {
      choices.emplace_back(item.cast<std::string>());
    } else {
      const auto pair = item.cast<std::pair<std::string, std::shared_ptr<Transfers>>>();
      choices.emplace_back(NamedTransfers{pair.first, pair.second});
    }
  }
  CosimSettings settings;
  const auto read = [&](const char* name, auto& value) {
    value = values[name].cast<std::remove_reference_t<decltype(value)>>();
  };
  read("root", settings.root);
  read("fabric", settings.fabric);
  read("analytic_parameters", settings.parameters);
  read("jobs", settings.jobs);
  read("nodes", settings.maze.nodes);
  read("failed_node", settings.maze.failed_node);
  read("models", settings.maze.models);
  read("model", settings.maze.model);
  read("checkers", settings.maze.no_checkers);
  settings.maze.no_checkers = !settings.maze.no_checkers;
  read("loads", settings.workloads.loads);
  read("bytes", settings.workloads.bytes);
  read("count", settings.workloads.count);
  read("warmup", settings.workloads.warmup);
  read("cycles", settings.workloads.cycles);
  read("seed", settings.workloads.seed);
  read("parameters", settings.workloads.parameters);
  read("ccl", settings.workloads.ccl_yaml);
  const py::gil_scoped_release release;
  return std::make_unique<CosimResults>(std::move(topology), choices, std::move(settings));
}

}  // namespace

void add_fabrics(py::module_& module) {
  module.def("traffic", &traffic_of);
  module.def("nodes_of_base", &nodes_of_base);
  module.def("play", &play);
  module.def("maze_nodes", [](const Topology& topology) {
    const topology::SipSpec& sip = topology.graph().spec().sip;
    return sip.cube_mesh_w * sip.cube_mesh_h;
  });
  py::class_<CosimResults>(module, "CosimResults")
      .def_property_readonly("config_hash", &CosimResults::config_hash)
      .def_property_readonly("data", &CosimResults::data)
      .def_property_readonly("outcome", &CosimResults::outcome)
      .def("transfers", &CosimResults::transfers);
  module.def("cosim", &run_cosim);
}

}  // namespace kernbench::python
