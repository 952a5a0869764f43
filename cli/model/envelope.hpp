// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/command.hpp"
#include "common/outcome.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {

/// Returns the envelope, still without data, of a report about the system of a topology file with
/// these settings (topology_settings()).
[[nodiscard]] common::ReportEnvelope topology_envelope(std::string_view kind,
                                                       common::Outcome outcome,
                                                       const std::string& spec,
                                                       const Invocation& invocation,
                                                       const std::vector<std::string>& settings);

/// Returns settings with the hashes of files that decide a result, for topology_envelope().
[[nodiscard]] std::vector<std::string> with_sources(
    std::vector<std::string> settings, const std::map<std::string, std::string>& sources);

/// Returns the loaded plugins, as reports have them.
[[nodiscard]] std::vector<common::ReportedPlugin> reported_plugins();

}  // namespace kernbench::cli
