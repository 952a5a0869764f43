// SPDX-License-Identifier: Apache-2.0
#include "cosim/calibrate/calibration.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/base/console.hpp"
#include "cli/base/revision.hpp"
#include "cli/model/cosim_options.hpp"
#include "cli/model/envelope.hpp"
#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "cosim/calibrate/calibration_report.hpp"
#include "cosim/calibrate/parameters_file.hpp"
#include "topology/resolve/resolve_topology.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cli {

using common::BadInput;
using common::Outcome;

Outcome calibrate_fabric(const CosimCommandOptions& options, std::vector<std::string> patterns,
                         const Invocation& invocation) {
  if (!options.trace.empty() || !options.fault.empty()) {
    throw BadInput("--calibrate cannot be combined with --trace or --fault");
  }
  cosim::CalibrationOptions fit{.nodes = cosim::nodes_of(options),
                                .patterns = std::move(patterns),
                                .warmup = options.settings.warmup,
                                .cycles = options.settings.cycles,
                                .seed = options.settings.seed,
                                .jobs = options.jobs};
  if (!options.parameters.empty()) fit.start = cosim::read_parameters(options.parameters);
  const topology::ResolvedTopology resolved = topology::resolve_topology(options.topology);
  const topology::SipSpec sip = cosim::sip_of(options, resolved.graph, /*clocked=*/true);
  const auto parts = parts_of(options.parts, invocation, options.job_output());
  fit.parts = parts.get();
  // Opened before the run, so that an unwritable path fails at once.
  common::AtomicFile parameters(options.parts.is_task() ? "/dev/null" : options.calibrate);
  std::optional<common::AtomicFile> json;
  std::optional<common::AtomicFile> html;
  if (!options.files.json.empty()) json.emplace(options.files.json);
  if (!options.files.html.empty()) html.emplace(options.files.html);

  const cosim::CalibrationResult result = cosim::calibrate(sip, fit);
  print("{}: seed {}; errors of analytic against cycle\n\n{}", options.topology, fit.seed,
        cosim::calibration_text(result));
  parameters.stream() << cosim::parameters_text(
      result.fitted, fmt::format("Fitted by: {}", invocation.command_line()));
  const common::ReportEnvelope report = {.kind = std::string(cosim::kCalibrationReport.name),
                                         .outcome = result.outcome,
                                         .seed = fit.seed,
                                         .config_hash = cosim::calibration_config_hash(sip, fit),
                                         .revision = source_revision(),
                                         .plugins = reported_plugins(),
                                         .command = invocation.command_line(),
                                         .data = common::to_json(result)};
  if (json) {
    json->stream() << common::render_report(report);
    json->commit();
  }
  if (html) {
    html->stream() << plot::page_of(cosim::kCalibrationReport, report);
    html->commit();
  }
  parameters.commit();
  return result.outcome;
}

}  // namespace kernbench::cli
