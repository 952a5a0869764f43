// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/regression/case_result.hpp"

namespace kernbench::cli {

/// Adds a finished run to a history, an SQLite file that the first run makes, and writes the page
/// of its last runs beside it: FILE with the ending .html. A table `runs` has a row for each run, a
/// table `failures` one for each case that did not pass. Throws common::BadInput for a file that is
/// not a history, or that cannot be written.
void add_to_history(const std::string& path, const sim::RegressionResult& result);

/// Throws common::BadInput unless `path` is a history or a file that does not exist yet. Called
/// before a run that may take hours.
void require_history(const std::string& path);

}  // namespace kernbench::cli
