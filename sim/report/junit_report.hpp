// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Returns JUnit XML for CI systems: a testsuite per suite, a testcase per case. A case that found
/// a mismatch or checked nothing is a failure. A case that could not finish (bad input, interrupt,
/// internal error) is an error. Times are host seconds.
[[nodiscard]] std::string junit_report(const RegressionResult& result);

}  // namespace kernbench::sim
