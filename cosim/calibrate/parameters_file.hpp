// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "model/fabric/analytic/analytic_parameters.hpp"

namespace kernbench::cosim {

/// The file of parameters.
struct ParametersFile {
  model::fabric::AnalyticParameters analytic;
};
extern const common::InputKind kParametersFile;

/// Reads parameters of the analytic fabric from YAML: a map `analytic` with a key per parameter.
/// Absent keys have their default. Throws common::BadInput with file, line and column of all
/// errors.
[[nodiscard]] model::fabric::AnalyticParameters read_parameters(const std::filesystem::path& path);

/// Returns the text of a file for read_parameters(). Its first line is the comment `origin`.
[[nodiscard]] std::string parameters_text(const model::fabric::AnalyticParameters& parameters,
                                          const std::string& origin);

}  // namespace kernbench::cosim

template <>
const kernbench::common::Description<kernbench::model::fabric::AnalyticParameters>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::cosim::ParametersFile>&
kernbench::common::description_of();
