#pragma once

#include <filesystem>
#include <string>

#include "model/fabric/analytic/analytic_parameters.hpp"

namespace kernbench::cosim {

/// Parameters of the analytic fabric as YAML: a map `analytic`, a key for each; one that is absent
/// has its default. Throws common::BadInput with file, line and column of everything that is wrong.
[[nodiscard]] model::fabric::AnalyticParameters read_parameters(const std::filesystem::path& path);

/// What read_parameters() reads; `origin` goes into its first line, as a comment.
[[nodiscard]] std::string parameters_text(const model::fabric::AnalyticParameters& parameters,
                                          const std::string& origin);

}  // namespace kernbench::cosim
