// SPDX-License-Identifier: Apache-2.0
#include "cli/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/console.hpp"

namespace kernbench::cli {

using model::bench::RunResult;
using model::runtime::CheckReport;

namespace {

/// Returns the contracts of all calls together, under the name of the first that is broken.
CheckReport all_contracts(const RunResult& result) {
  CheckReport all;
  for (const CheckReport& one : result.contracts) {
    if (all.wrong == 0 && one.wrong != 0) {
      all.name = one.name;
      all.first_wrong = one.first_wrong;
    }
    all.elements += one.elements;
    all.wrong += one.wrong;
    all.worst = std::max(all.worst, one.worst);
  }
  return all;
}

}  // namespace

std::uint64_t compared_numbers(const RunResult& result) {
  std::uint64_t elements = all_contracts(result).elements;
  for (const CheckReport& check : result.checks) elements += check.elements;
  return elements;
}

bool has_wrong_numbers(const RunResult& result) {
  return all_contracts(result).wrong != 0 ||
         std::any_of(result.checks.begin(), result.checks.end(),
                     [](const CheckReport& check) { return check.wrong != 0; });
}

void print_checks(const RunResult& result) {
  const auto verdict_of = [](const CheckReport& check) {
    return check.wrong != 0 ? "FAIL" : check.elements == 0 ? "VACUOUS" : "PASS";
  };
  for (const CheckReport& check : result.checks) {
    print("{}  {}: {} elements, {} wrong, {:.3f} of the tolerance{}\n", verdict_of(check),
          check.name, check.elements, check.wrong, check.worst,
          check.wrong == 0 ? std::string() : fmt::format("; first {}", check.first_wrong));
  }
  if (result.contracts.empty()) return;
  const CheckReport all = all_contracts(result);
  print(
      "{}  contracts of {} calls of collectives: {} elements, {} wrong, {:.3f} of the rounding "
      "bound{}\n",
      verdict_of(all), result.contracts.size(), all.elements, all.wrong, all.worst,
      all.wrong == 0 ? std::string() : fmt::format("; first {}: {}", all.name, all.first_wrong));
}

nlohmann::json checks_json(const RunResult& result) {
  nlohmann::json checks = nlohmann::json::array();
  for (const CheckReport& check : result.checks) {
    checks.push_back({{"name", check.name},
                      {"elements", check.elements},
                      {"wrong", check.wrong},
                      {"worst", check.worst}});
  }
  return checks;
}

nlohmann::json contracts_json(const RunResult& result) {
  const CheckReport all = all_contracts(result);
  return {{"calls", result.contracts.size()},
          {"elements", all.elements},
          {"wrong", all.wrong},
          {"worst", all.worst}};
}

}  // namespace kernbench::cli
