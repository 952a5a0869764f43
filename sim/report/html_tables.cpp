// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/markup.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::sim {

using common::escape_markup;

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
    print(out, "<td class=\"dim\">-");
    return;
  }
  const char* tone = cell.caught == 0 ? "dim" : cell.caught == cell.attached ? "good" : "warn";
  print(out, "<td><span class=\"badge {}{}\">{}</span>", tone, cell.alone != 0 ? " alone" : "",
        ratio(cell.caught, cell.attached));
}

/// Prints a command with a button that copies it. The page's script shows the button.
void print_command(std::string& out, const char* label, const std::string& command) {
  if (command.empty()) return;
  print(out,
        "<div class=\"copy\"><span class=\"dim\">{}</span><code class=\"command\">{}</code>"
        "<button type=\"button\" hidden>copy</button></div>\n",
        label, escape_markup(command));
}

void print_failing_case(std::string& out, const topology::MazeLinks& links, const CaseResult& c) {
  print(out, "<div class=\"failure\">\n<div class=\"head\"><h3>{}</h3><span>{}</span>{}",
        escape_markup(c.suite), escape_markup(case_text(links, c)), outcome_badge(c.outcome));
  if (!c.wave.empty() || !c.wave_setup.empty()) {
    print(out, "<span class=\"links\">");
    for (const std::string* path : {&c.wave, &c.wave_setup}) {
      if (path->empty()) continue;
      print(out, " <a href=\"{}\">{}</a>", path_to_href(*path), escape_markup(*path));
    }
    print(out, "</span>");
  }
  print(out, "</div>\n<p>{}</p>\n", escape_markup(c.reason));
  if (!c.failures.empty()) {
    print(out,
          "<table class=\"rows\">\n<tr><th class=\"n\">cycle<th>checker<th>kind<th>link"
          "<th class=\"wide\">message\n");
    for (std::size_t i = 0; i < std::min(c.failures.size(), kShownFailures); ++i) {
      const Failure& failure = c.failures[i];
      print(out,
            "<tr><td class=\"n\">{}<td>{}<td>{}<td class=\"nowrap\">{}<td class=\"message\">{}\n",
            grouped(failure.cycle), escape_markup(failure.checker), escape_markup(failure.kind),
            failure.link ? escape_markup(link_text(links, *failure.link)) : "",
            escape_markup(failure.message));
    }
    print(out, "</table>\n");
  }
  std::uint64_t total = 0;
  for (const CheckerResult& checker : c.checkers) total += checker.failures;
  if (total > kShownFailures) {
    print(out, "<p class=\"dim\">{} in all</p>\n", counted(total, "failure"));
  }
  print_command(out, "run again", c.command);
  print_command(out, "view waves", c.view);
  print(out, "</div>\n");
}

}  // namespace

std::string path_to_href(std::string_view path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string out;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

void print_fact(std::string& out, const char* name, const std::string& value) {
  print(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", name, escape_markup(value));
}

void print_tile(std::string& out, bool complete, const std::string& value,
                const std::string& label) {
  print(out, "<div class=\"tile{}\"><b>{}</b><span>{}</span></div>\n", complete ? "" : " short",
        value, label);
}

std::string outcome_badge(common::Outcome outcome) {
  return fmt::format("<span class=\"badge {}\">{}</span>",
                     outcome == common::Outcome::Pass ? "good" : "bad", common::name(outcome));
}

std::string suites_html(const RegressionDigest& digest) {
  std::string out;
  print(out,
        "<section class=\"card\">\n<h2>Suites</h2>\n<table class=\"rows\">\n"
        "<tr><th>outcome<th>suite<th>pattern<th>back-pressure<th class=\"n\">cases"
        "<th class=\"n\">cycles<th class=\"n\">packets<th class=\"n\">latency\n");
  for (const SuiteRow& row : digest.suites) {
    print(out,
          "<tr><td>{}<td>{}<td>{}<td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}"
          "<td class=\"n\">{}\n",
          outcome_badge(row.outcome), escape_markup(row.suite), escape_markup(row.pattern),
          escape_markup(row.back_pressure), grouped(row.cases), grouped(row.cycles),
          short_count(row.delivered),
          row.delivered == 0 ? "-" : fmt::format("{:.2f}", row.mean_latency));
  }
  print(out,
        "</table>\n<p class=\"dim\">Latency: mean cycles from acceptance to delivery.</p>\n"
        "</section>\n");
  return out;
}

std::string checkers_html(const RegressionDigest& digest) {
  std::string out;
  if (digest.checkers.empty()) return out;
  print(out,
        "<section class=\"card\">\n<h2>Checkers</h2>\n<table class=\"rows\">\n"
        "<tr><th>checker<th class=\"n\">cases<th class=\"n\">comparisons"
        "<th class=\"n\">failures\n");
  for (const CheckerRow& row : digest.checkers) {
    print(out, "<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">",
          escape_markup(row.name), grouped(row.cases), grouped(row.checks));
    if (row.failures == 0) {
      print(out, "0\n");
    } else {
      print(out, "<span class=\"badge bad\">{}</span>\n", grouped(row.failures));
    }
  }
  print(out, "</table>\n");
  if (!digest.kills.rows.empty()) {
    print(out, "<p class=\"dim\">Failures in cases without an injected fault.</p>\n");
  }
  print(out, "</section>\n");
  return out;
}

std::string kill_matrix_html(const KillMatrix& kills) {
  std::string out;
  if (kills.rows.empty()) return out;
  print(out,
        "<section class=\"card\">\n<h2>Kill matrix: which checker notices which injected fault"
        "</h2>\n<table class=\"rows kills\">\n<thead><tr><th>fault<th>any checker");
  for (const std::string& checker : kills.checkers) print(out, "<th>{}", escape_markup(checker));
  print(out, "</thead>\n<tbody>\n");
  for (const KillRow& row : kills.rows) {
    print(out, "<tr><td>{}", escape_markup(row.fault));
    if (row.injected < row.cases) {
      print(out, " <span class=\"dim\">({} never took effect)</span>", row.cases - row.injected);
    }
    print(out, "<td><span class=\"badge {}\">{}</span>", row.caught < row.injected ? "bad" : "good",
          ratio(row.caught, row.injected));
    for (const KillCell& cell : row.cells) print_kill_cell(out, cell);
    print(out, "\n");
  }
  print(out, "</tbody>\n<tfoot><tr><td>caught by no other checker<td>");
  for (std::size_t i = 0; i < kills.checkers.size(); ++i) print(out, "<td>{}", kills.alone(i));
  print(out,
        "</tfoot>\n</table>\n<p class=\"dim\">Caught / injected while the checker was attached; "
        "framed: the only one in some case; -: never attached.</p>\n"
        "</section>\n");
  return out;
}

std::string coverage_html(const CoverageSummary& coverage) {
  std::string out;
  if (coverage.groups.empty()) return out;
  print(out,
        "<section class=\"card\">\n<h2>Functional coverage</h2>\n<table class=\"rows\">\n"
        "<tr><th>group</th><th class=\"n\">hit</th><th class=\"n\">bins</th>"
        "<th class=\"n\">share</th><th class=\"wide\"></th></tr>\n");
  for (const CoverageGroup& group : coverage.groups) {
    const double width = group.total == 0 ? 0.0
                                          : 100.0 * static_cast<double>(group.hit) /
                                                static_cast<double>(group.total);
    print(out,
          "<tr><td class=\"nowrap\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td><span class=\"bar{}\"><i style=\"width:{:.1f}%\"></i>"
          "</span></td></tr>\n",
          escape_markup(group.name), grouped(group.hit), grouped(group.total),
          percent(group.hit, group.total), group.hit < group.total ? " short" : "", width);
  }
  print(out, "</table>\n</section>\n");
  return out;
}

std::string proofs_html(const RegressionResult& result) {
  std::string out;
  if (!result.proofs) return out;
  const Proofs& proofs = *result.proofs;
  print(out, "<section class=\"card\">\n<h2>Proofs</h2>\n<p>{}</p>\n",
        escape_markup(proofs_text(proofs)));
  if (!proofs.link.empty()) {
    print(out, "<p><a href=\"{}\">every property</a></p>\n", path_to_href(proofs.link));
  }
  print(out, "</section>\n");
  return out;
}

std::string missed_bins_html(const CoverageSummary& coverage) {
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
  if (out.empty()) return out;
  return "<section class=\"card\">\n<h2>Missed bins</h2>\n" + out + "</section>\n";
}

std::string failures_html(const RegressionDigest& digest, const topology::MazeLinks& links) {
  std::string out;
  if (digest.failing.empty()) return out;
  print(out, "<section class=\"card\">\n<h2>{} did not pass</h2>\n",
        counted(digest.failing.size(), "case"));
  const std::size_t shown = std::min(digest.failing.size(), kShownCases);
  for (std::size_t i = 0; i < shown; ++i) print_failing_case(out, links, *digest.failing[i]);
  if (shown < digest.failing.size()) {
    print(out, "<p class=\"dim\">and {} more, listed in report.json</p>\n",
          grouped(digest.failing.size() - shown));
  }
  print(out, "</section>\n");
  return out;
}

}  // namespace kernbench::sim
