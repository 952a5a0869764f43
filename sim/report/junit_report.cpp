// SPDX-License-Identifier: Apache-2.0
#include "sim/report/junit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "common/markup.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::sim {

using common::escape_markup;

namespace {

/// Returns the name of the element that reports an outcome, or "" for Pass.
std::string_view element_of(common::Outcome outcome) {
  switch (outcome) {
    case common::Outcome::Pass:
      return "";
    case common::Outcome::Mismatch:
    case common::Outcome::Vacuous:
    case common::Outcome::Timeout:
    case common::Outcome::Deadlock:
      return "failure";
    case common::Outcome::BadInput:
    case common::Outcome::Interrupted:
    case common::Outcome::InternalError:
      return "error";
  }
  return "error";
}

struct Tally {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0.0;

  void add(const CaseResult& c) {
    ++tests;
    seconds += c.seconds;
    if (!c.known.empty()) {
      ++skipped;
      return;
    }
    if (element_of(c.outcome) == "failure") ++failures;
    if (element_of(c.outcome) == "error") ++errors;
  }
  [[nodiscard]] std::string attributes() const {
    const std::string known = skipped == 0 ? "" : fmt::format(R"( skipped="{}")", skipped);
    return fmt::format(R"(tests="{}" failures="{}" errors="{}"{} time="{:.3f}")", tests, failures,
                       errors, known, seconds);
  }
};

struct Suite {
  std::string name;
  std::vector<const CaseResult*> cases;
  Tally tally;
};

/// Groups cases by suite, in the order of their first case.
std::vector<Suite> suites_of(const RegressionResult& result) {
  std::vector<Suite> suites;
  for (const CaseResult& c : result.cases) {
    auto at = std::find_if(suites.begin(), suites.end(),
                           [&](const Suite& suite) { return suite.name == c.suite; });
    if (at == suites.end()) at = suites.insert(suites.end(), Suite{c.suite, {}, {}});
    at->cases.push_back(&c);
    at->tally.add(c);
  }
  return suites;
}

class JunitReport {
 public:
  explicit JunitReport(const RegressionResult& result)
      : result_(result),
        links_(result.shape.nx, result.shape.ny),
        ports_(ports_of(result, links_)) {}

  std::string write() {
    Tally all;
    for (const CaseResult& c : result_.cases) all.add(c);
    all.seconds = result_.seconds;
    print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    print("<testsuites name=\"{}\" {}>\n", escape_markup(result_.config), all.attributes());
    for (const Suite& suite : suites_of(result_)) {
      print("  <testsuite name=\"{}\" {}>\n", escape_markup(suite.name), suite.tally.attributes());
      properties();
      for (const CaseResult* c : suite.cases) test_case(*c);
      print("  </testsuite>\n");
    }
    print("</testsuites>\n");
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void properties() {
    const std::vector<std::pair<const char*, std::string>> all = {
        {"config", result_.config},       {"config_hash", result_.config_hash},
        {"revision", result_.revision},   {"model_hash", result_.model_hash},
        {"structure", result_.structure}, {"seed", std::to_string(result_.seed)},
        {"command", result_.command}};
    print("    <properties>\n");
    for (const auto& [name, value] : all) {
      if (name == std::string_view("structure") && value.empty()) continue;
      print("      <property name=\"{}\" value=\"{}\"/>\n", name, escape_markup(value));
    }
    print("    </properties>\n");
  }

  void test_case(const CaseResult& c) {
    print("    <testcase classname=\"sim.{}\" name=\"{}\" time=\"{:.3f}\"", escape_markup(c.suite),
          escape_markup(case_text(ports_, c)), c.seconds);
    if (!c.known.empty()) {
      print(">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
            escape_markup("a known failure: " + c.known));
      return;
    }
    const std::string_view element = element_of(c.outcome);
    if (element.empty() && c.rtl_text.text.empty()) {
      print("/>\n");
      return;
    }
    print(">\n");
    if (!element.empty()) {
      print("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, common::name(c.outcome),
            escape_markup(fmt::format("seed {}: {}", c.seed, c.reason)), escape_markup(details(c)));
    }
    if (!c.rtl_text.text.empty()) {
      print("      <system-out>{}{}</system-out>\n", common::escape_content(c.rtl_text.text),
            c.rtl_text.left_out == 0
                ? ""
                : fmt::format("\n({} more bytes left out)", c.rtl_text.left_out));
    }
    print("    </testcase>\n");
  }

  [[nodiscard]] std::string details(const CaseResult& c) const {
    std::string text = fmt::format("{}\nseed: {}\nrun again: {}\n", c.reason, c.seed, c.command);
    for (const Failure& failure : c.failures) {
      text += fmt::format("cycle {}: {} {}{}: {}\n", failure.cycle, failure.checker, failure.kind,
                          failure.link ? " on " + ports_.name(*failure.link) : "", failure.message);
    }
    if (!c.wave.empty()) text += "wave: " + c.wave + "\n";
    if (!c.view.empty()) text += "view: " + c.view + "\n";
    return text;
  }

  const RegressionResult& result_;
  topology::MazeLinks links_;
  Ports ports_;
  std::string out_;
};

}  // namespace

std::string junit_report(const RegressionResult& result) {
  if (result.outcome != common::Outcome::Interrupted) return JunitReport(result).write();
  // An error, so that the cases that were finished are not taken for all of them.
  RegressionResult with_error = result;
  CaseResult& error = with_error.cases.emplace_back();
  error.suite = "interruption";
  error.seed = result.seed;
  error.outcome = common::Outcome::Interrupted;
  error.reason =
      fmt::format("interrupted after {} of {} cases", result.cases.size(), result.planned);
  error.command = result.command;
  return JunitReport(with_error).write();
}

}  // namespace kernbench::sim
