#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/enum_names.hpp"
#include "common/outcome.hpp"
#include "cosim/run/rtl_links.hpp"
#include "model/components/machine/machine_workload.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"
#include "model/fabric/trace/packet_trace.hpp"
#include "model/fabric/traffic/transfer_player.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cosim {

/// Who carries the transfers of a SIP (DESIGN section 6).
enum class FabricKind : std::uint8_t {
  Analytic,  ///< worked out hop by hop
  Cycle,     ///< the node model over the cycle reference
  Rtl,       ///< the node model over the verilated TOPO
};

inline constexpr std::array<common::EnumName<FabricKind>, 3> kFabricKindNames = {{
    {"analytic", FabricKind::Analytic},
    {"cycle", FabricKind::Cycle},
    {"rtl", FabricKind::Rtl},
}};

/// A workload of transfers between the cubes of a SIP.
struct TransferWorkload {
  std::string name;
  std::vector<model::fabric::TimedTransfer> transfers;
};

struct FabricRunOptions {
  model::fabric::AnalyticParameters analytic{};
  std::function<std::shared_ptr<sim::MazeDut>()> make_dut{};  ///< of the SIP's shape; Rtl needs it
  RtlLinksOptions rtl{};
  double receiver_stalls = 0.0;  ///< of Cycle and Rtl, see model::fabric::MazeNodeSettings
  std::uint64_t seed = 1;        ///< of those stalls
  /// Follow the packets of Cycle, and keep so much of it; of a machine also its hops. Changes
  /// nothing else.
  std::optional<model::fabric::PacketTrace::Detail> trace{};
};

/// What a workload did on one fabric.
struct FabricRun {
  FabricKind fabric = FabricKind::Analytic;
  common::Outcome outcome = common::Outcome::Pass;
  std::string reason;  ///< why it is not Pass
  /// By position in the workload: its transfers, or the operations of a machine.
  std::vector<model::fabric::PlayedTransfer> played;
  std::uint64_t transfers = 0;  ///< that were submitted
  std::uint64_t packets = 0;    ///< of all transfers
  std::size_t mazes = 1;        ///< a machine has one for each SIP
  std::size_t failed_maze = 0;  ///< of a run that failed: the SIP where it did
  // Of a machine, complete:
  std::vector<std::string> operations;       ///< names, by position
  std::optional<std::uint64_t> result_hash;  ///< of the numbers that it computed
  // Of Cycle and Rtl:
  std::uint64_t cycles = 0;                 ///< stepped, without those in which nothing was to do
  std::uint64_t packet_hash = 0;            ///< of every packet that left a link, and when
  std::vector<std::uint64_t> link_packets;  ///< of all SIPs; [node*ports + output port]
  // Of Cycle, if asked for:
  /// By SIP. Of a transfer workload, its transfers are those of the workload, in that order.
  std::vector<std::shared_ptr<const model::fabric::PacketTrace>> traces;
  std::shared_ptr<const model::trace::HopTrace> hops;  ///< of a machine
  // Of Rtl:
  std::string build_hash;  ///< of the RTL and all that its model was built from
  /// Of a machine: what it submitted to the MAZE of each SIP.
  std::vector<std::vector<model::fabric::TimedTransfer>> sent;
  std::vector<sim::CheckerResult> checkers;
  std::vector<sim::Failure> failures;
  std::optional<sim::CoverageData> coverage;  ///< none with a fault
  std::optional<sim::FaultResult> fault;
  double seconds = 0.0;  ///< host time; enters no hash

  [[nodiscard]] common::SimTime latency(std::size_t transfer) const {
    return *played[transfer].done - *played[transfer].submitted;
  }
};

/// Shape of the MAZE that joins the cubes of a SIP. Throws common::BadInput when none does.
[[nodiscard]] maze::Shape maze_shape(const topology::SipSpec& sip);

/// Notes where a run failed when there are several places: "SIP 1: ", or nothing.
[[nodiscard]] std::string failed_place(const FabricRun& run);

/// Runs a workload on one fabric in a simulation of its own. The result depends on the arguments
/// alone. Throws std::invalid_argument as Fabric::submit() does.
[[nodiscard]] FabricRun run_on_fabric(FabricKind kind, const topology::SipSpec& sip,
                                      const TransferWorkload& workload,
                                      const FabricRunOptions& options);
/// The same for a machine, the MAZE of each of its SIPs carried by such a fabric. Throws
/// std::logic_error for an operation that ends before it starts.
[[nodiscard]] FabricRun run_on_fabric(FabricKind kind, const topology::SipSpec& sip,
                                      const model::components::MachineWorkload& workload,
                                      const FabricRunOptions& options);

}  // namespace kernbench::cosim
