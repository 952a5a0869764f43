#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/report_envelope.hpp"
#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// Everything that it takes to see a failure of the RTL under a workload again: nothing else is
/// read but the RTL.
struct Reproduction {
  topology::SipSpec sip;      ///< of which the MAZE and its size count
  TransferWorkload workload;  ///< what was submitted until it failed
  std::optional<sim::FaultSpec> fault;
  std::uint64_t fault_seed = 1;  ///< of a fault without a link
  double receiver_stalls = 0.0;
  std::uint64_t stall_seed = 1;
  /// The RTL ran to its end, but not as the cycle reference did: both have to run side by side.
  bool beside_reference = false;
  std::string failure;      ///< as the run told it
  std::uint64_t cycle = 0;  ///< of the RTL, in which it was seen
};

/// Of a run over the RTL that failed.
[[nodiscard]] Reproduction reproduction_of(const topology::SipSpec& sip,
                                           const TransferWorkload& workload, const FabricRun& run,
                                           const FabricRunOptions& options);

/// Of a workload that failed over the RTL, or over which RTL and cycle reference part; none when
/// nothing is there to be repeated. `options` are those of the run.
[[nodiscard]] std::optional<Reproduction> reproduction_of(const topology::SipSpec& sip,
                                                          const CosimResult& result,
                                                          const FabricRunOptions& options);

/// Writes it as JSON, kind "cosim-reproduction", whole or not at all. Of `envelope`, kind and data
/// are filled in. Throws common::BadInput when `path` cannot be written.
void write_reproduction(const std::filesystem::path& path, const Reproduction& reproduction,
                        common::ReportEnvelope envelope);

/// Throws common::BadInput for anything that write_reproduction() would not have written.
[[nodiscard]] Reproduction read_reproduction(const std::filesystem::path& path);

/// Runs it on a fabric of `make_dut`, with waves if `trace` has a path.
[[nodiscard]] FabricRun replay(const Reproduction& reproduction,
                               std::function<std::shared_ptr<sim::MazeDut>()> make_dut,
                               const sim::TraceWindow& trace);

}  // namespace kernbench::cosim
