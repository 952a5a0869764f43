#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "cosim/run/fabric_comparison.hpp"
#include "cosim/run/fabric_run.hpp"
#include "model/fabric/trace/lost_time.hpp"
#include "sim/cover/coverage_summary.hpp"

namespace kernbench::cosim {

/// A workload of synthetic traffic: what of it is measured.
struct OfferedLoad {
  double load = 0;           ///< packets per sender and cycle
  std::uint64_t warmup = 0;  ///< cycles before those that are measured
  std::uint64_t cycles = 0;  ///< that are measured
  std::size_t senders = 0;
};

/// A workload: transfers, and where they belong on a curve of latency against load, or a machine.
struct CosimWorkload : TransferWorkload {
  std::optional<OfferedLoad> offered;  ///< of synthetic traffic
  /// Makes the transfers, if set: there are none in the list then.
  std::shared_ptr<const model::components::MachineWorkload> machine;
  std::string machine_config;  ///< all that decides what the machine does
};

/// A workload on all fabrics.
struct CosimResult {
  CosimWorkload workload;
  std::vector<FabricRun> runs;  ///< in the order in which the fabrics were asked for
  common::Outcome outcome = common::Outcome::Pass;
  std::string reason;  ///< why it is not Pass
  /// Where cycle reference and RTL part although both ran to their ends: a run of the RTL beside
  /// the reference, which stops there, and what was submitted up to then.
  std::optional<FabricRun> parting;
  TransferWorkload parting_workload;

  [[nodiscard]] const FabricRun* run(FabricKind kind) const;
  /// The run that the others are held against: the RTL's, or the next best. Null when it is not
  /// complete.
  [[nodiscard]] const FabricRun* reference() const;
};

struct CosimOptions {
  std::vector<FabricKind> fabrics;
  FabricRunOptions run;
  bool trace_first = false;  ///< follow all packets of the first workload, see FabricRunOptions
  unsigned jobs = 1;
  std::function<void(const CosimWorkload&, const FabricRun&)> run_done{};  ///< from any thread
};

/// Runs every workload on every fabric, several at a time; the results do not depend on the number
/// of jobs. A workload passes when every fabric delivered everything, no checker failed, cycle
/// reference and RTL agree in every packet, and all fabrics in the operations of a machine and in
/// the numbers that it computed.
[[nodiscard]] std::vector<CosimResult> run_cosim(const topology::SipSpec& sip,
                                                 const std::vector<CosimWorkload>& workloads,
                                                 const CosimOptions& options);

/// Where the latency of a unicast went over the cycle reference, as its trace says; none without.
[[nodiscard]] std::optional<model::fabric::LostTime> lost_time_of(const CosimResult& result,
                                                                  std::size_t transfer);

/// The first transfer of which the latency counts: that is submitted after the warm-up. 0 for what
/// has none.
[[nodiscard]] std::size_t first_measured(const CosimWorkload& workload,
                                         const topology::SipSpec& sip);

/// Packets per sender and cycle that were delivered while it was measured.
[[nodiscard]] double accepted_load(const CosimWorkload& workload, const FabricRun& run,
                                   const topology::SipSpec& sip);

/// Of all runs over the RTL; nothing when none was collected.
[[nodiscard]] sim::CoverageSummary rtl_coverage(const std::vector<CosimResult>& results);

/// Packets over each link per cycle from time 0 to the last completion, [node*ports + port]; of
/// several SIPs the mean.
[[nodiscard]] std::vector<double> link_utilization(const FabricRun& run,
                                                   const topology::SipSpec& sip);

}  // namespace kernbench::cosim
