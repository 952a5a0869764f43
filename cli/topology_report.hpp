#pragma once

#include <string>

#include "cli/command.hpp"
#include "common/outcome.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {

/// The envelope of a report on the system of a topology file; its data are still to come.
[[nodiscard]] common::ReportEnvelope topology_report(std::string kind, common::Outcome outcome,
                                                     const std::string& spec,
                                                     const Invocation& invocation);

}  // namespace kernbench::cli
