// SPDX-License-Identifier: Apache-2.0
#include "common/outcome.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/outcome_names.hpp"

namespace kernbench::common {
namespace {

struct OutcomeRow {
  std::string_view name;
  int exit_code;
};

// Indexed by Outcome.
constexpr std::array<OutcomeRow, 8> kRows = {{
    {"pass", 0},
    {"vacuous", 1},
    {"mismatch", 1},
    {"timeout", 3},
    {"deadlock", 4},
    {"bad-input", 2},
    {"interrupted", 130},
    {"internal-error", 5},
}};

const OutcomeRow& row(Outcome outcome) {
  return kRows.at(static_cast<std::size_t>(outcome));
}

}  // namespace

int exit_code(Outcome outcome) {
  return row(outcome).exit_code;
}

std::vector<std::string> outcome_names() {
  std::vector<std::string> names;
  for (const OutcomeRow& one : kRows) names.emplace_back(one.name);
  return names;
}

std::string_view name(Outcome outcome) {
  return row(outcome).name;
}

std::optional<Outcome> outcome_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<Outcome>(i);
  }
  return std::nullopt;
}

Outcome worst(Outcome a, Outcome b) {
  return std::max(a, b);
}

}  // namespace kernbench::common
