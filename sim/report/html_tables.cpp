// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/markup.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::sim {

using common::escape_markup;
using plot::path_to_href;
using plot::ReportSection;
using plot::scroll_box;

namespace {

// Limits that keep the page small and readable. report.json has everything.
constexpr std::size_t kShownCases = 30;
constexpr std::size_t kShownFailures = 10;  // per case
constexpr std::size_t kShownBins = 300;     // per group

std::string ratio(unsigned part, unsigned whole) {
  return fmt::format("{}/{}", grouped(part), grouped(whole));
}

void print_kill_cell(std::string& out, const KillCell& cell) {
  if (cell.attached == 0) {
    print(out, "<td class=\"dim\">-</td>");
    return;
  }
  const char* tone = cell.caught == 0 ? "dim" : cell.caught == cell.attached ? "good" : "warn";
  print(out, "<td><span class=\"badge {}{}\">{}</span></td>", tone, cell.alone != 0 ? " alone" : "",
        ratio(cell.caught, cell.attached));
}

/// Prints a command with a button that copies it. The page's script shows the button.
void print_command(std::string& out, const char* label, const std::string& command) {
  if (command.empty()) return;
  print(out,
        "<div class=\"copy\"><span class=\"dim\">{}</span><code class=\"command\">{}</code>"
        "<button type=\"button\" hidden=\"hidden\">copy</button></div>\n",
        label, escape_markup(command));
}

void print_failures(std::string& out, const Ports& ports, const CaseResult& c) {
  const std::size_t shown = std::min(c.failures.size(), kShownFailures);
  if (shown == 0) return;
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th class=\"n\">cycle</th><th>checker</th>"
      "<th>kind</th><th class=\"wide\">message</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const Failure& failure = c.failures[i];
    print(table,
          "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"message\">{}</td></tr>\n",
          grouped(failure.cycle), escape_markup(failure.checker), escape_markup(failure.kind),
          escape_markup(failure_text(ports, failure)));
  }
  out += scroll_box(fmt::format("Failures of {}, {}", c.suite, case_text(ports, c)),
                    table + "</tbody>\n</table>\n");
}

void print_failing_case(std::string& out, const Ports& ports, const CaseResult& c) {
  print(out, "<div class=\"failure\">\n<div class=\"head\"><h3>{}</h3><span>{}</span>{}",
        escape_markup(c.suite), escape_markup(case_text(ports, c)), outcome_badge(c.outcome));
  if (!c.page.empty() || !c.wave.empty() || !c.wave_setup.empty()) {
    print(out, "<span class=\"links\">");
    for (const std::string* path : {&c.page, &c.wave, &c.wave_setup}) {
      if (path->empty()) continue;
      print(out, " <a href=\"{}\">{}</a>", path_to_href(*path), escape_markup(*path));
    }
    print(out, "</span>");
  }
  print(out, "</div>\n");
  if (const std::string reason = reason_text(c); !reason.empty()) {
    print(out, "<p>{}</p>\n", escape_markup(reason));
  }
  if (!is_coverage(c)) print_failures(out, ports, c);  // the missed bins are a section
  std::uint64_t total = 0;
  for (const CheckerResult& checker : c.checkers) total += checker.failures;
  if (total > kShownFailures && !is_coverage(c)) {
    print(out, "<p class=\"dim\">{} in all</p>\n", counted(total, "failure"));
  }
  if (!c.cause.empty()) {
    print(out, "<p class=\"dim\">cause</p>\n<pre>{}</pre>\n",
          escape_markup(fmt::format("{}", fmt::join(c.cause, "\n"))));
  }
  if (!c.rtl_text.text.empty()) {
    print(out, "<p class=\"dim\">output of the RTL</p>\n<pre>{}{}</pre>\n",
          escape_markup(c.rtl_text.text),
          c.rtl_text.left_out == 0
              ? ""
              : fmt::format("\n({} more bytes left out)", c.rtl_text.left_out));
  }
  print_command(out, "run again", c.command);
  print_command(out, "view waves", c.view);
  print(out, "</div>\n");
}

}  // namespace

std::string group_table(const std::string& label, const std::vector<CoverageGroup>& groups) {
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>group</th><th class=\"n\">hit</th>"
      "<th class=\"n\">bins</th><th class=\"n\">share</th></tr></thead>\n<tbody>\n";
  for (const CoverageGroup& group : groups) {
    const double width = group.total == 0 ? 0.0
                                          : 100.0 * static_cast<double>(group.hit) /
                                                static_cast<double>(group.total);
    print(table,
          "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}<span class=\"bar{}\"><i style=\"width:{:.1f}%\"></i></span></td>"
          "</tr>\n",
          escape_markup(group.name), grouped(group.hit), grouped(group.total),
          percent(group.hit, group.total), group.hit < group.total ? " short" : "", width);
  }
  return scroll_box(label, table + "</tbody>\n</table>\n");
}

ReportSection suites_section(const RegressionDigest& digest) {
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>outcome</th><th>suite</th><th>pattern</th>"
      "<th>back-pressure</th><th class=\"n\">cases</th><th class=\"n\">cycles</th>"
      "<th class=\"n\">packets</th><th class=\"n\">latency</th><th class=\"n\">host time</th>"
      "</tr></thead>\n<tbody>\n";
  for (const SuiteRow& row : digest.suites) {
    print(table,
          "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\" data-v=\"{:.3f}\">{}</td></tr>\n",
          outcome_badge(row.outcome), escape_markup(row.suite), escape_markup(row.pattern),
          escape_markup(row.back_pressure), grouped(row.cases), grouped(row.cycles),
          short_count(row.delivered),
          row.delivered == 0 ? "-" : fmt::format("{:.2f}", row.mean_latency), row.seconds,
          duration_text(row.seconds));
  }
  return {"Suites", scroll_box("Suites", table + "</tbody>\n</table>\n") +
                        "<p class=\"dim\">Latency: mean cycles from acceptance to delivery. Host "
                        "time: sum over the cases, which run side by side.</p>\n"};
}

ReportSection checkers_section(const RegressionDigest& digest) {
  const std::string heading = "Checkers";
  if (digest.checkers.empty()) return {heading, ""};
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>checker</th><th class=\"n\">cases</th>"
      "<th class=\"n\">comparisons</th><th class=\"n\">failures</th></tr></thead>\n<tbody>\n";
  for (const CheckerRow& row : digest.checkers) {
    print(table,
          "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "</tr>\n",
          escape_markup(row.name), grouped(row.cases), grouped(row.checks),
          row.failures == 0
              ? "0"
              : fmt::format("<span class=\"badge bad\">{}</span>", grouped(row.failures)));
  }
  std::string body = scroll_box(heading, table + "</tbody>\n</table>\n");
  if (!digest.kills.rows.empty()) {
    body += "<p class=\"dim\">Failures in cases without an injected fault.</p>\n";
  }
  if (!digest.not_checked.empty()) {
    print(body, "<p>Not checked:</p>\n<ul class=\"bins\">\n");
    for (const std::string& what : digest.not_checked) {
      print(body, "<li>{}</li>\n", escape_markup(what));
    }
    print(body, "</ul>\n");
  }
  return {heading, body};
}

ReportSection kill_matrix_section(const KillMatrix& kills) {
  const std::string heading = "Kill matrix: which checker notices which injected fault";
  if (kills.rows.empty()) return {heading, ""};
  std::string table =
      "<table class=\"rows sortable kills\">\n<thead><tr><th>fault</th><th>any checker</th>";
  for (const std::string& checker : kills.checkers) {
    print(table, "<th>{}</th>", escape_markup(checker));
  }
  print(table, "</tr></thead>\n<tbody>\n");
  for (const KillRow& row : kills.rows) {
    print(table, "<tr><td>{}", escape_markup(row.fault));
    if (row.injected < row.cases) {
      print(table, " <span class=\"dim\">({} never took effect)</span>", row.cases - row.injected);
    }
    print(table, "</td><td><span class=\"badge {}\">{}</span></td>",
          row.caught < row.injected ? "bad" : "good", ratio(row.caught, row.injected));
    for (const KillCell& cell : row.cells) print_kill_cell(table, cell);
    print(table, "</tr>\n");
  }
  print(table, "</tbody>\n<tfoot><tr><td>caught by no other checker</td><td></td>");
  for (std::size_t i = 0; i < kills.checkers.size(); ++i) {
    print(table, "<td>{}</td>", kills.alone(i));
  }
  return {heading,
          scroll_box("Kill matrix", table + "</tr></tfoot>\n</table>\n") +
              "<p class=\"dim\">Caught / injected while the checker was attached; framed: the only "
              "one in some case; -: never attached.</p>\n",
          true};
}

ReportSection coverage_section(const CoverageSummary& coverage, bool required) {
  const std::string heading = "Functional coverage";
  if (coverage.groups.empty()) return {heading, ""};
  std::string body = fmt::format(
      "<p>{} of {} bins, {}{}</p>\n", grouped(coverage.hit()), grouped(coverage.total()),
      percent(coverage.hit(), coverage.total()), required ? "" : "; not required of this run");
  if (!required) {
    return {heading, body + fmt::format("<details><summary>{}</summary>\n{}</details>\n",
                                        counted(coverage.groups.size(), "group"),
                                        group_table("Coverage by group", coverage.groups))};
  }
  std::vector<CoverageGroup> full;
  std::vector<CoverageGroup> missing;
  for (const CoverageGroup& group : coverage.groups) {
    (group.hit == group.total ? full : missing).push_back(group);
  }
  if (!missing.empty()) body += group_table("Groups with missed bins", missing);
  if (!full.empty()) {
    body += fmt::format("<details><summary>{} at 100 %</summary>\n{}</details>\n",
                        counted(full.size(), "group"), group_table("Groups at 100 %", full));
  }
  return {heading, body};
}

ReportSection proofs_section(const RegressionResult& result) {
  if (!result.proofs) return {"Proofs", ""};
  const Proofs& proofs = *result.proofs;
  std::string body = fmt::format("<p>{}</p>\n", escape_markup(proofs_text(proofs)));
  if (!proofs.link.empty()) {
    print(body, "<p><a href=\"{}\">every property</a></p>\n", path_to_href(proofs.link));
  }
  return {"Proofs", body};
}

ReportSection missed_bins_section(const CoverageSummary& coverage) {
  std::string out;
  for (const CoverageGroup& group : coverage.groups) {
    if (group.missed.empty()) continue;
    print(out, "<details{}><summary>{}: {} missed</summary>\n<ul class=\"bins\">\n",
          group.missed.size() <= 12 ? " open=\"open\"" : "", escape_markup(group.name),
          counted(group.missed.size(), "bin"));
    const std::size_t shown = std::min(group.missed.size(), kShownBins);
    for (std::size_t i = 0; i < shown; ++i) {
      print(out, "<li>{}</li>\n", escape_markup(group.missed[i]));
    }
    print(out, "</ul>\n");
    if (shown < group.missed.size()) {
      print(out, "<p class=\"dim\">and {} more, listed in report.json</p>\n",
            grouped(group.missed.size() - shown));
    }
    print(out, "</details>\n");
  }
  return {"Missed bins", out, true};
}

ReportSection known_section(const RegressionDigest& digest, const Ports& ports) {
  const std::string heading = counted(digest.known.size(), "known failure");
  std::string out;
  for (const CaseResult* c : digest.known) {
    print(out, "<p>{} {}: {}</p>\n", escape_markup(c->suite), escape_markup(case_text(ports, *c)),
          escape_markup(c->known));
  }
  return {heading, out};
}

ReportSection failures_section(const RegressionDigest& digest, const Ports& ports) {
  const std::string heading = counted(digest.failing.size(), "case") + " did not pass";
  if (digest.failing.empty()) return {heading, ""};
  std::string out;
  const std::size_t shown = std::min(digest.failing.size(), kShownCases);
  for (std::size_t i = 0; i < shown; ++i) print_failing_case(out, ports, *digest.failing[i]);
  if (shown < digest.failing.size()) {
    print(out, "<p class=\"dim\">and {} more, listed in report.json</p>\n",
          grouped(digest.failing.size() - shown));
  }
  return {heading, out};
}

}  // namespace kernbench::sim
