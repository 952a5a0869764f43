// SPDX-License-Identifier: Apache-2.0
#include "cli/sim_replay.hpp"

#include <array>

#include "cli/sim_pin_replay.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {

common::Outcome replay(const SimOptions& options, const Invocation& invocation) {
  constexpr std::array kKinds = {sim::kReproductionKind, sim::kPinTraceKind};
  const common::ReportEnvelope report = common::read_report(options.replay, kKinds);
  if (report.kind == sim::kPinTraceKind) {
    return replay_pin_trace(sim::pin_trace_of(report, options.replay), options, invocation.root);
  }
  if (!invocation.parts.replay) fail_not_in_this_build("--replay of a co-simulation");
  return invocation.parts.replay(report, options, invocation.root);
}

}  // namespace kernbench::cli
