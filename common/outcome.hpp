// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/enum_names.hpp"

namespace kernbench::common {

/// The result of a run, ordered from best to worst as worst() compares them.
enum class Outcome : std::uint8_t {
  Pass,           ///< all checks ran and passed
  Vacuous,        ///< no check failed because none ran
  Mismatch,       ///< a checker disagreed with the design
  Timeout,        ///< the time limit expired
  Deadlock,       ///< no progress possible while something still waits
  BadInput,       ///< unusable file or option
  Interrupted,    ///< stopped by SIGINT or SIGTERM
  InternalError,  ///< defect in this program
};

inline constexpr std::array<EnumName<Outcome>, 8> kOutcomeNames = {
    {{"pass", Outcome::Pass},
     {"vacuous", Outcome::Vacuous},
     {"mismatch", Outcome::Mismatch},
     {"timeout", Outcome::Timeout},
     {"deadlock", Outcome::Deadlock},
     {"bad-input", Outcome::BadInput},
     {"interrupted", Outcome::Interrupted},
     {"internal-error", Outcome::InternalError}}};
constexpr const auto& name_table(Outcome /*any*/) {
  return kOutcomeNames;
}

/// Returns the process exit code: Pass 0, Mismatch and Vacuous 1, BadInput 2, Timeout 3,
/// Deadlock 4, InternalError 5, Interrupted 130.
[[nodiscard]] int exit_code(Outcome outcome);

/// Returns the lower-case name used in reports: "pass", "mismatch", "bad-input", ...
[[nodiscard]] std::string_view name(Outcome outcome);
[[nodiscard]] std::optional<Outcome> outcome_from_name(std::string_view name);

/// Returns the worse of two outcomes, which is the outcome of a run that combines both:
/// pass < vacuous < mismatch < timeout < deadlock < bad-input < interrupted < internal-error.
[[nodiscard]] Outcome worst(Outcome a, Outcome b);

}  // namespace kernbench::common
