#include "cli/parameter_list.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::cli {

std::map<std::string, std::string> parameters_of(const std::vector<std::string>& set) {
  std::map<std::string, std::string> parameters;
  std::vector<std::string> errors;
  for (const std::string& assignment : set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      errors.push_back(fmt::format("--set takes NAME=VALUE, not '{}'", assignment));
    } else if (!parameters.emplace(assignment.substr(0, equals), assignment.substr(equals + 1))
                    .second) {
      errors.push_back(fmt::format("--set gives '{}' twice", assignment.substr(0, equals)));
    }
  }
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "\n")));
  return parameters;
}

}  // namespace kernbench::cli
