#pragma once

#include <functional>
#include <string_view>

#include "common/outcome.hpp"

namespace kernbench::cli {

/// Calls `work`, which runs benches. The ways in which model::bench::run_bench() does not end well
/// become a message on stderr, of what failed in a run after `prefix`, and their outcome.
[[nodiscard]] common::Outcome outcome_of_benches(std::string_view prefix,
                                                 const std::function<common::Outcome()>& work);

}  // namespace kernbench::cli
