// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "cosim/run/divergence.hpp"
#include "cosim/workload/transfer_trace.hpp"
#include "sim/stimulus/pin_trace.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::BadInput;
using nlohmann::json;

namespace {

/// Returns the value at `key`, converted to the requested type.
template <typename T>
T field(const json& data, const std::string& file, const char* key) {
  try {
    return data.at(key).get<T>();
  } catch (const json::exception& error) {
    throw BadInput(fmt::format("{}: data.{}: {}", file, key, error.what()));
  }
}

/// Returns the whole number at `key`, which must lie within limits.
std::uint64_t number(const json& data, const std::string& file, const char* key,
                     std::uint64_t least, std::uint64_t most) {
  const json value = field<json>(data, file, key);
  if (value.is_number_unsigned() && value >= least && value <= most) return value;
  throw BadInput(fmt::format("{}: data.{} must be a whole number from {} to {}, not {}", file, key,
                             least, most, value.dump()));
}

json fault_json(const sim::FaultSpec& fault) {
  json result = {{"kind", sim::fault_name(fault.kind)},
                 {"cycle", fault.cycle},
                 {"duration", fault.duration},
                 {"link", nullptr}};
  if (fault.link) result["link"] = {{"node", fault.link->node}, {"port", fault.link->port}};
  return result;
}

sim::FaultSpec fault_of(const json& data, const std::string& file, const maze::Shape& shape) {
  sim::FaultSpec fault;
  const auto name = field<std::string>(data, file, "kind");
  const auto kind = sim::fault_from_name(name);
  if (!kind) throw BadInput(fmt::format("{}: data.fault.kind: unknown fault '{}'", file, name));
  fault.kind = *kind;
  fault.cycle = number(data, file, "cycle", 0, ~std::uint64_t{0});
  fault.duration = number(data, file, "duration", 0, ~std::uint64_t{0});
  const json link = field<json>(data, file, "link");
  if (!link.is_null()) {
    fault.link =
        sim::LinkEnd{static_cast<unsigned>(number(link, file, "node", 0, shape.nodes() - 1)),
                     static_cast<unsigned>(number(link, file, "port", 0, shape.ports() - 1))};
  }
  return fault;
}

}  // namespace

Reproduction reproduction_of(const topology::SipSpec& sip, const TransferWorkload& workload,
                             const FabricRun& run, const FabricRunOptions& options) {
  Reproduction reproduction;
  reproduction.sip = sip;
  reproduction.nodes = run.nodes;
  reproduction.workload.name = workload.name;
  for (std::size_t i = 0; i < workload.transfers.size(); ++i) {
    // Transfers are in time order: after the first one not submitted, none was. All transfers of a
    // machine were submitted.
    if (i < run.played.size() && !run.played[i].submitted) break;
    reproduction.workload.transfers.push_back(workload.transfers[i]);
  }
  reproduction.fault = options.rtl.fault;
  reproduction.fault_seed = options.rtl.seed;
  reproduction.receiver_stalls = options.receiver_stalls;
  reproduction.stall_seed = options.seed;
  reproduction.failure = run.reason;
  reproduction.cycle = run.rtl->failures.empty() ? RtlLinks::kResetCycles + run.clocked->cycles
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
  } else if (result.workload.machine != nullptr) {
    workload.transfers = failed->machine->sent.at(failed->failed_maze.value_or(0));
  }
  if (workload.transfers.empty()) return std::nullopt;
  FabricRunOptions of_maze = options;
  if (failed->failed_maze.value_or(0) != 0) of_maze.rtl.fault.reset();
  Reproduction reproduction = reproduction_of(sip, workload, *failed, of_maze);
  reproduction.beside_reference = parted;
  return reproduction;
}

void write_reproduction(const std::filesystem::path& path, const Reproduction& reproduction,
                        common::ReportEnvelope envelope) {
  const topology::MazeSpec& maze = reproduction.sip.maze;
  json transfers = json::array();
  for (const auto& transfer : reproduction.workload.transfers) {
    transfers.push_back(transfer_json(transfer));
  }
  envelope.kind = sim::kReproductionKind;
  envelope.data = {
      {"nx", reproduction.sip.cube_mesh_w},
      {"ny", reproduction.sip.cube_mesh_h},
      {"flit_bits", maze.flit_bits},
      {"clock_ps", common::SimTime::from_ns(maze.clock_ns).ps()},
      {"order", common::name_of(topology::kDimensionOrderNames, maze.order)},
      {"nodes", common::name_of(model::fabric::kMazeNodeKindNames, reproduction.nodes)},
      {"failed_node", maze.failed_node ? json(*maze.failed_node) : json(nullptr)},
      {"fault", reproduction.fault ? fault_json(*reproduction.fault) : json(nullptr)},
      {"fault_seed", reproduction.fault_seed},
      {"receiver_stalls", reproduction.receiver_stalls},
      {"stall_seed", reproduction.stall_seed},
      {"beside_reference", reproduction.beside_reference},
      {"failure", reproduction.failure},
      {"cycle", reproduction.cycle},
      {"workload", reproduction.workload.name},
      {"transfers", std::move(transfers)}};
  common::write_report(path, envelope);
}

Reproduction read_reproduction(const std::filesystem::path& path) {
  return reproduction_in(common::read_report(path, sim::kReproductionKind), path.string());
}

Reproduction reproduction_in(const common::ReportEnvelope& report, const std::string& file) {
  const json& data = report.data;
  if (!data.is_object()) throw BadInput(fmt::format("{}: data must be an object", file));
  Reproduction reproduction;
  topology::SipSpec& sip = reproduction.sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = static_cast<std::uint32_t>(number(data, file, "nx", 2, 16));
  sip.cube_mesh_h = static_cast<std::uint32_t>(number(data, file, "ny", 2, 16));
  sip.maze.flit_bits = static_cast<std::uint32_t>(number(data, file, "flit_bits", 1, 32));
  sip.maze.clock_ns = common::SimTime::from_ps(static_cast<std::int64_t>(number(
                                                   data, file, "clock_ps", 1, 1'000'000'000)))
                          .ns();
  const auto order = field<std::string>(data, file, "order");
  const auto& orders = topology::kDimensionOrderNames;
  const auto* known = std::find_if(orders.begin(), orders.end(),
                                   [&](const auto& row) { return row.first == order; });
  if (known == orders.end()) {
    throw BadInput(fmt::format("{}: data.order must be xy or yx, not '{}'", file, order));
  }
  sip.maze.order = known->second;
  const auto nodes = field<std::string>(data, file, "nodes");
  if (nodes != "maze" && nodes != "ideal") {
    throw BadInput(fmt::format("{}: data.nodes must be maze or ideal, not '{}'", file, nodes));
  }
  reproduction.nodes =
      nodes == "maze" ? model::fabric::MazeNodeKind::Maze : model::fabric::MazeNodeKind::Ideal;
  if (!field<json>(data, file, "failed_node").is_null()) {
    sip.maze.failed_node = static_cast<std::uint32_t>(
        number(data, file, "failed_node", 0, sip.cube_mesh_w * sip.cube_mesh_h - 1));
  }
  const json fault = field<json>(data, file, "fault");
  if (!fault.is_null()) reproduction.fault = fault_of(fault, file, maze_shape(sip));
  reproduction.fault_seed = number(data, file, "fault_seed", 0, ~std::uint64_t{0});
  reproduction.receiver_stalls = field<double>(data, file, "receiver_stalls");
  if (!(reproduction.receiver_stalls >= 0 && reproduction.receiver_stalls <= 1)) {
    throw BadInput(fmt::format("{}: data.receiver_stalls must be from 0 to 1", file));
  }
  reproduction.stall_seed = number(data, file, "stall_seed", 0, ~std::uint64_t{0});
  reproduction.beside_reference = field<bool>(data, file, "beside_reference");
  reproduction.failure = field<std::string>(data, file, "failure");
  reproduction.cycle = number(data, file, "cycle", 0, ~std::uint64_t{0});
  reproduction.workload.name = field<std::string>(data, file, "workload");
  common::ReportEnvelope trace;
  trace.kind = "transfer-trace";
  trace.data = field<json>(data, file, "transfers");
  reproduction.workload.transfers = parse_transfer_trace(
      common::render_report(trace), "transfers.json", sip.cube_mesh_w * sip.cube_mesh_h);
  return reproduction;
}

FabricRun replay(const Reproduction& reproduction,
                 std::function<std::shared_ptr<sim::NetworkDut>(std::uint64_t seed)> make_network,
                 const std::optional<sim::NetworkTrace>& trace) {
  FabricRunOptions options;
  options.make_network = std::move(make_network);
  options.network_trace = trace;
  options.receiver_stalls = reproduction.receiver_stalls;
  options.seed = reproduction.stall_seed;
  return run_on_fabric(FabricKind::Rtl, reproduction.sip, reproduction.workload, options);
}

FabricRun replay(const Reproduction& reproduction,
                 std::function<std::shared_ptr<sim::MazeDut>(std::uint64_t seed)> make_dut,
                 const sim::TraceWindow& trace) {
  FabricRunOptions options;
  options.nodes = model::fabric::MazeNodeKind::Ideal;
  options.make_dut = std::move(make_dut);
  options.rtl.fault = reproduction.fault;
  options.rtl.seed = reproduction.fault_seed;
  options.rtl.trace = trace;
  options.receiver_stalls = reproduction.receiver_stalls;
  options.seed = reproduction.stall_seed;
  if (reproduction.beside_reference) {
    return run_side_by_side(reproduction.sip, reproduction.workload, options);
  }
  return run_on_fabric(FabricKind::Rtl, reproduction.sip, reproduction.workload, options);
}

}  // namespace kernbench::cosim
