#pragma once

#include <map>
#include <string>
#include <vector>

namespace kernbench::cli {

/// Parameters of benches from what --set was given, "m=512" each. Throws std::invalid_argument with
/// a line for each that is no NAME=VALUE or is given twice.
[[nodiscard]] std::map<std::string, std::string> parameters_of(const std::vector<std::string>& set);

}  // namespace kernbench::cli
