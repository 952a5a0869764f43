// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "model/fabric/analytic/analytic_parameters.hpp"

namespace kernbench::cosim {

/// Reads parameters of the analytic fabric from YAML: a map `analytic` with a key per parameter.
/// Absent keys have their default. Throws common::BadInput with file, line and column of all
/// errors.
[[nodiscard]] model::fabric::AnalyticParameters read_parameters(const std::filesystem::path& path);

/// Returns the text of a file for read_parameters(). Its first line is the comment `origin`.
[[nodiscard]] std::string parameters_text(const model::fabric::AnalyticParameters& parameters,
                                          const std::string& origin);

}  // namespace kernbench::cosim
