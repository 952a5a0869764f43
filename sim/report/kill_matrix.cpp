// SPDX-License-Identifier: Apache-2.0
#include "sim/report/kill_matrix.hpp"

#include <algorithm>
#include <utility>

namespace kernbench::sim {
namespace {

std::size_t column_of(KillMatrix& matrix, const std::string& checker) {
  const auto at = std::find(matrix.checkers.begin(), matrix.checkers.end(), checker);
  if (at != matrix.checkers.end()) return static_cast<std::size_t>(at - matrix.checkers.begin());
  matrix.checkers.push_back(checker);
  return matrix.checkers.size() - 1;
}

KillRow& row_of(KillMatrix& matrix, const std::string& fault) {
  const auto at = std::find_if(matrix.rows.begin(), matrix.rows.end(),
                               [&](const KillRow& row) { return row.fault == fault; });
  if (at != matrix.rows.end()) return *at;
  KillRow row;
  row.fault = fault;
  row.cells.resize(matrix.checkers.size());
  return matrix.rows.emplace_back(std::move(row));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool watched(const CaseResult& c, const std::string& checker) {
  return std::any_of(c.checkers.begin(), c.checkers.end(),
                     [&](const CheckerResult& r) { return r.name == checker; });
}

unsigned sum(const std::vector<KillRow>& rows, unsigned KillRow::*member) {
  unsigned total = 0;
  for (const KillRow& row : rows) total += row.*member;
  return total;
}

}  // namespace

unsigned KillMatrix::cases() const {
  return sum(rows, &KillRow::cases);
}
unsigned KillMatrix::injected() const {
  return sum(rows, &KillRow::injected);
}
unsigned KillMatrix::caught() const {
  return sum(rows, &KillRow::caught);
}

unsigned KillMatrix::alone(std::size_t column) const {
  unsigned total = 0;
  for (const KillRow& row : rows) total += row.cells.at(column).alone;
  return total;
}

KillMatrix make_kill_matrix(const RegressionResult& result) {
  KillMatrix matrix;
  // Collect all columns first: every row has a cell per checker.
  for (const CaseResult& c : result.cases) {
    if (!c.fault) continue;
    for (const CheckerResult& checker : c.checkers) column_of(matrix, checker.name);
    for (const std::string& checker : c.fault->caught_by) column_of(matrix, checker);
  }
  for (const CaseResult& c : result.cases) {
    if (!c.fault) continue;
    KillRow& row = row_of(matrix, c.fault->kind);
    ++row.cases;
    if (!c.fault->injected_at) continue;
    ++row.injected;
    const std::vector<std::string>& killers = c.fault->caught_by;
    if (!killers.empty()) ++row.caught;
    for (std::size_t i = 0; i < matrix.checkers.size(); ++i) {
      const bool caught = contains(killers, matrix.checkers[i]);
      if (caught || watched(c, matrix.checkers[i])) ++row.cells[i].attached;
      if (caught) ++row.cells[i].caught;
      if (caught && killers.size() == 1) ++row.cells[i].alone;
    }
  }
  return matrix;
}

}  // namespace kernbench::sim
