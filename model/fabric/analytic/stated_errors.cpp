// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/stated_errors.hpp"

#include <fmt/format.h>

namespace kernbench::model::fabric {

common::Grade analytic_grade() {
  return common::Grade::estimate(
      fmt::format("the MAZE is analytic, mean latencies {:+.1f} to {:+.1f} % off",
                  kAnalyticErrors.least_percent, kAnalyticErrors.most_percent));
}

}  // namespace kernbench::model::fabric
