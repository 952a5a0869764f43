#pragma once

#include <string>

#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// JUnit XML as CI systems read it: a testsuite for every suite, a testcase for every case. A case
/// that disagreed with the design or checked nothing is a failure; one that could not be run to its
/// end (bad input, interrupt, internal error) is an error. Times are host seconds.
[[nodiscard]] std::string junit_report(const RegressionResult& result);

}  // namespace kernbench::sim
