// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "common/report_envelope.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/workload/recorded_network.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

/// Everything except the RTL itself that is needed to reproduce a failure of the RTL.
struct Reproduction {
  topology::SipSpec sip;  ///< only the MAZE or network, and the size, matter
  model::fabric::MazeNodeKind nodes = model::fabric::MazeNodeKind::Maze;
  TransferWorkload workload;  ///< transfers submitted before the failure, between nodes
  std::optional<sim::FaultSpec> fault;
  std::optional<sim::NocFaultKind> noc_fault;  ///< in a network of routers
  std::uint64_t fault_seed = 1;                ///< seed of a fault without a link
  double receiver_stalls = 0.0;
  std::uint64_t stall_seed = 1;
  /// The RTL completed but differs from the cycle reference: a replay runs both side by side.
  bool beside_reference = false;
  std::string failure;                     ///< reason given by the run
  std::uint64_t cycle = 0;                 ///< cycle of the RTL in which the failure was detected
  std::optional<RecordedNetwork> network;  ///< network of a file that is read; `sip` has it, too
};

extern const common::InputKind kReproductionFile;

/// Makes the reproduction of a failed run over the RTL.
[[nodiscard]] Reproduction reproduction_of(const topology::SipSpec& sip,
                                           const TransferWorkload& workload, const FabricRun& run,
                                           const FabricRunOptions& options);

/// Makes the reproduction of a workload that failed over the RTL or for which RTL and cycle
/// reference differ. Returns nothing when nothing failed. `options` are those of
/// the run.
[[nodiscard]] std::optional<Reproduction> reproduction_of(const topology::SipSpec& sip,
                                                          const WorkloadResult& result,
                                                          const FabricRunOptions& options);

/// Writes a JSON report of kind sim::kReproductionKind atomically. Sets kind and data of
/// `envelope`. Throws common::BadInput when `path` cannot be written.
void write_reproduction(const std::filesystem::path& path, const Reproduction& reproduction,
                        common::ReportEnvelope envelope);

/// Returns the reproduction in an artefact of kind sim::kReproductionKind. `file` names the
/// artefact in errors. Throws as read_reproduction().
[[nodiscard]] Reproduction reproduction_in(const common::ReportEnvelope& report,
                                           const std::string& file);

/// Reads a reproduction. Throws common::BadInput for a file that write_reproduction() could not
/// have written.
[[nodiscard]] Reproduction read_reproduction(const std::filesystem::path& path);

/// Runs a reproduction with ideal nodes on a DUT of `make_dut`, with waves if `trace` has a path.
/// `observer`, unless null, sees every cycle of the RTL.
[[nodiscard]] FabricRun replay(
    const Reproduction& reproduction,
    std::function<std::shared_ptr<sim::MazeDut>(std::uint64_t seed)> make_dut,
    const sim::TraceWindow& trace, sim::Extension* observer = nullptr);
/// Runs any other reproduction of a MAZE on a network of `make_network`. `trace` and `observer` are
/// as above.
[[nodiscard]] FabricRun replay(
    const Reproduction& reproduction,
    std::function<std::shared_ptr<sim::NetworkDut>(std::uint64_t seed)> make_network,
    const sim::TraceWindow& trace, sim::Extension* observer = nullptr);
/// Runs a reproduction of a network of routers on a model of it. `trace` and `observer` are as
/// above.
[[nodiscard]] FabricRun replay(const Reproduction& reproduction,
                               std::shared_ptr<const NocModel> model, const sim::TraceWindow& trace,
                               sim::Extension* observer = nullptr);

}  // namespace kernbench::cosim

template <>
const kernbench::common::Description<kernbench::cosim::Reproduction>&
kernbench::common::description_of();
