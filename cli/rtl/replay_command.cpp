// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "cli/base/command.hpp"
#include "cli/rtl/sim_options.hpp"
#include "cli/rtl/sim_pin_replay.hpp"
#include "cli/rtl/sim_selection.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

/// Replays a failure of a co-simulation, or a pin-trace.
Outcome replay_on_rtl(const SimOptions& options, const Invocation& invocation) {
  check_sources(options, invocation.root);
  constexpr std::array kKinds = {sim::kReproductionKind, sim::kPinTraceKind};
  const common::ReportEnvelope report = common::read_report(options.replay, kKinds);
  if (report.kind == sim::kPinTraceKind) {
    return replay_pin_trace(sim::pin_trace_of(report, options.replay), options, invocation.root);
  }
  if (!invocation.parts.replay.cosimulation) fail_not_in_this_build("replay of a co-simulation");
  return invocation.parts.replay.cosimulation(report, options, invocation.root);
}

/// Throws BadInput if an option is given that belongs to replays of the other kind.
void require_options_of(const Command& replay, bool of_traces) {
  for (const auto& option : replay.options()) {
    const bool is_of_rtl = option->group == kReplayOfRtl;
    const bool is_of_traces = option->group == kReplayOfTraces;
    if (!option->is_given || !(of_traces ? is_of_rtl : is_of_traces)) continue;
    throw common::BadInput(fmt::format(
        "{} goes with {} only", option->name(),
        of_traces ? "a failure or a pin-trace (.json)" : "execution traces (PREFIX.et)"));
  }
}

}  // namespace

void add_replay_command(Command& program, const Invocation& invocation) {
  const auto options = std::make_shared<SimOptions>();
  Command& replay = program.add_command(
      "replay", "Replay a failure of a co-simulation, a pin-trace or execution traces");
  describe_replay(replay, *options, invocation);
  const Parts::Replay& part = invocation.parts.replay;
  const std::function<Outcome(const std::string& prefix)> traces =
      part.describe_traces ? part.describe_traces(replay, invocation) : nullptr;
  replay.footer =
      "Examples:\n"
      "  kernbench replay build/reports/cosim-1.json    a failure of cosim, with waves\n"
      "  kernbench replay pins.json --rtl-dir my_rtl    a pin-trace on other RTL\n"
      "  kernbench replay traces/step.et                the traces traces/step.RANK.et";
  replay.run = [&replay, options, traces, &invocation] {
    const std::optional<std::string> prefix = prefix_of_traces(options->replay);
    require_options_of(replay, prefix.has_value());
    if (!prefix) return replay_on_rtl(*options, invocation);
    if (!traces) fail_not_in_this_build("replay of execution traces");
    return traces(*prefix);
  };
}

}  // namespace kernbench::cli
