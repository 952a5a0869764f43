// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/markup.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::sim {

using common::escape_markup;

namespace {

/// Shows the buttons and makes each copy the command before it. Where the browser has no clipboard
/// for local files, the command is selected, so that Ctrl-C copies it. The script loads nothing and
/// sends nothing.
constexpr const char* kCopyScript = R"(<script>
for (const button of document.querySelectorAll('.copy button')) {
  button.hidden = false;
  button.onclick = async () => {
    const command = button.previousElementSibling;
    getSelection().selectAllChildren(command);
    try {
      await navigator.clipboard.writeText(command.textContent);
    } catch {
      document.execCommand('copy');
    }
    button.textContent = 'copied';
  };
}
</script>
)";

std::string title(const RegressionResult& result) {
  return fmt::format("TOPO {}x{} regression", result.shape.nx, result.shape.ny);
}

void print_header(std::string& out, const RegressionResult& result) {
  const bool passed = result.outcome == common::Outcome::Pass;
  print(out, "<header class=\"card{}\">\n<div class=\"title\">{}<h1>{}</h1></div>\n",
        passed ? "" : " failed", outcome_badge(result.outcome), title(result));
  print(out, "<dl class=\"facts\">\n");
  print_fact(out, "configuration", result.config);
  print_fact(out, "seed", std::to_string(result.seed));
  print_fact(out, "revision", result.revision);
  print_fact(out, "data bits", std::to_string(result.shape.flit_w));
  print_fact(out, "SystemVerilog checkers", result.checkers ? "bound" : "not in the model");
  if (!result.structure.empty()) print_fact(out, "structure of the RTL", result.structure);
  print_fact(out, "model hash", result.model_hash);
  print_fact(out, "configuration hash", result.config_hash);
  print_fact(out, "host time", duration_text(result.seconds));
  print(out, "</dl>\n<code class=\"command\">{}</code>\n</header>\n",
        escape_markup(result.command));
}

void print_tiles(std::string& out, const RegressionResult& result, const RegressionDigest& digest,
                 const CoverageSummary& coverage) {
  const std::size_t passed = result.cases.size() - digest.failing.size();
  // An interrupted run has fewer cases than planned; coverage goals are a case that is not planned.
  const std::size_t cases = std::max(result.cases.size(), result.planned);
  print(out, "<div class=\"tiles\">\n");
  print_tile(out, passed == cases, fmt::format("{}/{}", grouped(passed), grouped(cases)),
             "cases passed");
  print_tile(out, digest.live_links == result.shape.links(),
             fmt::format("{}/{}", digest.live_links, result.shape.links()), "links delivered");
  print_tile(out, digest.delivered != 0, short_count(digest.delivered), "packets delivered");
  print_tile(out, digest.cycles != 0, short_count(digest.cycles), "cycles");
  print_tile(out, digest.checks != 0, short_count(digest.checks), "comparisons");
  if (!coverage.groups.empty()) {
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
  const topology::MazeLinks links(result.shape.nx, result.shape.ny);
  std::string out;
  // The empty icon stops browsers from requesting one.
  print(out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>{}: {}</title>\n<style>",
        common::name(result.outcome), title(result));
  out += html_style();
  out += "</style>\n</head>\n<body>\n";
  print_header(out, result);
  print_tiles(out, result, digest, coverage);
  out += failures_html(digest, links);
  out += "<div class=\"columns\">\n<div>\n" + heat_map_html(result, links) + checkers_html(digest) +
         "</div>\n<div>\n" + suites_html(digest) + coverage_html(coverage) + proofs_html(result) +
         "</div>\n</div>\n";
  out += kill_matrix_html(digest.kills) + missed_bins_html(coverage);
  if (!digest.failing.empty()) out += kCopyScript;
  out += "</body>\n</html>\n";
  return out;
}

}  // namespace kernbench::sim
