// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/grade.hpp"
#include "common/outcome.hpp"
#include "common/parts.hpp"
#include "cosim/run/fabric_comparison.hpp"
#include "cosim/run/fabric_run.hpp"
#include "model/fabric/trace/lost_time.hpp"
#include "sim/cover/coverage_summary.hpp"

namespace kernbench::cosim {

/// Load of synthetic traffic, and the window of cycles that is measured.
struct OfferedLoad {
  double load = 0;           ///< packets per sender and cycle
  std::uint64_t warmup = 0;  ///< cycles before the measurement
  std::uint64_t cycles = 0;  ///< measured cycles
  std::size_t senders = 0;
};

/// A workload: a list of transfers, which may be synthetic traffic, or a machine.
struct Workload : TransferWorkload {
  std::optional<OfferedLoad> offered;  ///< set for synthetic traffic
  /// Makes the transfers, if set. The list of transfers is empty then.
  std::shared_ptr<const model::components::MachineWorkload> machine;
  std::string machine_config;  ///< everything that determines what the machine does
};

/// Results of a workload on all fabrics.
struct WorkloadResult {
  Workload workload;
  std::vector<FabricRun> runs;  ///< in the order of Options::fabrics
  common::Outcome outcome = common::Outcome::Pass;
  std::string reason;  ///< why the outcome is not Pass
  /// Set when cycle reference and RTL both completed but differ: a run of both side by side, which
  /// stops at the first difference.
  std::optional<FabricRun> parting;
  TransferWorkload parting_workload;    ///< transfers of the `parting` run
  std::shared_ptr<const NocModel> noc;  ///< FabricRunOptions::noc, whose bins runs have hit
  std::shared_ptr<const NocModel> noc_between_sips;  ///< the same between SIPs

  /// Returns the run on a fabric of this kind, or null.
  [[nodiscard]] const FabricRun* run(FabricKind kind) const;
  /// Returns the run that the others are compared with: the first that passed of RTL, cycle
  /// reference and analytic fabric. Null when none passed.
  [[nodiscard]] const FabricRun* reference() const;
};

/// Returns the worst outcome of the workloads; Vacuous without any.
[[nodiscard]] common::Outcome outcome_of(const std::vector<WorkloadResult>& results);

/// Returns the grade of the times of a run: all but the analytic fabric are simulated in full.
[[nodiscard]] common::Grade grade_of(const FabricRun& run);
/// Returns the worst grade of all runs.
[[nodiscard]] common::Grade grade_of(const std::vector<WorkloadResult>& results);

struct Options {
  std::vector<FabricKind> fabrics;
  FabricRunOptions run;
  bool trace_first = false;  ///< trace all packets of the first workload
  unsigned jobs = 1;
  bool fail_fast = false;  ///< start no workload after the first that does not pass
  std::function<void(const Workload&, const FabricRun&)> run_done{};  ///< called from any thread
  /// Runs the workloads in other processes; null: in threads of this one. Not with `fail_fast` or
  /// traces of all packets.
  common::Parts* parts = nullptr;
};

/// Runs every workload on every fabric, `jobs` at a time. The results do not depend on the number
/// of jobs. A workload passes when every fabric delivered everything, no checker failed, cycle
/// reference and RTL agree in every packet, and all fabrics agree in the operations of a machine
/// and in the numbers that it computed. Workloads that are not run because of `fail_fast` have no
/// result.
[[nodiscard]] std::vector<WorkloadResult> run_cosim(const topology::SipSpec& sip,
                                                    const std::vector<Workload>& workloads,
                                                    const Options& options);

/// Returns the kind of nodes that all runs had.
[[nodiscard]] model::fabric::MazeNodeKind nodes_of(const std::vector<WorkloadResult>& results);

/// Breaks down the latency of a unicast over the cycle reference. Returns nothing when its packets
/// were not traced.
[[nodiscard]] std::optional<model::fabric::LostTime> lost_time_of(const WorkloadResult& result,
                                                                  std::size_t transfer);

/// Returns the index of the first transfer submitted after the warm-up, or 0 for a workload without
/// one.
[[nodiscard]] std::size_t first_measured(const Workload& workload, const topology::SipSpec& sip);

/// Returns the packets delivered per sender and cycle during the measurement.
[[nodiscard]] double accepted_load(const Workload& workload, const FabricRun& run,
                                   const topology::SipSpec& sip);

/// Returns the merged coverage of all runs over the RTL. Empty when no coverage was collected.
[[nodiscard]] sim::CoverageSummary rtl_coverage(const std::vector<WorkloadResult>& results);

/// Returns the packets per link and cycle from time 0 to the last completion, as
/// ClockedResults::link_packets: the mean over all SIPs. Requires a clocked fabric.
[[nodiscard]] std::vector<double> link_utilization(const FabricRun& run,
                                                   const topology::SipSpec& sip);

}  // namespace kernbench::cosim
