// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "common/enum_names.hpp"
#include "common/markup.hpp"
#include "cosim/report/html_style.hpp"
#include "cosim/report/html_workloads.hpp"
#include "cosim/report/text.hpp"
#include "plot/html_text.hpp"
#include "plot/report_page.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::escape_markup;
using common::Outcome;

namespace {

constexpr std::size_t kShownFailures = 20;  // per run; the JSON report has all

class Page {
 public:
  Page(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip)
      : results_(results), sip_(sip), paths_(sip), coverage_(rtl_coverage(results)) {}

  std::string write(const std::string& topology, const common::ReportEnvelope& report,
                    const std::string& json) {
    const std::string title = network_title(sip_) + " cosimulation";
    plot::ReportPage page(fmt::format("{}: {}", common::name(report.outcome), title),
                          cosim_style());
    page.header(header(title, topology, report), report.outcome == Outcome::Pass);
    page.add_html(tiles());
    page.add(failures());
    page.add_columns({errors()}, {checkers()});
    workloads(page);
    // A cosimulation has no coverage goal.
    page.add(sim::coverage_section(coverage_, false));
    page.footer(json.empty() ? "<p>Option --json writes every number to a file.</p>"
                             : fmt::format("<p>Every number: <a href=\"{}\">{}</a>.</p>",
                                           plot::path_to_href(json), escape_markup(json)));
    return std::move(page).finish();
  }

 private:
  std::string header(const std::string& title, const std::string& topology,
                     const common::ReportEnvelope& report) {
    std::string out;
    plot::print(out, "<div class=\"title\">{}<h1>{}</h1></div>\n",
                plot::outcome_badge(report.outcome), title);
    plot::print(out, "<dl class=\"facts\">\n");
    plot::print_fact(out, "topology", topology);
    plot::print_fact(out, "data bits", std::to_string(packet_bits_of(sip_)));
    plot::print_fact(out, "clock", fmt::format("{} ns", fabric_spec(sip_).clock_ns));
    if (sip_.inter_cube == topology::InterCube::Noc) {
      plot::print_fact(out, "nodes", text_of_routers(sip_.noc));
    } else {
      facts_of_maze(out);
    }
    if (report.seed) plot::print_fact(out, "seed", std::to_string(*report.seed));
    plot::print_fact(out, "revision", report.revision);
    for (const common::ReportedPlugin& plugin : report.plugins) {
      plot::print_fact(out, "plugin",
                       fmt::format("{} {}, {}", plugin.name, plugin.version, plugin.hash));
    }
    plot::print_fact(out, "configuration hash", report.config_hash);
    for (const WorkloadResult& result : results_) {
      const FabricRun* rtl = result.run(FabricKind::Rtl);
      if (rtl == nullptr || rtl->rtl->build_hash.empty()) continue;
      plot::print_fact(out, "hash of the RTL model", rtl->rtl->build_hash);
      break;
    }
    plot::print(out, "</dl>\n<code class=\"command\">{}</code>\n", escape_markup(report.command));
    return out;
  }

  std::string tiles() {
    std::string out;
    std::size_t passed = 0;
    std::uint64_t packets = 0;
    std::uint64_t comparisons = 0;
    std::size_t same = 0;
    std::size_t comparable = 0;
    for (const WorkloadResult& result : results_) {
      const bool has_passed = result.outcome == Outcome::Pass;
      passed += has_passed ? 1 : 0;
      for (const FabricRun& run : result.runs) {
        packets += run.packets;
        for (const FabricRun* network : networks_of(run)) {
          if (!network->rtl) continue;
          for (const auto& checker : network->rtl->checkers) comparisons += checker.checks;
        }
      }
      if (result.run(FabricKind::Cycle) == nullptr || result.run(FabricKind::Rtl) == nullptr) {
        continue;
      }
      ++comparable;
      same += has_passed ? 1 : 0;
    }
    plot::print(out, "<div class=\"tiles\">\n");
    plot::print_tile(out, passed == results_.size(), fmt::format("{}/{}", passed, results_.size()),
                     "workloads passed");
    if (comparable != 0) {
      plot::print_tile(out, same == comparable, fmt::format("{}/{}", same, comparable),
                       fmt::format("RTL equals cycle reference, every {}", unit_of(sip_)));
    }
    plot::print_tile(out, packets != 0, sim::short_count(packets),
                     fmt::format("{}s, over all fabrics", unit_of(sip_)));
    if (comparisons != 0) {
      plot::print_tile(out, true, sim::short_count(comparisons),
                       "comparisons by checkers of the RTL");
    }
    if (!coverage_.groups.empty()) {
      // Never short: a cosimulation has no coverage goal.
      plot::print_tile(out, true, sim::percent(coverage_.hit(), coverage_.total()),
                       "functional coverage of the RTL");
    }
    plot::print(out, "</div>\n");
    return out;
  }

  plot::ReportSection failures() {
    std::string out;
    const auto failed = static_cast<std::size_t>(std::count_if(
        results_.begin(), results_.end(),
        [](const WorkloadResult& result) { return result.outcome != Outcome::Pass; }));
    for (const WorkloadResult& result : results_) {
      if (result.outcome == Outcome::Pass) continue;
      plot::print(out,
                  "<div class=\"failure\">\n<div class=\"head\"><h3>{}</h3>{}</div>\n<p>{}</p>\n",
                  escape_markup(workload_title(result.workload)),
                  plot::outcome_badge(result.outcome), escape_markup(result.reason));
      if (const FabricRun* rtl = result.run(FabricKind::Rtl)) {
        for (const FabricRun* network : networks_of(*rtl)) {
          failures_of(out, workload_title(result.workload), *network);
        }
      }
      plot::print(out, "</div>\n");
    }
    return {sim::counted(failed, "workload") + " did not pass", out};
  }

  void failures_of(std::string& out, const std::string& workload, const FabricRun& of_rtl) {
    if (!of_rtl.rtl) return;
    const sim::Ports ports = ports_of(of_rtl, paths_.maze());
    const auto link_text = [&](const sim::LinkEnd& end) { return escape_markup(ports.name(end)); };
    const RtlResults& run = *of_rtl.rtl;
    if (run.fault) {
      plot::print(
          out, "<p>Injected on purpose: {} at {}, {}; noticed by {}</p>\n",
          escape_markup(run.fault->kind),
          run.fault->place.empty() ? link_text(run.fault->link) : escape_markup(run.fault->place),
          run.fault->injected_at ? fmt::format("cycle {}", *run.fault->injected_at)
                                 : "never took effect",
          run.fault->caught_by.empty()
              ? "no checker"
              : escape_markup(fmt::format("{}", fmt::join(run.fault->caught_by, ", "))));
    }
    if (run.failures.empty()) return;
    std::string table =
        "<table class=\"rows sortable\">\n<thead><tr><th class=\"n\">cycle</th><th>checker</th>"
        "<th>kind</th><th>link</th><th class=\"wide\">message</th></tr></thead>\n<tbody>\n";
    const std::size_t shown = std::min(run.failures.size(), kShownFailures);
    for (const sim::Failure& failure : std::span(run.failures).first(shown)) {
      plot::print(table,
                  "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"nowrap\">{}</td>"
                  "<td class=\"message\">{}</td></tr>\n",
                  sim::grouped(failure.cycle), escape_markup(failure.checker),
                  escape_markup(failure.kind), failure.link ? link_text(*failure.link) : "",
                  escape_markup(failure.message));
    }
    out += plot::scroll_box("Failures of " + workload, table + "</tbody>\n</table>\n");
    if (shown < run.failures.size()) {
      plot::print(out, "<p class=\"dim\">and {} more</p>\n",
                  sim::grouped(run.failures.size() - shown));
    }
  }

  void facts_of_maze(std::string& out) {
    plot::print_fact(out, "dimension order",
                     std::string(common::name_of(topology::kDimensionOrderNames, sip_.maze.order)));
    plot::print_fact(
        out, "nodes",
        nodes_of(results_) == model::fabric::MazeNodeKind::Maze ? "MAZE_NODE" : "ideal");
    if (sip_.maze.failed_node) {
      plot::print_fact(out, "failed node", std::to_string(*sip_.maze.failed_node));
    }
  }

  /// Returns the errors of the analytic fabric.
  plot::ReportSection errors() {
    std::string rows;
    for (const WorkloadResult& result : results_) {
      const FabricRun* run = result.run(FabricKind::Analytic);
      const FabricRun* reference = result.reference();
      if (run == nullptr || run->outcome != Outcome::Pass || reference == nullptr ||
          reference == run) {
        continue;
      }
      const LatencyError error = latency_error(*run, *reference, 0);
      const auto& offered = result.workload.offered;
      plot::print(rows,
                  "<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{:.2f} %</td>"
                  "<td class=\"n\">{:.2f} %</td><td class=\"n\">{:.2f} %</td>"
                  "<td class=\"n\">{:+.2f} %</td></tr>\n",
                  escape_markup(result.workload.name),
                  offered ? fmt::format("{:.4g}", offered->load) : "-",
                  common::name_of(kFabricKindNames, reference->fabric), 100 * error.median,
                  100 * error.p95, 100 * error.max, 100 * error.mean_signed);
    }
    const std::string heading = "Latency of the analytic fabric: errors";
    if (rows.empty()) return {heading, ""};
    return {
        heading,
        plot::scroll_box(
            heading,
            fmt::format("<table class=\"rows sortable\">\n<thead><tr><th>workload</th>"
                        "<th class=\"n\">offered</th><th>against</th><th class=\"n\">median</th>"
                        "<th class=\"n\">p95</th><th class=\"n\">max</th>"
                        "<th class=\"n\">mean, signed</th></tr></thead>\n<tbody>\n{}</tbody>\n"
                        "</table>\n",
                        rows)) +
            "<p class=\"dim\">Errors of single transfers, or of operations of a machine, as "
            "shares of the latency over the other fabric. Where all errors are 0, the curves of "
            "the two coincide.</p>\n"};
  }

  plot::ReportSection checkers() {
    struct Sum {
      std::uint64_t checks = 0;
      std::uint64_t failures = 0;
      std::size_t runs = 0;
    };
    std::map<std::string, Sum> sums;
    for (const WorkloadResult& result : results_) {
      for (const FabricRun& run : result.runs) {
        for (const FabricRun* network : networks_of(run)) {
          if (!network->rtl) continue;
          for (const sim::CheckerResult& checker : network->rtl->checkers) {
            Sum& sum = sums[checker.name];
            sum.checks += checker.checks;
            sum.failures += checker.failures;
            ++sum.runs;
          }
        }
      }
    }
    const std::string heading = "Checkers of the RTL";
    if (sums.empty()) return {heading, ""};
    std::string table =
        "<table class=\"rows sortable\">\n<thead><tr><th>checker</th><th class=\"n\">runs</th>"
        "<th class=\"n\">comparisons</th><th class=\"n\">failures</th></tr></thead>\n<tbody>\n";
    for (const auto& [name, sum] : sums) {
      plot::print(
          table,
          "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "</tr>\n",
          escape_markup(name), sum.runs, sim::grouped(sum.checks),
          sum.failures == 0
              ? "0"
              : fmt::format("<span class=\"badge bad\">{}</span>", sim::grouped(sum.failures)));
    }
    return {heading, plot::scroll_box(heading, table + "</tbody>\n</table>\n")};
  }

  /// Adds the sections. Adjacent workloads of one name, synthetic traffic at several loads, share
  /// one.
  void workloads(plot::ReportPage& page) {
    const std::span<const WorkloadResult> all(results_);
    for (std::size_t begin = 0; begin < all.size();) {
      std::size_t end = begin + 1;
      while (end < all.size() && all[begin].workload.offered && all[end].workload.offered &&
             all[end].workload.name == all[begin].workload.name) {
        ++end;
      }
      page.add(workload_section(all.subspan(begin, end - begin), sip_, paths_));
      begin = end;
    }
  }

  const std::vector<WorkloadResult>& results_;
  const topology::SipSpec& sip_;
  TransferPaths paths_;
  sim::CoverageSummary coverage_;
};

}  // namespace

std::string html_report(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip,
                        const std::string& topology, const common::ReportEnvelope& report,
                        const std::string& json) {
  return Page(results, sip).write(topology, report, json);
}

}  // namespace kernbench::cosim
