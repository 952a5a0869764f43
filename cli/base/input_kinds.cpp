// SPDX-License-Identifier: Apache-2.0
#include "cli/base/input_kinds.hpp"

#include "cosim/calibrate/parameters_file.hpp"
#include "cosim/workload/reproduction.hpp"
#include "cosim/workload/transfer_trace.hpp"
#include "farm/engine.hpp"
#include "farm/job.hpp"
#include "farm/plan.hpp"
#include "model/bench/transformer/shape.hpp"
#include "model/ccl/ccl_config.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/noc/noc_spec.hpp"
#include "sim/regression/known_failures.hpp"
#include "sim/regression/regression_spec.hpp"
#include "sim/stimulus/pin_trace.hpp"
#include "sim/trace/link_trace.hpp"
#include "topology/zoo/zoo_form.hpp"

namespace kernbench::cli {

const std::vector<const common::InputKind*>& input_kinds() {
  static const std::vector<const common::InputKind*> kAll = {
      &cosim::kParametersFile,
      &model::ccl::kCclFile,
      &cosim::kReproductionFile,
      &farm::kEngineFile,
      &farm::kJobFile,
      &sim::kKnownFailuresFile,
      &sim::kLinkTraceFile,
      &model::bench::transformer::kModelFile,
      &sim::kNetworkRegressionFile,
      &sim::kNocRegressionFile,
      &sim::kPinTraceFile,
      &sim::kRegressionFile,
      &farm::kPlanFile,
      &cosim::kTransferTraceFile,
      &topology::zoo::kZooFile,
  };
  return kAll;
}

}  // namespace kernbench::cli
