// SPDX-License-Identifier: Apache-2.0
#include "common/outcome.hpp"

#include <algorithm>

namespace kernbench::common {
int exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::Pass:
      return 0;
    case Outcome::Vacuous:
    case Outcome::Mismatch:
      return 1;
    case Outcome::BadInput:
      return 2;
    case Outcome::Timeout:
      return 3;
    case Outcome::Deadlock:
      return 4;
    case Outcome::InternalError:
      return 5;
    case Outcome::Interrupted:
      return 130;
  }
  return 5;
}

std::string_view name(Outcome outcome) {
  return name_of(kOutcomeNames, outcome);
}

std::optional<Outcome> outcome_from_name(std::string_view name) {
  for (const auto& [known, outcome] : kOutcomeNames) {
    if (known == name) return outcome;
  }
  return std::nullopt;
}

Outcome worst(Outcome a, Outcome b) {
  return std::max(a, b);
}

}  // namespace kernbench::common
