// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "model/runtime/session.hpp"

namespace kernbench::model::runtime {

Tolerance default_tolerance(data::DataType type) {
  switch (type) {
    case data::DataType::F32:
      return {1e-5, 1e-5};
    case data::DataType::F16:
      return {4e-3, 4e-3};
    case data::DataType::BF16:
      return {3e-2, 3e-2};
    case data::DataType::F8E4M3:
      return {0.125, 0.125};
    case data::DataType::F8E5M2:
      return {0.25, 0.25};
    default:
      return {};
  }
}

namespace {

CheckReport evaluate(const Check& check, const data::Array& found) {
  const data::Array expected = check.expected();
  if (expected.rows() != found.rows() || expected.columns() != found.columns()) {
    throw std::invalid_argument(
        fmt::format("check '{}' expects {} x {} elements, but the tensor has {} x {}", check.name,
                    expected.rows(), expected.columns(), found.rows(), found.columns()));
  }
  CheckReport report;
  report.elements = found.rows() * found.columns();
  const data::MatrixF x = found.to_floats();
  const data::MatrixF e = expected.to_floats();
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    for (Eigen::Index column = 0; column < x.cols(); ++column) {
      const double value = static_cast<double>(x(row, column));
      const double wanted = static_cast<double>(e(row, column));
      const double allowed = check.tolerance.absolute + check.tolerance.relative * std::abs(wanted);
      const double away = std::abs(value - wanted);
      const bool same = value == wanted || (std::isnan(value) && std::isnan(wanted));
      if (!same && !(away <= allowed)) {
        if (report.wrong++ == 0) {
          report.first_wrong = fmt::format("[{}, {}]: {}, expected {}", row, column, value, wanted);
        }
      }
      if (!same && allowed > 0.0) report.worst = std::max(report.worst, away / allowed);
    }
  }
  return report;
}

}  // namespace

std::vector<CheckReport> evaluate(const std::vector<Check>& checks, const data::Replay& replay) {
  std::vector<CheckReport> reports;
  reports.reserve(checks.size());
  for (const Check& check : checks) {
    reports.push_back(check.judge ? check.judge() : evaluate(check, replay.result(check.result)));
    reports.back().name = check.name;
  }
  return reports;
}

}  // namespace kernbench::model::runtime
