// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/markup.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/user_charts.hpp"

namespace kernbench::sim {

using common::escape_markup;

namespace {

std::string title(const RegressionResult& result) {
  return design_text(result) + " regression";
}

void print_header(std::string& out, const RegressionResult& result) {
  print(out, "<div class=\"title\">{}<h1>{}</h1></div>\n", outcome_badge(result.outcome),
        title(result));
  print(out, "<dl class=\"facts\">\n");
  print_fact(out, "configuration", result.config);
  print_fact(out, "seed", std::to_string(result.seed));
  print_fact(out, "revision", result.revision);
  if (result.noc) {
    print_fact(out, "network", noc_text(*result.noc));
  } else {
    print_fact(out, "data bits", std::to_string(result.shape.flit_w));
  }
  print_fact(out, "SystemVerilog checkers", result.checkers ? "bound" : "not in the model");
  if (!result.structure.empty()) print_fact(out, "structure of the RTL", result.structure);
  if (const std::string text = checks_text(result.rtl_checks); !text.empty()) {
    print_fact(out, "checks of the RTL", text);
  }
  print_fact(out, "model hash", result.model_hash);
  print_fact(out, "configuration hash", result.config_hash);
  print_fact(out, "host time", duration_text(result.seconds));
  print(out, "</dl>\n<code class=\"command\">{}</code>\n", escape_markup(result.command));
}

void print_tiles(std::string& out, const RegressionResult& result, const RegressionDigest& digest,
                 const CoverageSummary& coverage) {
  const std::size_t passed = digest.passed;
  // An interrupted run has fewer cases than planned; coverage goals are a case that is not planned.
  const std::size_t cases = std::max(result.cases.size(), result.planned);
  print(out, "<div class=\"tiles\">\n");
  print_tile(out, passed == cases, fmt::format("{}/{}", grouped(passed), grouped(cases)),
             "cases passed");
  if (!digest.only_faults) {
    print_tile(out, digest.live_links == result.links(),
               fmt::format("{}/{}", digest.live_links, result.links()), "links delivered");
  }
  const bool shows_users = result.users && !digest.only_faults;
  if (shows_users) {
    const std::uint64_t accepted = result.users->packets();
    print_tile(out, accepted != 0, short_count(accepted), "packets accepted at A");
  }
  print_tile(out, digest.delivered != 0, short_count(digest.delivered),
             result.users ? "copies delivered at B" : "packets delivered");
  print_tile(out, digest.cycles != 0, short_count(digest.cycles), "cycles");
  print_tile(out, digest.checks != 0, short_count(digest.checks), "comparisons");
  if (result.full_coverage && !coverage.groups.empty()) {
    print_tile(out, coverage.hit() == coverage.total(), percent(coverage.hit(), coverage.total()),
               "functional coverage");
  }
  if (!digest.kills.rows.empty()) {
    print_tile(out, digest.kills.caught() == digest.kills.injected(),
               fmt::format("{}/{}", digest.kills.caught(), digest.kills.injected()),
               "faults caught");
  }
  print(out, "</div>\n");
}

}  // namespace

std::string html_report(const RegressionResult& result, const CoverageSummary& coverage) {
  const RegressionDigest digest(result);
  const bool shows_users = result.users && !digest.only_faults;
  const topology::MazeLinks links(result.shape.nx, result.shape.ny);
  plot::ReportPage page(fmt::format("{}: {}", common::name(result.outcome), title(result)),
                        result.users ? user_style() : "");
  std::string header;
  print_header(header, result);
  page.header(header, result.outcome == common::Outcome::Pass);
  std::string tiles;
  print_tiles(tiles, result, digest, coverage);
  page.add_html(tiles);
  page.add(failures_section(digest, ports_of(result, links)));
  page.add(known_section(digest, ports_of(result, links)));
  // Maps are of the grid of a MAZE.
  const bool has_grid = !result.noc;
  page.add_columns(
      {digest.only_faults || !has_grid ? plot::ReportSection{} : heat_map_section(result, links),
       checkers_section(digest)},
      {suites_section(digest), coverage_section(coverage, result.full_coverage),
       shows_users && has_grid ? node_maps_section(*result.users, links) : plot::ReportSection{},
       proofs_section(result)});
  if (shows_users) page.add(latency_section(*result.users));
  page.add(kill_matrix_section(digest.kills));
  if (result.full_coverage) page.add(missed_bins_section(coverage));
  page.footer(
      "<p>Every number: <a href=\"report.json\">report.json</a>. For other programs: "
      "<a href=\"junit.xml\">junit.xml</a>, <a href=\"summary.txt\">summary.txt</a>.</p>");
  return std::move(page).finish();
}

}  // namespace kernbench::sim
