// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/check/rtl_reports.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::sim {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kShownCases = 5;
constexpr std::size_t kShownFailures = 3;   // per case
constexpr std::size_t kShownFindings = 10;  // of the structure
constexpr std::size_t kShownBins = 5;
constexpr std::size_t kShownUnchecked = 10;
constexpr std::size_t kShownLines = 5;  // of the output of the RTL

/// Cuts `text` to `width` columns, with ".." at the end of a cut text.
std::string fit(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 2) + "..";
}

/// Returns the width of the widest of `header` and the texts that `get` returns, at most `limit`.
template <typename Rows, typename Get>
std::size_t column_width(const Rows& rows, std::string_view header, std::size_t limit, Get get) {
  std::size_t width = header.size();
  for (const auto& row : rows) width = std::max(width, get(row).size());
  return std::min(width, limit);
}

class TextReport {
 public:
  TextReport(const RegressionResult& result, const CoverageSummary& coverage, Colour colour)
      : result_(result),
        coverage_(coverage),
        colour_(colour),
        links_(result.shape.nx, result.shape.ny),
        ports_(ports_of(result, links_)),
        digest_(result) {}

  std::string write() {
    header();
    suites();
    users();
    checkers();
    not_checked();
    faults();
    proofs();
    failures();
    known_failures();
    coverage();
    verdict();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  [[nodiscard]] std::string painted(std::string_view code, std::string_view text) const {
    if (colour_ == Colour::Off) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
  }
  [[nodiscard]] std::string bold(std::string_view text) const { return painted("1", text); }
  [[nodiscard]] std::string red(std::string_view text) const { return painted("1;31", text); }
  [[nodiscard]] std::string outcome_text(common::Outcome outcome, std::string_view text) const {
    return painted(outcome == common::Outcome::Pass ? "32" : "1;31", text);
  }

  /// Prints the words of `text` on indented lines of `kWidth` columns.
  void wrapped(const std::string& text, std::size_t indent) {
    std::istringstream words(text);
    std::string line(indent, ' ');
    for (std::string word; words >> word;) {
      if (line.size() > indent && line.size() + 1 + word.size() > kWidth) {
        print("{}\n", line);
        line.assign(indent, ' ');
      }
      if (line.size() > indent) line += ' ';
      line += word;
    }
    if (line.size() > indent) print("{}\n", line);
  }

  void header() {
    const maze::Shape& s = result_.shape;
    print("{}\n", bold(fmt::format("Regression {}, seed {}", result_.config, result_.seed)));
    const std::string size = result_.noc
                                 ? noc_text(*result_.noc)
                                 : fmt::format("{} {}x{}, {} data bits, {} links", result_.dut,
                                               s.nx, s.ny, s.flit_w, grouped(s.links()));
    print("{}; SystemVerilog checkers {}\n", size, result_.checkers ? "bound" : "not in the model");
    print("revision {}, model {}, configuration {}\n", result_.revision, result_.model_hash,
          result_.config_hash);
    if (!result_.structure.empty()) print("structure of the RTL: {}\n", result_.structure);
    if (const std::string text = checks_text(result_.rtl_checks); !text.empty()) {
      print("{}\n", text);
    }
    print("\n");
  }

  void suites() {
    const auto& rows = digest_.suites;
    const auto suite_w = column_width(rows, "suite", 22, [](auto& r) { return r.suite; });
    const auto pattern_w = column_width(rows, "pattern", 15, [](auto& r) { return r.pattern; });
    const auto pressure_w =
        column_width(rows, "back-pressure", 13, [](auto& r) { return r.back_pressure; });
    const auto line = [&](const std::string& suite, const std::string& pattern,
                          const std::string& pressure, const std::string& cases,
                          const std::string& cycles, const std::string& packets,
                          const std::string& latency) {
      return fmt::format("{:<{}}  {:<{}}  {:<{}} {:>5} {:>10} {:>7} {:>7}", fit(suite, suite_w),
                         suite_w, fit(pattern, pattern_w), pattern_w, fit(pressure, pressure_w),
                         pressure_w, cases, cycles, packets, latency);
    };
    print("{}\n",
          bold(line("suite", "pattern", "back-pressure", "cases", "cycles", "packets", "latency") +
               "  outcome"));
    for (const SuiteRow& row : rows) {
      const std::string latency =
          row.delivered == 0 ? "-" : fmt::format("{:.2f}", row.mean_latency);
      print("{}  {}\n",
            line(row.suite, row.pattern, row.back_pressure, grouped(row.cases), grouped(row.cycles),
                 short_count(row.delivered), latency),
            outcome_text(row.outcome, common::name(row.outcome)));
    }
    print("\n");
  }

  /// Prints what the users of a network have sent and received.
  void users() {
    if (!result_.users) return;
    const UserTraffic& all = *result_.users;
    if (all.packets() == 0) return;  // of cases with faults alone
    print("{}  {} packets at A, {} copies at B\n", bold("users"), grouped(all.packets()),
          grouped(all.copies()));
    const auto level = [&](const char* name, const LatencyHistogram& latency) {
      if (latency.copies() == 0) return;
      print("  {} QoS: {:.1f} cycles from A to B, up to {}\n", name, latency.mean(),
            grouped(latency.longest()));
    };
    if (result_.noc) {
      print("  {:.1f} cycles from the head at A to the tail at B, up to {}\n", all.of_all().mean(),
            grouped(all.of_all().longest()));
    } else {
      level("low", all.of_qos(0));
      level("high", all.of_qos(1));
    }
    print("\n");
  }

  void checkers() {
    print("{}", bold("comparisons made"));
    if (digest_.checkers.empty()) print("  {}", red("none: no checker was attached"));
    print("\n");
    const auto width = column_width(digest_.checkers, "", 40, [](auto& r) { return r.name; });
    for (const CheckerRow& row : digest_.checkers) {
      print("  {:<{}} {:>18} in {}", row.name, width, grouped(row.checks),
            counted(row.cases, "case"));
      if (row.failures != 0) print("  {}", red(counted(row.failures, "failure")));
      print("\n");
    }
    print("\n");
  }

  /// Prints what stands under a pass without having been checked.
  void not_checked() {
    if (digest_.not_checked.empty()) return;
    const std::size_t shown = std::min(digest_.not_checked.size(), kShownUnchecked);
    print("{}\n", bold("not checked"));
    for (std::size_t i = 0; i < shown; ++i) wrapped(digest_.not_checked[i], 2);
    if (shown < digest_.not_checked.size()) {
      print("  and {} more, listed in report.json\n", grouped(digest_.not_checked.size() - shown));
    }
    print("\n");
  }

  void faults() {
    const KillMatrix& kills = digest_.kills;
    if (kills.rows.empty()) return;
    print("{}  {} of {} caught", bold("injected faults"), grouped(kills.caught()),
          grouped(kills.injected()));
    if (kills.cases() != kills.injected()) {
      print(", {} never took effect", grouped(kills.cases() - kills.injected()));
    }
    print("\n");
    const auto width = column_width(kills.checkers, "", 40, [](auto& name) { return name; });
    for (std::size_t i = 0; i < kills.checkers.size(); ++i) {
      unsigned caught = 0;
      for (const KillRow& row : kills.rows) caught += row.cells[i].caught;
      print("  {:<{}} {:>18}, {} by no other checker\n", kills.checkers[i], width, grouped(caught),
            grouped(kills.alone(i)));
    }
    for (const KillRow& row : kills.rows) {
      if (row.caught < row.injected) {
        print("  {}\n",
              red(fmt::format("{}: {} of {} caught", row.fault, row.caught, row.injected)));
      }
    }
    print("\n");
  }

  void proofs() {
    if (!result_.proofs) return;
    const Proofs& known = *result_.proofs;
    print("{}       {}", bold("proofs"), proofs_text(known));
    if (!known.report.empty()) print(" ({})", known.report);
    print("\n\n");
  }

  void coverage() {
    if (coverage_.groups.empty()) return;
    print("{}  {} of {} bins, {}", bold("functional coverage"), grouped(coverage_.hit()),
          grouped(coverage_.total()), percent(coverage_.hit(), coverage_.total()));
    if (!result_.full_coverage) {
      print("; not required of this run\n\n");
      return;
    }
    const bool others_failed = std::any_of(digest_.failing.begin(), digest_.failing.end(),
                                           [](const CaseResult* c) { return !is_coverage(*c); });
    if (others_failed) {
      print("; report.json lists the missed bins\n\n");
      return;
    }
    print("\n");
    const auto width = column_width(coverage_.groups, "", 40, [](auto& g) { return g.name; });
    for (const CoverageGroup& group : coverage_.groups) {
      print("  {:<{}} {:>17} {:>8}\n", fit(group.name, width), width,
            grouped(group.hit) + "/" + grouped(group.total), percent(group.hit, group.total));
      for (std::size_t i = 0; i < std::min(group.missed.size(), kShownBins); ++i) {
        print("    missed: {}\n", group.missed[i]);
      }
      if (group.missed.size() > kShownBins) {
        print("    and {} more, listed in report.json\n",
              grouped(group.missed.size() - kShownBins));
      }
    }
    print("\n");
  }

  void failures() {
    const auto& failing = digest_.failing;
    if (failing.empty()) return;
    const std::size_t shown = std::min(failing.size(), kShownCases);
    print("{}", red(counted(failing.size(), "case") + " did not pass"));
    if (shown < failing.size()) print(", the first {}:", shown);
    print("\n");
    for (std::size_t i = 0; i < shown; ++i) failing_case(*failing[i]);
    print("\n");
  }

  void known_failures() {
    if (digest_.known.empty()) return;
    print("{}\n", bold(counted(digest_.known.size(), "known failure")));
    for (const CaseResult* c : digest_.known) {
      wrapped(fmt::format("{} {}: {}", c->suite, case_text(ports_, *c), c->known), 2);
    }
    print("\n");
  }

  void failing_case(const CaseResult& c) {
    print("\n{} {}: {}\n", bold(c.suite), case_text(ports_, c),
          outcome_text(c.outcome, common::name(c.outcome)));
    wrapped(reason_text(c), 2);
    if (is_coverage(c)) return;  // the groups below name the bins
    const std::size_t most = is_structure(c) ? kShownFindings : kShownFailures;
    for (std::size_t i = 0; i < std::min(c.failures.size(), most); ++i) {
      const Failure& failure = c.failures[i];
      if (is_structure(c)) {  // it has no cycles, and its places are for copying
        print("  {}\n", failure.message);
        continue;
      }
      print("  cycle {}  {} {}\n", grouped(failure.cycle), failure.checker, failure.kind);
      wrapped(failure_text(ports_, failure), 4);
    }
    std::uint64_t total = 0;
    for (const CheckerResult& checker : c.checkers) total += checker.failures;
    if (total > most) print("  {} in all\n", counted(total, "failure"));
    if (!c.rtl_text.text.empty()) {
      print("  output of the RTL:\n");
      std::istringstream lines(shortened(c.rtl_text, kShownLines));
      for (std::string line; std::getline(lines, line);) print("    {}\n", line);
    }
    if (!c.cause.empty()) print("  cause:\n");
    for (const std::string& line : c.cause) wrapped(line, 4);
    if (!c.page.empty()) print("  page:      {}\n", c.page);
    if (!c.command.empty()) print("  run again: {}\n", c.command);
    if (!c.wave.empty()) print("  wave:      {}\n", c.wave);
    if (!c.view.empty()) print("  view:      {}\n", c.view);
  }

  [[nodiscard]] std::string case_count() const {
    if (result_.outcome != common::Outcome::Interrupted) {
      return counted(result_.cases.size(), "case");
    }
    return fmt::format("{} of {}", grouped(result_.cases.size()), counted(result_.planned, "case"));
  }

  void verdict() {
    std::string upper(common::name(result_.outcome));
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    print("{}  {}", painted(result_.outcome == common::Outcome::Pass ? "1;32" : "1;31", upper),
          case_count());
    if (!digest_.known.empty()) print(", {}", counted(digest_.known.size(), "known failure"));
    if (const std::string faults = faults_text(result_); !faults.empty()) {
      print(": {}", faults);
    }
    print(", {} packets", short_count(digest_.delivered));
    if (!digest_.only_faults) {
      print(", {}/{} links", digest_.live_links, result_.links());
    }
    print(", {} cycles", short_count(digest_.cycles));
    if (result_.full_coverage && !coverage_.groups.empty()) {
      print(", coverage {}", percent(coverage_.hit(), coverage_.total()));
    }
    if (!digest_.not_checked.empty()) {
      print(", {} left unchecked", counted(digest_.not_checked.size(), "point"));
    }
    if (result_.not_run != 0) {
      print(", {} not run after the first failure", counted(result_.not_run, "case"));
    }
    print(", {}\n", duration_text(result_.seconds));
  }

  const RegressionResult& result_;
  const CoverageSummary& coverage_;
  Colour colour_;
  topology::MazeLinks links_;
  Ports ports_;
  RegressionDigest digest_;
  std::string out_;
};

}  // namespace

std::string text_report(const RegressionResult& result, const CoverageSummary& coverage,
                        Colour colour) {
  return TextReport(result, coverage, colour).write();
}

}  // namespace kernbench::sim
