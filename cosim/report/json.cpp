// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/json.hpp"

#include <fmt/format.h>

#include "common/description.hpp"
#include "common/enum_names.hpp"
#include "common/hash.hpp"
#include "cosim/report/text.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::cosim {

using common::SimTime;
using model::fabric::TimedTransfer;

std::map<std::uint64_t, std::uint64_t> latency_histogram(const Workload& workload,
                                                         const FabricRun& run,
                                                         const topology::SipSpec& sip) {
  const std::int64_t period = period_of(sip).ps();
  std::map<std::uint64_t, std::uint64_t> histogram;
  std::size_t first = first_measured(workload, sip);
  if (first == run.played.size()) first = 0;
  for (std::size_t i = first; i < run.played.size(); ++i) {
    ++histogram[static_cast<std::uint64_t>((run.latency(i).ps() + period - 1) / period)];
  }
  return histogram;
}

const FabricRun* run_of_links(const WorkloadResult& result) {
  for (const FabricKind kind : {FabricKind::Rtl, FabricKind::Cycle}) {
    if (const FabricRun* run = result.run(kind)) return run;
  }
  return nullptr;
}

namespace {

/// Adds what determines how a network of routers carries transfers.
void add_network(common::ByteHash& hash, const topology::SipSpec& sip) {
  hash.add(fmt::format("{} {}", sip.noc_topology.noc, text_of_routers(sip.noc)));
  for (const auto& channel : sip.noc_topology->topology()->channels()) {
    hash.add(topology::zoo::channel_name(channel) + ",");
  }
}

}  // namespace

std::string config_hash(const topology::SipSpec& sip, const std::vector<Workload>& workloads,
                        const Options& options) {
  common::ByteHash hash;
  hash.add(fmt::format("{} {} {} {} {}\n", sip.cube_mesh_w, sip.cube_mesh_h, packet_bits_of(sip),
                       period_of(sip).ps(), static_cast<int>(sip.maze.order)));
  if (sip.inter_cube == topology::InterCube::Noc) add_network(hash, sip);
  if (const auto& between = options.run.between_sips) {
    add_network(hash, *between);
    hash.add(fmt::format("{} {}", packet_bits_of(*between), period_of(*between).ps()));
  }
  hash.add(fmt::format("{} {}\n",
                       common::name_of(model::fabric::kMazeNodeKindNames, options.run.nodes),
                       sip.maze.failed_node ? static_cast<int>(*sip.maze.failed_node) : -1));
  for (const FabricKind kind : options.fabrics) {
    hash.add(common::name_of(kFabricKindNames, kind));
    hash.add(" ");
  }
  const FabricRunOptions& run = options.run;
  const model::fabric::AnalyticParameters analytic =
      run.analytic.value_or(model::fabric::default_parameters(run.nodes));
  hash.add(fmt::format("\n{}\n", common::to_json(analytic).dump()));
  hash.add(fmt::format("{} {} {} {}\n", run.receiver_stalls, run.seed, run.rtl.watchdog_cycles,
                       run.rtl.seed));
  if (const auto& fault = run.rtl.fault) {
    hash.add(fmt::format("{} {} {}", sim::fault_name(fault->kind), fault->cycle, fault->duration));
    if (fault->link) hash.add(fmt::format(" {} {}", fault->link->node, fault->link->port));
    hash.add("\n");
  }
  if (run.noc_fault) hash.add(fmt::format("{}\n", sim::fault_name(*run.noc_fault)));
  if (run.noc_fault_between_sips) {
    hash.add(fmt::format("between SIPs {}\n", sim::fault_name(*run.noc_fault_between_sips)));
  }
  for (const Workload& workload : workloads) {
    hash.add(workload.name);
    if (workload.machine != nullptr) hash.add(" " + workload.machine_config);
    if (const auto& offered = workload.offered) {
      hash.add(fmt::format(" {} {} {} {}", offered->load, offered->senders, offered->warmup,
                           offered->cycles));
    }
    for (const TimedTransfer& transfer : workload.transfers) {
      hash.add(fmt::format("\n{} {} {} {} {} {}", transfer.at.ps(), transfer.src, transfer.dst,
                           static_cast<int>(transfer.type), static_cast<int>(transfer.qos),
                           transfer.bytes));
    }
    hash.add("\n");
  }
  return common::hex64(hash.value());
}

}  // namespace kernbench::cosim
