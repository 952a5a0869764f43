// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// Returns true for a source that decides an outcome or an exit code: C++ that sets Outcome::Pass
/// or prints PASS, a script that prints PASS or ends with an exit code of its own. A comparison
/// with Outcome::Pass decides nothing.
[[nodiscard]] bool decides(const SourceFile& file);

/// Lists the errors of the table "Places that decide" of a plan: a source that decides without a
/// row, a row of a source that does not exist or does not decide, a second row, a row without a
/// test, a test that does not exist, a row without a text.
///
/// A row is `| place | what decides | with nothing | test |`. The place is a path in backticks, the
/// last cell has `test:<name>` in backticks. A place that judges nothing itself says so in the
/// third cell, which then begins with "no verdict:" and has a reason.
[[nodiscard]] std::vector<std::string> check_outcomes(const std::string& plan,
                                                      const std::vector<SourceFile>& sources,
                                                      const std::set<std::string>& tests);

}  // namespace kernbench::docs
