// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// A failure that is known until a date. An empty text stands for any.
struct KnownFailure {
  std::string suite;  ///< suite, or name of one case
  std::string checker;
  std::string kind;
  std::string reason;
  std::string until;  ///< last day on which it is known: "2027-01-31"
};

/// A list of known failures.
struct KnownFailures {
  std::vector<KnownFailure> entries;
};

extern const common::InputKind kKnownFailuresFile;

/// Reads a list of known failures. Throws common::BadInput with all errors of the file.
[[nodiscard]] KnownFailures read_known_failures(const std::filesystem::path& path);

/// Returns whether the first failure of a case is known on the day `today`.
[[nodiscard]] bool is_known(const KnownFailures& known, const std::string& today,
                            const CaseResult& one);

/// Marks the cases whose first failure is known on the day `today`, and sets the outcome of the
/// regression to that of the others. A structure check, a missed coverage goal and an injected
/// fault are never known. Returns a line for each entry that has expired and would have applied,
/// and for each that no case needed.
std::vector<std::string> apply_known_failures(const KnownFailures& known, const std::string& today,
                                              RegressionResult& result);

/// Returns the day of a time in UTC: "2027-01-31".
[[nodiscard]] std::string day_of(std::time_t time);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::KnownFailures>&
kernbench::common::description_of();
