// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/form_reader.hpp"
#include "cosim/run/divergence.hpp"
#include "cosim/workload/recorded_network.hpp"
#include "cosim/workload/transfer_trace.hpp"
#include "sim/stimulus/pin_trace.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::common {

using cosim::RecordedNetwork;
using cosim::Reproduction;
using sim::FaultSpec;
using sim::LinkEnd;

template <>
const Description<LinkEnd>& description_of() {
  static const auto kAll = Description<LinkEnd>()
                               .add("node", &LinkEnd::node, "node that sends")
                               .within(0, 255)
                               .add("port", &LinkEnd::port, "its output, X ports first")
                               .within(0, 29);
  return kAll;
}

template <>
const Description<FaultSpec>& description_of() {
  static const auto kAll =
      Description<FaultSpec>()
          .add("kind", &FaultSpec::kind)
          .add("cycle", &FaultSpec::cycle, "first cycle in which the fault may act")
          .add("duration", &FaultSpec::duration, "cycles of receiver_sleeps")
          .add("link", &FaultSpec::link)
          .or_null();
  return kAll;
}

template <>
const Description<Reproduction>& description_of() {
  static const auto kAll =
      Description<Reproduction>()
          .add(
              "nx", [](auto& one) -> auto& { return one.sip.cube_mesh_w; },
              "columns of nodes, 2 to 16 of a MAZE; of cubes with a network of routers")
          .within(1, 65536)
          .add(
              "ny", [](auto& one) -> auto& { return one.sip.cube_mesh_h; }, "rows, as of nx")
          .within(1, 65536)
          .add_converted(
              "flit_bits", [](const Reproduction& one) { return cosim::packet_bits_of(one.sip); },
              [](Reproduction& one, std::uint32_t bits) {
                one.sip.maze.flit_bits = one.sip.noc.flit_bits = bits;
              },
              "data bits of a packet, 1 to 32 in a MAZE, or of a flit")
          .within(1, 65536)
          .add_converted(
              "clock_ps", [](const Reproduction& one) { return cosim::period_of(one.sip); },
              [](Reproduction& one, SimTime period) {
                one.sip.maze.clock_ns = one.sip.noc.clock_ns = period.ns();
              },
              "period of the clock")
          .within(1, 1e9)
          .add_converted(
              "network",
              [](const Reproduction& one) {
                return one.sip.inter_cube == topology::InterCube::Noc
                           ? std::optional(cosim::recorded_network(
                                 *one.sip.noc_topology->topology(), one.sip.noc))
                           : std::nullopt;
              },
              [](Reproduction& one, std::optional<RecordedNetwork> network) {
                one.network = std::move(network);
              },
              "the network of routers")
          .absent_unless("routers join the cubes or SIPs")
          .add_converted(
              "order",
              [](const Reproduction& one) {
                return name_of(topology::kDimensionOrderNames, one.sip.maze.order);
              },
              [](Reproduction& one, std::string_view name) {
                one.sip.maze.order =
                    name == "yx" ? topology::DimensionOrder::YX : topology::DimensionOrder::XY;
              },
              "dimension in which packets travel first")
          .one_of({"xy", "yx"})
          .add_named("nodes", &Reproduction::nodes, model::fabric::kMazeNodeKindNames,
                     "nodes of the MAZE: those that are built, or ideal ones")
          .add(
              "failed_node", [](auto& one) -> auto& { return one.sip.maze.failed_node; },
              "the node that has failed")
          .within(0, 255)
          .or_null()
          .add("fault", &Reproduction::fault)
          .or_null()
          .add("router_fault", &Reproduction::noc_fault)
          .absent_unless("one was injected into a network of routers")
          .add("fault_seed", &Reproduction::fault_seed, "seed of a fault without a link")
          .add("receiver_stalls", &Reproduction::receiver_stalls,
               "share of cycles in which a receiver is not ready")
          .within(0, 1)
          .add("stall_seed", &Reproduction::stall_seed)
          .add("beside_reference", &Reproduction::beside_reference,
               "the RTL completed but differs from the cycle reference")
          .add("failure", &Reproduction::failure, "reason that the run gave")
          .add("cycle", &Reproduction::cycle, "cycle of the RTL in which it was detected")
          .add(
              "workload", [](auto& one) -> auto& { return one.workload.name; }, "its name")
          .add(
              "transfers", [](auto& one) -> auto& { return one.workload.transfers; },
              "transfers submitted before the failure");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::cosim {

namespace {

/// Checks what the form of a reproduction does not say.
void check_rules(common::Input<Reproduction>& file) {
  const topology::SipSpec& sip = file->sip;
  const auto check = [&](const std::string& key, std::uint64_t number, std::uint64_t bound) {
    file.check_within(key, number, 0, bound - 1);
  };
  const bool is_maze = sip.inter_cube == topology::InterCube::Maze;
  if (is_maze) {
    bool sound = file.check_within("nx", sip.cube_mesh_w, 2, 16);
    sound &= file.check_within("ny", sip.cube_mesh_h, 2, 16);
    sound &= file.check_within("flit_bits", sip.maze.flit_bits, 1, 32);
    if (!sound) return;
  }
  const maze::Shape shape = is_maze ? maze_shape(sip) : maze::Shape{};
  const std::uint64_t nodes = is_maze ? shape.nodes() : sip.noc_topology->topology()->n_nodes();
  if (is_maze && sip.maze.failed_node) check("failed_node", *sip.maze.failed_node, nodes);
  if (is_maze && file->fault && file->fault->link) {
    check("fault.link.node", file->fault->link->node, nodes);
    check("fault.link.port", file->fault->link->port, shape.ports());
  }
  const auto& transfers = file->workload.transfers;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const std::string key = fmt::format("transfers[{}]", i);
    check(key + ".src", transfers[i].src, nodes);
    check(key + ".dst", transfers[i].dst, nodes);
    if (i == 0 || transfers[i - 1].at <= transfers[i].at) continue;
    file.error(key, fmt::format("'data.{}.time_ps' is before that of the transfer before it", key));
  }
}

/// Makes the network that a file records. Reports what the network cannot carry.
void open_network(Reproduction& reproduction, const std::string& file) {
  const RecordedNetwork& network = *reproduction.network;
  topology::SipSpec& sip = reproduction.sip;
  sip.inter_cube = topology::InterCube::Noc;
  sip.noc.lanes = network.lanes;
  sip.noc.slots = network.slots;
  sip.noc.stages = network.stages;
  sip.noc.packet_flits = network.packet_flits;
  sip.noc_topology.noc = network.topology;
  try {
    sip.noc_topology.routes =
        std::make_shared<const topology::zoo::EndpointRoutes>(topology_of(network, file));
  } catch (const std::invalid_argument& error) {
    throw common::BadInput(fmt::format("{}: data.network: {}", file, error.what()));
  }
}

}  // namespace

const common::InputKind kReproductionFile = {
    .name = sim::kReproductionKind,
    .title = "A failure of kernbench cosim, for kernbench replay",
    .form = common::form_of<Reproduction>,
    .has_envelope = true};

Reproduction reproduction_of(const topology::SipSpec& sip, const TransferWorkload& workload,
                             const FabricRun& run, const FabricRunOptions& options) {
  Reproduction reproduction;
  reproduction.sip = sip;
  reproduction.nodes = run.nodes;
  reproduction.workload.name = workload.name;
  reproduction.workload.between_nodes = true;
  const std::vector<model::fabric::TimedTransfer> transfers =
      transfers_between_nodes(sip, workload);
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    // Transfers are in time order: after the first one not submitted, none was. All transfers of a
    // machine were submitted.
    if (i < run.played.size() && !run.played[i].submitted) break;
    reproduction.workload.transfers.push_back(transfers[i]);
  }
  reproduction.fault = options.rtl.fault;
  reproduction.noc_fault = options.noc_fault;
  reproduction.fault_seed = options.rtl.seed;
  reproduction.receiver_stalls = options.receiver_stalls;
  reproduction.stall_seed = options.seed;
  reproduction.failure = run.reason;
  reproduction.cycle = run.rtl->failures.empty() ? RtlBench::kResetCycles + run.clocked->cycles
                                                 : run.rtl->failures.front().cycle;
  return reproduction;
}

std::optional<Reproduction> reproduction_of(const topology::SipSpec& sip,
                                            const WorkloadResult& result,
                                            const FabricRunOptions& options) {
  const FabricRun* failed = result.run(FabricKind::Rtl);
  TransferWorkload workload = result.workload;
  const bool parted = result.parting.has_value();
  if (parted) {
    failed = &*result.parting;
    workload = result.parting_workload;
  } else if (failed == nullptr || failed->outcome == common::Outcome::Pass) {
    return std::nullopt;
  } else if (failed->failed_between_sips) {
    FabricRun between = failed->between_sips.front();
    between.reason = failed->reason;
    workload.transfers = between.machine->sent.at(0);
    workload.between_nodes = true;
    if (workload.transfers.empty()) return std::nullopt;
    FabricRunOptions of_network = options;
    of_network.rtl.fault.reset();
    of_network.noc_fault = options.noc_fault_between_sips;
    return reproduction_of(*options.between_sips, workload, between, of_network);
  } else if (result.workload.machine != nullptr) {
    workload.transfers = failed->machine->sent.at(failed->failed_maze.value_or(0));
    workload.between_nodes = true;
  }
  if (workload.transfers.empty()) return std::nullopt;
  FabricRunOptions of_maze = options;
  if (failed->failed_maze.value_or(0) != 0) {
    of_maze.rtl.fault.reset();
    of_maze.noc_fault.reset();
  }
  Reproduction reproduction = reproduction_of(sip, workload, *failed, of_maze);
  reproduction.beside_reference = parted;
  return reproduction;
}

void write_reproduction(const std::filesystem::path& path, const Reproduction& reproduction,
                        common::ReportEnvelope envelope) {
  envelope.kind = sim::kReproductionKind;
  envelope.data = common::to_json(reproduction);
  common::write_report(path, envelope);
}

Reproduction read_reproduction(const std::filesystem::path& path) {
  return reproduction_in(common::read_report(path, sim::kReproductionKind), path.string());
}

Reproduction reproduction_in(const common::ReportEnvelope& report, const std::string& file) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::of_json(report.data, file, "data", diagnostics);
  common::Input<Reproduction> reproduction(document.root(), diagnostics, common::FormUse::Report);
  reproduction->sip.inter_cube = topology::InterCube::Maze;
  if (diagnostics.empty() && reproduction->network) open_network(*reproduction, file);
  if (diagnostics.empty()) check_rules(reproduction);
  reproduction->workload.between_nodes = true;
  diagnostics.throw_if_any();
  return *reproduction;
}

FabricRun replay(const Reproduction& reproduction,
                 std::function<std::shared_ptr<sim::NetworkDut>(std::uint64_t seed)> make_network,
                 const sim::TraceWindow& trace, sim::Extension* observer) {
  FabricRunOptions options;
  options.make_network = std::move(make_network);
  options.rtl.trace = trace;
  options.rtl.observer = observer;
  options.receiver_stalls = reproduction.receiver_stalls;
  options.seed = reproduction.stall_seed;
  return run_on_fabric(FabricKind::Rtl, reproduction.sip, reproduction.workload, options);
}

FabricRun replay(const Reproduction& reproduction, std::shared_ptr<const NocModel> model,
                 const sim::TraceWindow& trace, sim::Extension* observer) {
  FabricRunOptions options;
  options.noc = std::move(model);
  options.noc_fault = reproduction.noc_fault;
  options.rtl.seed = reproduction.fault_seed;
  options.rtl.trace = trace;
  options.rtl.observer = observer;
  options.receiver_stalls = reproduction.receiver_stalls;
  options.seed = reproduction.stall_seed;
  return run_on_fabric(FabricKind::Rtl, reproduction.sip, reproduction.workload, options);
}

FabricRun replay(const Reproduction& reproduction,
                 std::function<std::shared_ptr<sim::MazeDut>(std::uint64_t seed)> make_dut,
                 const sim::TraceWindow& trace, sim::Extension* observer) {
  FabricRunOptions options;
  options.nodes = model::fabric::MazeNodeKind::Ideal;
  options.make_dut = std::move(make_dut);
  options.rtl.fault = reproduction.fault;
  options.rtl.seed = reproduction.fault_seed;
  options.rtl.trace = trace;
  options.rtl.observer = observer;
  options.receiver_stalls = reproduction.receiver_stalls;
  options.seed = reproduction.stall_seed;
  if (reproduction.beside_reference) {
    return run_side_by_side(reproduction.sip, reproduction.workload, options);
  }
  return run_on_fabric(FabricKind::Rtl, reproduction.sip, reproduction.workload, options);
}

}  // namespace kernbench::cosim
