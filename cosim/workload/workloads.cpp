// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/text_distance.hpp"
#include "cosim/workload/transfer_trace.hpp"
#include "model/bench/bench_workload.hpp"
#include "model/fabric/traffic/transfer_list.hpp"
#include "model/probe/probe_workload.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/traffic_kind.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/endpoint_routes.hpp"
#include "topology/zoo/routing/dimension_order.hpp"

namespace kernbench::cosim {

using common::BadInput;
using common::SimTime;
using model::fabric::TimedTransfer;
using model::fabric::TrafficPattern;
namespace zoo = topology::zoo;

namespace {

/// Throws BadInput before too many transfers are drawn.
void require_few(const std::string& name, std::size_t senders, std::uint32_t packet_bits,
                 const WorkloadSettings& settings) {
  const double chances =
      static_cast<double>(senders) * static_cast<double>(settings.warmup + settings.cycles) /
      static_cast<double>(model::fabric::packets_of(settings.bytes, packet_bits));
  const double transfers =
      chances * std::accumulate(settings.loads.begin(), settings.loads.end(), 0.0);
  if (transfers <= static_cast<double>(kMaxTransfers)) return;
  throw BadInput(fmt::format(
      "workload '{}': its loads make about {:.0f} transfers in {} cycles; a run has at most {}: "
      "reduce --loads, --warmup or --cycles",
      name, transfers, settings.warmup + settings.cycles, kMaxTransfers));
}

/// Numbers the nodes where packets enter and leave a network of routers by the cubes there.
void number_by_cubes(std::vector<TimedTransfer>& transfers, const zoo::EndpointRoutes& routes) {
  std::map<std::uint32_t, std::uint32_t> sources, destinations;
  for (std::uint32_t cube = 0; cube < routes.count(); ++cube) {
    sources.try_emplace(routes.source(cube), cube);
    destinations.try_emplace(routes.destination(cube), cube);
  }
  for (TimedTransfer& transfer : transfers) {
    transfer.src = sources.at(transfer.src);
    transfer.dst = destinations.at(transfer.dst);
  }
}

TrafficPattern pattern_of(const std::string& name, const topology::SipSpec& sip) {
  if (sip.inter_cube == topology::InterCube::Noc) {
    return {*sip.noc_topology->relation(), {.kind = name}};
  }
  const zoo::FlattenedButterfly grid(sip.cube_mesh_w, sip.cube_mesh_h);
  const zoo::DimensionOrderRouting relation(grid, grid.grid(), zoo::DimensionStep::Direct,
                                            sip.maze.order);
  return {relation, {.kind = name}};
}

std::vector<Workload> synthetic(const std::string& name, const topology::SipSpec& sip,
                                const WorkloadSettings& settings) {
  const TrafficPattern pattern = pattern_of(name, sip);
  require_few(name, pattern.senders().size(), packet_bits_of(sip), settings);
  std::vector<Workload> workloads;
  for (const double load : settings.loads) {
    Workload workload;
    workload.name = name;
    workload.transfers = synthetic_transfers(
        pattern, {load, settings.bytes, settings.warmup, settings.cycles, settings.seed},
        period_of(sip), packet_bits_of(sip));
    if (sip.inter_cube == topology::InterCube::Noc) {
      number_by_cubes(workload.transfers, *sip.noc_topology.routes);
    }
    workload.offered = {load, settings.warmup, settings.cycles, pattern.senders().size()};
    workloads.push_back(std::move(workload));
  }
  return workloads;
}

std::vector<Workload> single(const std::string& name, std::vector<TimedTransfer> transfers) {
  Workload workload;
  workload.name = name;
  workload.transfers = std::move(transfers);
  return {std::move(workload)};
}

using model::bench::Bench;
using model::bench::BenchWorkload;
using model::components::MachineWorkload;
using model::probe::ProbeOrder;
using model::probe::ProbeWorkload;

struct NamedMachineWorkload {
  const char* name;
  std::shared_ptr<const MachineWorkload> (*make)(const topology::TopologyGraph& graph,
                                                 const WorkloadSettings& settings);
};

template <ProbeOrder order>
std::shared_ptr<const MachineWorkload> make_probe(const topology::TopologyGraph& graph,
                                                  const WorkloadSettings& settings) {
  return std::make_shared<ProbeWorkload>(graph, settings.bytes, order);
}

constexpr std::array<NamedMachineWorkload, 2> kMachineWorkloads = {{
    {"probe", make_probe<ProbeOrder::OneByOne>},
    {"probe_at_once", make_probe<ProbeOrder::AtOnce>},
}};

/// Makes the workload "bench:NAME".
const Bench& find_bench(const std::string& name) {
  try {
    return model::bench::find_bench(name.substr(kBenchPrefix.size()));
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("workload '{}': {}", name, error.what()));
  }
}

std::shared_ptr<const BenchWorkload> make_bench(const std::string& name,
                                                const topology::TopologyGraph& graph,
                                                const WorkloadSettings& settings) {
  const Bench& bench = find_bench(name);
  std::map<std::string, std::string> parameters;
  for (const model::bench::Parameter& parameter : bench.parameters) {
    const auto given = settings.parameters.find(parameter.name);
    if (given != settings.parameters.end()) parameters.insert(*given);
  }
  try {
    const auto workload = std::make_shared<BenchWorkload>(
        bench, graph, parameters, model::runtime::CclSource{settings.ccl_yaml, {}});
    if (settings.on_host_timeout) {
      workload->limit_host_time(settings.host_time_limit,
                                [name, end = settings.on_host_timeout](const std::string& what) {
                                  end(fmt::format("workload '{}': {}", name, what));
                                });
    }
    return workload;
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("workload '{}': {}", name, error.what()));
  }
}

std::vector<Workload> of_machine(const std::string& name,
                                 std::shared_ptr<const MachineWorkload> machine,
                                 const std::string& config, const topology::TopologyGraph& graph) {
  std::ostringstream topology;
  topology::to_json(graph, {}, topology);
  std::vector<Workload> workloads = single(name, {});
  workloads.front().machine = std::move(machine);
  workloads.front().machine_config =
      fmt::format("{}, topology {}", config, common::hex64(common::hash_bytes(topology.str())));
  return workloads;
}

[[noreturn]] void reject_name(const std::string& name, const std::vector<std::string>& names) {
  const std::string message =
      fmt::format("unknown workload '{}': use {}, bench:NAME, or a file that ends in .csv or .json",
                  name, fmt::join(names, ", "));
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw BadInput(message + common::did_you_mean(name, known));
}

bool is_file(const std::string& name) {
  return name.ends_with(".csv") || name.ends_with(".json");
}

}  // namespace

std::vector<std::string> machine_workload_names() {
  std::vector<std::string> names;
  for (const NamedMachineWorkload& workload : kMachineWorkloads) names.emplace_back(workload.name);
  return names;
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const std::string_view name : topology::traffic_names()) names.emplace_back(name);
  names.insert(names.end(), {"all_to_all", "concurrent", "multicasts"});
  return names;
}

std::vector<Workload> make_workloads(const std::string& name, const topology::SipSpec& sip,
                                     const WorkloadSettings& settings) {
  const std::uint32_t nodes = sip.cube_mesh_w * sip.cube_mesh_h;
  try {
    if (topology::find_traffic(name) != nullptr) return synthetic(name, sip, settings);
    if (name == "all_to_all") {
      return single(name, model::fabric::all_to_all(nodes, settings.bytes));
    }
    if (name == "concurrent") {
      return single(
          name, model::fabric::concurrent(nodes, settings.count, settings.bytes, settings.seed));
    }
    if (name == "multicasts") {
      return single(
          name, model::fabric::multicasts(nodes, settings.count, settings.bytes, settings.seed));
    }
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("workload '{}': {}", name, error.what()));
  }
  if (is_file(name)) return single(name, read_transfer_trace(name, nodes));
  reject_name(name, workload_names());
}

std::vector<Workload> make_workloads(const std::string& name, const topology::TopologyGraph& graph,
                                     const WorkloadSettings& settings) {
  if (name.starts_with(kBenchPrefix)) {
    const auto bench = make_bench(name, graph, settings);
    return of_machine(name, bench, bench->config(), graph);
  }
  for (const NamedMachineWorkload& workload : kMachineWorkloads) {
    if (name != workload.name) continue;
    return of_machine(name, workload.make(graph, settings), fmt::format("{} bytes", settings.bytes),
                      graph);
  }
  std::vector<std::string> names = workload_names();
  if (!is_file(name) && std::find(names.begin(), names.end(), name) == names.end()) {
    const std::vector<std::string> machines = machine_workload_names();
    names.insert(names.end(), machines.begin(), machines.end());
    reject_name(name, names);
  }
  return make_workloads(name, graph.spec().sip, settings);
}

void avoid_failed_node(Workload& workload, const topology::SipSpec& sip) {
  const auto failed = sip.maze.failed_node;
  if (!failed) return;
  if (workload.machine != nullptr) {
    throw BadInput(fmt::format("workload '{}' uses every cube, but node {} has failed",
                               workload.name, *failed));
  }
  const auto touches = [&](const TimedTransfer& transfer) {
    return transfer.src == *failed ||
           (transfer.type == model::fabric::TransferType::Unicast && transfer.dst == *failed);
  };
  std::vector<TimedTransfer>& transfers = workload.transfers;
  if (is_file(workload.name)) {
    const auto first = std::find_if(transfers.begin(), transfers.end(), touches);
    if (first == transfers.end()) return;
    throw BadInput(fmt::format("{}: transfer {} begins or ends at node {}, which has failed",
                               workload.name, first - transfers.begin(), *failed));
  }
  if (workload.offered && std::any_of(transfers.begin(), transfers.end(),
                                      [&](const auto& one) { return one.src == *failed; })) {
    --workload.offered->senders;
  }
  std::erase_if(transfers, touches);
}

void require_carried(const Workload& workload, const topology::SipSpec& sip) {
  if (sip.inter_cube != topology::InterCube::Noc) return;
  const auto& transfers = workload.transfers;
  const auto other = std::find_if(transfers.begin(), transfers.end(), [](const auto& transfer) {
    return transfer.type != model::fabric::TransferType::Unicast ||
           transfer.qos != model::fabric::Qos::Low;
  });
  if (other == transfers.end()) return;
  throw BadInput(fmt::format(
      "workload '{}': transfer {} is a {} of {} QoS; a network of routers carries unicasts of low "
      "QoS",
      workload.name, other - transfers.begin(),
      common::name_of(model::fabric::kTransferTypeNames, other->type),
      common::name_of(model::fabric::kQosNames, other->qos)));
}

void require_fitting(const std::vector<Workload>& workloads, const topology::SipSpec& sip,
                     bool trace_first) {
  std::uint64_t transfers = 0;
  for (const Workload& workload : workloads) transfers += workload.transfers.size();
  if (transfers > kMaxTransfers) {
    throw BadInput(fmt::format("the workloads have {} transfers; a run has at most {}", transfers,
                               kMaxTransfers));
  }
  if (!trace_first) return;
  std::uint64_t packets = 0;
  for (const TimedTransfer& transfer : workloads.front().transfers) {
    packets += model::fabric::packets_of(transfer.bytes, packet_bits_of(sip));
  }
  if (packets > kMaxTracedPackets) {
    throw BadInput(fmt::format("--trace: workload '{}' has {} packets; a trace has at most {}",
                               workloads.front().name, packets, kMaxTracedPackets));
  }
}

void require_used_parameters(const std::vector<std::string>& names,
                             const WorkloadSettings& settings) {
  std::vector<std::string_view> known;
  for (const std::string& name : names) {
    if (!name.starts_with(kBenchPrefix)) continue;
    for (const auto& parameter : find_bench(name).parameters) known.push_back(parameter.name);
  }
  for (const auto& [parameter, value] : settings.parameters) {
    const bool used = std::find(known.begin(), known.end(), parameter) != known.end();
    if (used) continue;
    throw BadInput(fmt::format("--set: no bench among the workloads has a parameter '{}'{}",
                               parameter, common::did_you_mean(parameter, known)));
  }
}

}  // namespace kernbench::cosim
