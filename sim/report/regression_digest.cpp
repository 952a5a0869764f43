// SPDX-License-Identifier: Apache-2.0
#include "sim/report/regression_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/report/number_text.hpp"

namespace kernbench::sim {
namespace {

SuiteRow& suite_row(std::vector<SuiteRow>& rows, const CaseResult& c) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const SuiteRow& row) {
    return row.suite == c.suite && row.pattern == c.pattern && row.back_pressure == c.back_pressure;
  });
  if (at != rows.end()) return *at;
  SuiteRow row;
  row.suite = c.suite;
  row.pattern = c.pattern;
  row.back_pressure = c.back_pressure;
  return rows.emplace_back(std::move(row));
}

CheckerRow& checker_row(std::vector<CheckerRow>& rows, const std::string& name) {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [&](const CheckerRow& row) { return row.name == name; });
  if (at != rows.end()) return *at;
  CheckerRow row;
  row.name = name;
  return rows.emplace_back(std::move(row));
}

void merge(SuiteRow& row, const CaseResult& c) {
  ++row.cases;
  row.cycles += c.cycles;
  row.delivered += c.delivered;
  if (c.delivered > 0) {
    const double share = static_cast<double>(c.delivered) / static_cast<double>(row.delivered);
    row.mean_latency += (c.mean_latency - row.mean_latency) * share;
  }
  row.seconds += c.seconds;
  row.outcome = common::worst(row.outcome, c.outcome);
}

}  // namespace

RegressionDigest::RegressionDigest(const RegressionResult& result)
    : kills(make_kill_matrix(result)) {
  for (const CaseResult& c : result.cases) {
    merge(suite_row(suites, c), c);
    for (const CheckerResult& checker : c.checkers) {
      CheckerRow& row = checker_row(checkers, checker.name);
      ++row.cases;
      row.checks += checker.checks;
      if (!c.fault) row.failures += checker.failures;
      checks += checker.checks;
    }
    for (const std::string& what : c.not_checked) {
      std::string line = c.suite + ": " + what;
      if (std::find(not_checked.begin(), not_checked.end(), line) == not_checked.end()) {
        not_checked.push_back(std::move(line));
      }
    }
    if (!c.known.empty()) {
      known.push_back(&c);
    } else if (c.outcome != common::Outcome::Pass) {
      failing.insert(is_structure(c) ? failing.begin() : failing.end(), &c);
    }
    cycles += c.cycles;
    delivered += c.delivered;
  }
  passed = result.cases.size() - failing.size() - known.size();
  only_faults = !kills.rows.empty() &&
                std::all_of(result.cases.begin(), result.cases.end(), [](const CaseResult& c) {
                  return c.fault.has_value() || is_structure(c) || is_coverage(c);
                });
  live_links = static_cast<unsigned>(std::count_if(
      result.link_packets.begin(), result.link_packets.end(), [](auto n) { return n != 0; }));
}

bool is_structure(const CaseResult& c) {
  return c.pattern == kStructurePattern;
}

bool is_coverage(const CaseResult& c) {
  return c.pattern == kCoveragePattern;
}

std::string noc_text(const NocNames& noc) {
  return fmt::format("{}: {}, {}, {} of {} of {} bits", noc.topology,
                     counted(noc.nodes.size(), "node"), counted(noc.channels.size(), "channel"),
                     counted(noc.classes * noc.lanes, "virtual channel"),
                     counted(noc.slots, "flit"), noc.flit_bits);
}

std::string design_text(const RegressionResult& result) {
  if (result.noc) return result.noc->topology;
  return fmt::format("{} {}x{}", result.dut, result.shape.nx, result.shape.ny);
}

Ports ports_of(const RegressionResult& result, const topology::MazeLinks& links) {
  return result.users ? Ports::of_users(result.shape) : Ports(links);
}

std::string reason_text(const CaseResult& c) {
  return !c.failures.empty() && c.failures.front().message == c.reason ? "" : c.reason;
}

std::string failure_text(const Ports& ports, const Failure& failure) {
  if (!failure.link) return failure.message;
  const std::string port = ports.name(*failure.link) + ": ";
  return failure.message.starts_with(port) ? failure.message : port + failure.message;
}

std::string faults_text(const RegressionResult& result) {
  std::size_t faults = 0;
  std::size_t found = 0;
  for (const CaseResult& c : result.cases) {
    if (!c.fault) continue;
    ++faults;
    found += c.outcome == common::Outcome::Pass ? 1 : 0;
  }
  if (faults == 0) return "";
  const bool one = faults == 1;
  if (found == faults)
    return one ? "the injected fault was found" : "every injected fault was found";
  if (one) return "the injected fault was not found as expected";
  return fmt::format("{} of {} injected faults were found as expected", grouped(found),
                     grouped(faults));
}

CoveredRun covered_run(const RegressionResult& result) {
  CoveredRun run{result.model_hash, result.outcome};
  if (result.outcome == common::Outcome::Interrupted) return run;
  run.outcome = common::Outcome::Pass;
  for (const CaseResult& c : result.cases) {
    if (!is_coverage(c)) run.outcome = common::worst(run.outcome, c.outcome);
  }
  return run;
}

std::string case_text(const Ports& ports, const CaseResult& c) {
  std::string text = c.name.empty() ? "" : c.name + ", ";
  text += "seed " + std::to_string(c.seed);
  if (c.fault) {
    text += fmt::format(", fault {} at {}", c.fault->kind,
                        c.fault->place.empty() ? ports.name(c.fault->link) : c.fault->place);
  }
  return text;
}

}  // namespace kernbench::sim
