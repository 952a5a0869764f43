// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json_report.hpp"

#include <string>

#include "common/hash.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::sim {

nlohmann::json rtl_checks_json(const RtlChecks& checks) {
  return {
      {"assertions", checks.assertions}, {"unique", checks.unique}, {"checked", checks.checked}};
}

nlohmann::json rtl_text_json(const RtlText& text) {
  if (text.text.empty()) return nullptr;
  return {{"text", text.text}, {"left_out_bytes", text.left_out}};
}

namespace {

using Json = nlohmann::json;

class JsonReport {
 public:
  JsonReport(const RegressionResult& result, const CoverageSummary& coverage)
      : result_(result), coverage_(coverage), links_(result.shape.nx, result.shape.ny) {}

  [[nodiscard]] Json data() const {
    const RegressionDigest digest(result_);
    const maze::Shape& s = result_.shape;
    return {{"config", result_.config},
            {"shape", {{"nx", s.nx}, {"ny", s.ny}, {"flit_w", s.flit_w}}},
            {"model",
             {{"hash", result_.model_hash},
              {"checkers", result_.checkers},
              {"rtl_checks", rtl_checks_json(result_.rtl_checks)},
              {"structure", result_.structure}}},
            {"totals",
             {{"planned", result_.planned},
              {"not_run", result_.not_run},
              {"cases", result_.cases.size()},
              {"passed", result_.cases.size() - digest.failing.size()},
              {"cycles", digest.cycles},
              {"delivered", digest.delivered},
              {"checks", digest.checks},
              {"links", s.links()},
              {"links_delivered", digest.live_links},
              {"faults_injected", digest.kills.injected()},
              {"faults_caught", digest.kills.caught()}}},
            {"cases", cases()},
            {"links", link_rows()},
            {"coverage", coverage()},
            {"kill_matrix", kill_matrix(digest.kills)},
            {"proofs", proofs()},
            {"host", {{"seconds", result_.seconds}}}};
  }

 private:
  [[nodiscard]] Json coverage() const {
    Json json = coverage_json(coverage_);
    json["required"] = result_.full_coverage;
    return json;
  }

  /// Returns null unless there are proofs of this RTL.
  [[nodiscard]] Json proofs() const {
    if (!result_.proofs || result_.proofs->state != Proofs::State::OfThisRtl) return nullptr;
    const Proofs& known = *result_.proofs;
    return {{"proven", known.proven},
            {"refuted", known.refuted},
            {"undecided", known.undecided},
            {"report", known.link.empty() ? Json() : Json(known.link)}};
  }

  [[nodiscard]] Json cases() const {
    Json rows = Json::array();
    for (const CaseResult& c : result_.cases) rows.push_back(one_case(c));
    return rows;
  }

  [[nodiscard]] Json one_case(const CaseResult& c) const {
    Json checkers = Json::array();
    for (const CheckerResult& checker : c.checkers) {
      checkers.push_back(
          {{"name", checker.name}, {"checks", checker.checks}, {"failures", checker.failures}});
    }
    Json failures = Json::array();
    for (const Failure& failure : c.failures) {
      failures.push_back({{"checker", failure.checker},
                          {"kind", failure.kind},
                          {"cycle", failure.cycle},
                          {"link", failure.link ? link(*failure.link) : Json()},
                          {"message", failure.message}});
    }
    return {{"suite", c.suite},
            {"seed", c.seed},
            {"outcome", common::name(c.outcome)},
            {"reason", c.reason},
            {"command", c.command},
            {"pattern", c.pattern},
            {"back_pressure", c.back_pressure},
            {"cycles", c.cycles},
            {"delivered", c.delivered},
            {"mean_latency", c.mean_latency},
            // In hexadecimal: many JSON readers keep only 53 bits of a number.
            {"output_hash", common::hex64(c.output_hash)},
            {"checkers", std::move(checkers)},
            {"not_checked", c.not_checked},
            {"failures", std::move(failures)},
            {"output", rtl_text_json(c.rtl_text)},
            {"fault", c.fault ? fault(*c.fault) : Json()},
            {"wave", c.wave.empty() ? Json() : Json(c.wave)},
            {"wave_setup", c.wave_setup.empty() ? Json() : Json(c.wave_setup)},
            {"view", c.view.empty() ? Json() : Json(c.view)},
            {"host", {{"seconds", c.seconds}}}};
  }

  [[nodiscard]] Json fault(const FaultResult& f) const {
    return {{"kind", f.kind},
            {"link", link(f.link)},
            {"injected_at", f.injected_at ? Json(*f.injected_at) : Json()},
            {"caught_by", f.caught_by}};
  }

  [[nodiscard]] Json link(const LinkEnd& end) const {
    return {{"node", end.node}, {"port", end.port}, {"name", link_text(links_, end)}};
  }

  /// Returns all links in the order of MazeLinks: by source node, then by port.
  [[nodiscard]] Json link_rows() const {
    Json rows = Json::array();
    for (const topology::MazeLink& l : links_.links()) {
      const std::size_t at = std::size_t{l.to.port} * links_.nodes() + l.to.node;
      rows.push_back({{"name", links_.link_name(l)},
                      {"depth", l.depth},
                      {"packets", count_at(result_.link_packets, at)},
                      {"stalls", count_at(result_.link_stalls, at)},
                      {"longest_stall", count_at(result_.link_longest_stalls, at)}});
    }
    return rows;
  }

  /// Returns one count per link, also for a regression that ended before its first case.
  static std::uint64_t count_at(const std::vector<std::uint64_t>& counts, std::size_t at) {
    return at < counts.size() ? counts[at] : 0;
  }

  [[nodiscard]] static Json kill_matrix(const KillMatrix& kills) {
    Json rows = Json::array();
    for (const KillRow& row : kills.rows) {
      Json by_checker = Json::object();
      for (std::size_t i = 0; i < kills.checkers.size(); ++i) {
        const KillCell& cell = row.cells[i];
        by_checker[kills.checkers[i]] = {
            {"attached", cell.attached}, {"caught", cell.caught}, {"alone", cell.alone}};
      }
      rows.push_back({{"fault", row.fault},
                      {"cases", row.cases},
                      {"injected", row.injected},
                      {"caught", row.caught},
                      {"by_checker", std::move(by_checker)}});
    }
    return rows;
  }

  const RegressionResult& result_;
  const CoverageSummary& coverage_;
  topology::MazeLinks links_;
};

}  // namespace

nlohmann::json coverage_json(const CoverageSummary& coverage) {
  Json groups = Json::array();
  for (const CoverageGroup& g : coverage.groups) {
    groups.push_back({{"name", g.name}, {"hit", g.hit}, {"total", g.total}, {"missed", g.missed}});
  }
  return {{"hit", coverage.hit()}, {"total", coverage.total()}, {"groups", std::move(groups)}};
}

nlohmann::json regression_data(const RegressionResult& result, const CoverageSummary& coverage) {
  return JsonReport(result, coverage).data();
}

}  // namespace kernbench::sim
