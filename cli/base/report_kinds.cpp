// SPDX-License-Identifier: Apache-2.0
#include "cli/base/report_kinds.hpp"

#include "cosim/calibrate/calibration_report.hpp"
#include "cosim/report/json.hpp"
#include "model/bench/evaluation/collective_report.hpp"
#include "model/bench/evaluation/gemm_report.hpp"
#include "model/bench/evaluation/topology_report.hpp"
#include "model/chakra/replay_report.hpp"
#include "model/data/op_log_json.hpp"
#include "model/fabric/traffic/traffic_report.hpp"
#include "model/probe/probe_report.hpp"
#include "model/report/record_report.hpp"
#include "model/report/run_report.hpp"
#include "model/serving/serving_report.hpp"
#include "sim/cover/coverage_file.hpp"
#include "sim/debug/failure_page.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/proofs_report.hpp"
#include "sim/report/soak.hpp"
#include "sim/structure/structure_file.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/zoo/zoo_export.hpp"

namespace kernbench::cli {

const plot::ReportKinds& report_kinds() {
  static const plot::ReportKinds kAll = {
      &model::bench::kAllReduceReport,
      &model::bench::kCollectivesReport,
      &model::bench::kGemmReport,
      &model::bench::kTopologyReport,
      &model::probe::kProbeReport,
      &model::fabric::kTrafficReport,
      &model::chakra::kReplayReport,
      &model::report::kRecordReport,
      &model::report::kRunReport,
      &model::serving::kServingReport,
      &cosim::kCalibrationReport,
      &cosim::kCosimReport,
      &model::data::kOpLogReport,
      &sim::kCoverageReport,
      &sim::kFailureReport,
      &sim::kProofsReport,
      &sim::kRegressionReport,
      &sim::kSoakReport,
      &sim::structure::kStructureReport,
      &topology::kTopologyReport,
      &topology::zoo::kBaseTopologyReport,
  };
  return kAll;
}

}  // namespace kernbench::cli
