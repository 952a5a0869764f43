#pragma once

#include <optional>
#include <string_view>

namespace kernbench::common {

/// How a run ends; exactly one of these. In the order of worst(), the least bad first.
enum class Outcome {
  Pass,           ///< everything was checked and agreed
  Vacuous,        ///< nothing was found wrong because nothing was checked
  Mismatch,       ///< a checker disagreed with the design
  Timeout,        ///< the time allowed ran out
  Deadlock,       ///< nothing could move any more, but something still waited
  BadInput,       ///< a file or option cannot be used
  Interrupted,    ///< stopped by SIGINT or SIGTERM
  InternalError,  ///< this program is wrong
};

/// The process exit code: Pass 0, Mismatch and Vacuous 1, BadInput 2, Timeout 3, Deadlock 4,
/// InternalError 5, Interrupted 130.
[[nodiscard]] int exit_code(Outcome outcome);

/// The lower-case name used in reports: "pass", "mismatch", "bad-input", ...
[[nodiscard]] std::string_view name(Outcome outcome);
[[nodiscard]] std::optional<Outcome> outcome_from_name(std::string_view name);

/// The outcome of a run made of two: the one after which less of the answer can be trusted.
/// pass < vacuous < mismatch < timeout < deadlock < bad-input < interrupted < internal-error.
[[nodiscard]] Outcome worst(Outcome a, Outcome b);

}  // namespace kernbench::common
