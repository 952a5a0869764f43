// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/outcome.hpp"
#include "cosim/run/flit_trace.hpp"
#include "cosim/run/rtl_links.hpp"
#include "cosim/run/rtl_network.hpp"
#include "model/components/machine/machine_workload.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"
#include "model/fabric/clocked/link_load.hpp"
#include "model/fabric/seam/fabric_kind.hpp"
#include "model/fabric/seam/maze_node_kind.hpp"
#include "model/fabric/trace/packet_trace.hpp"
#include "model/fabric/traffic/transfer_player.hpp"
#include "sim/noc/noc_coverage.hpp"
#include "sim/noc/noc_fault.hpp"
#include "sim/regression/case_result.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::cosim {

struct NocModel;

using model::fabric::FabricKind;
using model::fabric::kFabricKindNames;

/// A workload of transfers between the cubes of a SIP, or between the nodes of their network.
struct TransferWorkload {
  std::string name;
  std::vector<model::fabric::TimedTransfer> transfers;
  bool between_nodes = false;
};

struct FabricRunOptions {
  model::fabric::MazeNodeKind nodes = model::fabric::MazeNodeKind::Maze;
  /// Parameters of Analytic. By default those of the nodes.
  std::optional<model::fabric::AnalyticParameters> analytic{};
  /// Makes a network of the SIP's shape. Required by Rtl.
  std::function<std::shared_ptr<sim::NetworkDut>(std::uint64_t seed)> make_network{};
  /// Makes a TOPO of the SIP's shape. Required by Rtl with ideal nodes.
  std::function<std::shared_ptr<sim::MazeDut>(std::uint64_t seed)> make_dut{};
  std::shared_ptr<const NocModel> noc{};  ///< model of a network of routers. Required by its Rtl
  std::optional<sim::NocFaultKind> noc_fault{};  ///< fault to inject into the first such network
  /// The network of routers that joins the SIPs of a machine, as that of a SIP whose cubes stand
  /// for the SIPs; null without one. Its model is required by Rtl.
  std::shared_ptr<const topology::SipSpec> between_sips{};
  std::shared_ptr<const NocModel> noc_between_sips{};
  std::optional<sim::NocFaultKind> noc_fault_between_sips{};
  RtlLinksOptions rtl{};         ///< options of Rtl; only ideal nodes have its watchdog and fault
  double receiver_stalls = 0.0;  ///< Cycle and Rtl, see model::fabric::MazeSettings
  std::uint64_t seed = 1;        ///< seed of the receiver stalls
  /// Level of detail at which Cycle traces its packets (and, for a machine, its hops). Does not
  /// affect results.
  std::optional<model::fabric::PacketTrace::Detail> trace{};
};

/// Results that only the workload of a machine has.
struct MachineResults {
  std::vector<std::string> operations;       ///< names, in the order of FabricRun::played
  std::optional<std::uint64_t> result_hash;  ///< hash of the numbers that the machine computed
  std::shared_ptr<const model::trace::HopTrace> hops;  ///< Cycle only, when a trace was requested
  /// Transfers that the machine submitted to the MAZE of each SIP. Rtl only.
  std::vector<std::vector<model::fabric::TimedTransfer>> sent;
};

/// Results that only the clocked fabrics, Cycle and Rtl, have. Sums are over all SIPs.
struct ClockedResults {
  std::uint64_t cycles = 0;       ///< cycles that were stepped; idle ones are skipped
  std::uint64_t packet_hash = 0;  ///< hash of the packets that left a link, and when
  /// Packets per link: [node*ports + output port] of a MAZE, [channel] of another network.
  std::vector<std::uint64_t> link_packets;
  model::fabric::LinkWindows link_windows;  ///< the same packets over time
  /// One trace per SIP, with the transfers in the order of submission. Cycle only, when a trace was
  /// requested.
  std::vector<std::shared_ptr<const model::fabric::PacketTrace>> traces;
  /// The same of networks of routers. They stay in the process that wrote them: only --trace needs
  /// them.
  std::vector<std::shared_ptr<const FlitTrace>> flit_traces;
};

/// Adds the coverage of one fabric.
template <class Coverage>
void merge_coverage(std::optional<Coverage>& all, const Coverage& one) {
  if (all) {
    all->merge(one);
  } else {
    all = one;
  }
}

/// Results that only Rtl has.
struct RtlResults {
  std::string build_hash;  ///< hash of the RTL and of everything else that its model is built from
  std::vector<sim::CheckerResult> checkers;
  std::vector<sim::Failure> failures;
  // Coverage is absent in a run with a fault.
  std::optional<sim::CoverageData> coverage;  ///< ideal nodes only
  std::optional<sim::NetworkCoverage> network_coverage;
  std::optional<sim::NocHits> noc_hits;  ///< hits of NocModel::bins
  std::optional<sim::FaultResult> fault;
};

/// Results of a workload on one fabric.
struct FabricRun {
  FabricKind fabric = FabricKind::Analytic;
  bool at_routers = false;  ///< true for a network of routers, false for a MAZE
  model::fabric::MazeNodeKind nodes = model::fabric::MazeNodeKind::Maze;
  common::Outcome outcome = common::Outcome::Pass;
  std::string reason;  ///< why the outcome is not Pass
  /// The workload's transfers, or the operations of a machine, in the order of the workload.
  std::vector<model::fabric::PlayedTransfer> played;
  std::uint64_t transfers = 0;             ///< submitted transfers
  std::uint64_t packets = 0;               ///< packets of all transfers
  std::size_t mazes = 1;                   ///< one per SIP of a machine
  std::optional<std::size_t> failed_maze;  ///< SIP whose MAZE failed, if one did
  double seconds = 0.0;                    ///< host time; not part of any hash

  std::optional<MachineResults> machine;
  std::optional<ClockedResults> clocked;
  std::optional<RtlResults> rtl;
  /// Run of the network between the SIPs of a machine, without operations; empty without a network.
  std::vector<FabricRun> between_sips;
  bool failed_between_sips = false;

  [[nodiscard]] common::SimTime latency(std::size_t transfer) const {
    return *played[transfer].done - *played[transfer].submitted;
  }
};

/// Return the keys of the fabric that joins the cubes of a SIP, and what follows from them. Throw
/// common::BadInput when the cubes are joined by a UCIe mesh.
[[nodiscard]] const topology::FabricSpec& fabric_spec(const topology::SipSpec& sip);
[[nodiscard]] common::SimTime period_of(const topology::SipSpec& sip);
[[nodiscard]] std::uint32_t packet_bits_of(const topology::SipSpec& sip);
/// Returns what crosses a link of the fabric in a cycle: "packet", or "flit" between routers.
[[nodiscard]] std::string_view unit_of(const topology::SipSpec& sip);

/// Returns the transfers of a workload between the nodes of the fabric: cubes are those of a MAZE,
/// and the endpoints of a network of routers.
[[nodiscard]] std::vector<model::fabric::TimedTransfer> transfers_between_nodes(
    const topology::SipSpec& sip, const TransferWorkload& workload);

/// Returns the shape of the MAZE that joins the cubes of a SIP. Throws common::BadInput when the
/// cubes are not joined by a MAZE.
[[nodiscard]] maze::Shape maze_shape(const topology::SipSpec& sip);

/// Returns the ports that the failures of a run name: those of links with ideal nodes, else those
/// of a network. `maze`, the links of its MAZE, must outlive them. Failures of a network of routers
/// name none.
[[nodiscard]] sim::Ports ports_of(const FabricRun& run,
                                  const std::optional<topology::MazeLinks>& maze);

/// Returns FabricRunOptions::between_sips of a system.
[[nodiscard]] std::shared_ptr<const topology::SipSpec> between_sips_of(
    const topology::TopologySpec& spec);

/// Returns "SIP 1: " when one of several MAZEs failed, "between SIPs: " when their network did, and
/// "" otherwise.
[[nodiscard]] std::string failed_place(const FabricRun& run);

/// Returns the parts of a run that have links and checkers: that of the SIPs, and that between
/// them.
[[nodiscard]] std::vector<const FabricRun*> networks_of(const FabricRun& run);

/// Runs a workload on one fabric in its own simulation. The result depends only on the arguments.
/// Throws std::invalid_argument as Fabric::submit() does.
[[nodiscard]] FabricRun run_on_fabric(FabricKind kind, const topology::SipSpec& sip,
                                      const TransferWorkload& workload,
                                      const FabricRunOptions& options);
/// Runs a machine whose SIPs each have their own fabric of this kind. Throws std::logic_error when
/// an operation ends before it starts.
[[nodiscard]] FabricRun run_on_fabric(FabricKind kind, const topology::SipSpec& sip,
                                      const model::components::MachineWorkload& workload,
                                      const FabricRunOptions& options);

}  // namespace kernbench::cosim
