// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/command.hpp"
#include "common/outcome.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {

/// Returns the git description of the checkout at `root` ("1a2b3c4", with "-dirty" appended for
/// uncommitted changes), that of the checkout from which `root` was installed, or "unknown".
[[nodiscard]] std::string source_revision(const std::string& root);

/// Returns the envelope, still without data, of a report about the system of a topology file.
[[nodiscard]] common::ReportEnvelope topology_envelope(std::string kind, common::Outcome outcome,
                                                       const std::string& spec,
                                                       const Invocation& invocation);

}  // namespace kernbench::cli
