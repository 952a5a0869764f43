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
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cosim {

using common::escape_markup;
using common::Outcome;

namespace {

constexpr std::size_t kShownFailures = 20;  // per run; the JSON report has all

class Page {
 public:
  Page(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip)
      : results_(results),
        sip_(sip),
        shape_(maze_shape(sip)),
        paths_(sip),
        coverage_(rtl_coverage(results)) {}

  std::string write(const std::string& topology, const common::ReportEnvelope& report) {
    const std::string title = fmt::format("MAZE {}x{} cosimulation", shape_.nx, shape_.ny);
    // The empty icon stops browsers from requesting one.
    sim::print(out_,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
               "<link rel=\"icon\" href=\"data:,\"/>\n<title>{}: {}</title>\n<style>",
               common::name(report.outcome), title);
    out_ += sim::html_style();
    out_ += cosim_style();
    out_ += "</style>\n</head>\n<body>\n";
    header(title, topology, report);
    tiles();
    failures();
    out_ += "<div class=\"columns\">\n<div>\n";
    errors();
    out_ += "</div>\n<div>\n";
    checkers();
    out_ += "</div>\n</div>\n";
    workloads();
    out_ += sim::coverage_html(coverage_);
    out_ += "</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void header(const std::string& title, const std::string& topology,
              const common::ReportEnvelope& report) {
    sim::print(out_, "<header class=\"card{}\">\n<div class=\"title\">{}<h1>{}</h1></div>\n",
               report.outcome == Outcome::Pass ? "" : " failed", sim::outcome_badge(report.outcome),
               title);
    sim::print(out_, "<dl class=\"facts\">\n");
    sim::print_fact(out_, "topology", topology);
    sim::print_fact(out_, "data bits", std::to_string(shape_.flit_w));
    sim::print_fact(out_, "clock", fmt::format("{} ns", sip_.maze.clock_ns));
    sim::print_fact(out_, "dimension order",
                    std::string(common::name_of(topology::kDimensionOrderNames, sip_.maze.order)));
    if (report.seed) sim::print_fact(out_, "seed", std::to_string(*report.seed));
    sim::print_fact(out_, "revision", report.revision);
    sim::print_fact(out_, "configuration hash", report.config_hash);
    for (const WorkloadResult& result : results_) {
      const FabricRun* rtl = result.run(FabricKind::Rtl);
      if (rtl == nullptr || rtl->rtl->build_hash.empty()) continue;
      sim::print_fact(out_, "hash of the RTL model", rtl->rtl->build_hash);
      break;
    }
    sim::print(out_, "</dl>\n<code class=\"command\">{}</code>\n</header>\n",
               escape_markup(report.command));
  }

  void tiles() {
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
        if (!run.rtl) continue;
        for (const sim::CheckerResult& checker : run.rtl->checkers) comparisons += checker.checks;
      }
      if (result.run(FabricKind::Cycle) == nullptr || result.run(FabricKind::Rtl) == nullptr) {
        continue;
      }
      ++comparable;
      same += has_passed ? 1 : 0;
    }
    sim::print(out_, "<div class=\"tiles\">\n");
    sim::print_tile(out_, passed == results_.size(), fmt::format("{}/{}", passed, results_.size()),
                    "workloads passed");
    if (comparable != 0) {
      sim::print_tile(out_, same == comparable, fmt::format("{}/{}", same, comparable),
                      "RTL equals cycle reference, every packet");
    }
    sim::print_tile(out_, packets != 0, sim::short_count(packets), "packets, over all fabrics");
    if (comparisons != 0) {
      sim::print_tile(out_, true, sim::short_count(comparisons),
                      "comparisons by checkers of the RTL");
    }
    if (!coverage_.groups.empty()) {
      // Never short: a cosimulation has no coverage goal.
      sim::print_tile(out_, true, sim::percent(coverage_.hit(), coverage_.total()),
                      "functional coverage of the RTL");
    }
    sim::print(out_, "</div>\n");
  }

  void failures() {
    const auto failed = static_cast<std::size_t>(std::count_if(
        results_.begin(), results_.end(),
        [](const WorkloadResult& result) { return result.outcome != Outcome::Pass; }));
    if (failed == 0) return;
    sim::print(out_, "<section class=\"card\">\n<h2>{} did not pass</h2>\n",
               sim::counted(failed, "workload"));
    for (const WorkloadResult& result : results_) {
      if (result.outcome == Outcome::Pass) continue;
      sim::print(out_,
                 "<div class=\"failure\">\n<div class=\"head\"><h3>{}</h3>{}</div>\n<p>{}</p>\n",
                 escape_markup(workload_title(result.workload)), sim::outcome_badge(result.outcome),
                 escape_markup(result.reason));
      if (const FabricRun* rtl = result.run(FabricKind::Rtl)) failures_of(*rtl->rtl);
      sim::print(out_, "</div>\n");
    }
    sim::print(out_, "</section>\n");
  }

  void failures_of(const RtlResults& run) {
    const topology::MazeLinks& links = paths_.links();
    const auto link_text = [&](const sim::LinkEnd& end) {
      return escape_markup(links.link_name(links.leaving(end.node, end.port)));
    };
    if (run.fault) {
      sim::print(out_, "<p>Injected on purpose: {} at {}, {}; noticed by {}</p>\n",
                 escape_markup(run.fault->kind), link_text(run.fault->link),
                 run.fault->injected_at ? fmt::format("cycle {}", *run.fault->injected_at)
                                        : "never took effect",
                 run.fault->caught_by.empty()
                     ? "no checker"
                     : escape_markup(fmt::format("{}", fmt::join(run.fault->caught_by, ", "))));
    }
    if (run.failures.empty()) return;
    sim::print(out_,
               "<table class=\"rows\">\n<tr><th class=\"n\">cycle</th><th>checker</th><th>kind</th>"
               "<th>link</th><th class=\"wide\">message</th></tr>\n");
    const std::size_t shown = std::min(run.failures.size(), kShownFailures);
    for (const sim::Failure& failure : std::span(run.failures).first(shown)) {
      sim::print(out_,
                 "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"nowrap\">{}</td>"
                 "<td class=\"message\">{}</td></tr>\n",
                 sim::grouped(failure.cycle), escape_markup(failure.checker),
                 escape_markup(failure.kind), failure.link ? link_text(*failure.link) : "",
                 escape_markup(failure.message));
    }
    sim::print(out_, "</table>\n");
    if (shown < run.failures.size()) {
      sim::print(out_, "<p class=\"dim\">and {} more</p>\n",
                 sim::grouped(run.failures.size() - shown));
    }
  }

  /// Appends the errors of the analytic fabric.
  void errors() {
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
      sim::print(rows,
                 "<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{:.2f} %</td>"
                 "<td class=\"n\">{:.2f} %</td><td class=\"n\">{:.2f} %</td>"
                 "<td class=\"n\">{:+.2f} %</td></tr>\n",
                 escape_markup(result.workload.name),
                 offered ? fmt::format("{:.4g}", offered->load) : "-",
                 common::name_of(kFabricKindNames, reference->fabric), 100 * error.median,
                 100 * error.p95, 100 * error.max, 100 * error.mean_signed);
    }
    if (rows.empty()) return;
    sim::print(out_,
               "<section class=\"card\">\n<h2>Latency of the analytic fabric: errors</h2>\n"
               "<table class=\"rows\">\n<tr><th>workload</th><th class=\"n\">offered</th>"
               "<th>against</th><th class=\"n\">median</th><th class=\"n\">p95</th>"
               "<th class=\"n\">max</th><th class=\"n\">mean, signed</th></tr>\n{}</table>\n"
               "<p class=\"dim\">Of single transfers, or operations of a machine, as shares of the "
               "latency "
               "that they are held against.</p>\n</section>\n",
               rows);
  }

  void checkers() {
    struct Sum {
      std::uint64_t checks = 0;
      std::uint64_t failures = 0;
      std::size_t runs = 0;
    };
    std::map<std::string, Sum> sums;
    for (const WorkloadResult& result : results_) {
      for (const FabricRun& run : result.runs) {
        if (!run.rtl) continue;
        for (const sim::CheckerResult& checker : run.rtl->checkers) {
          Sum& sum = sums[checker.name];
          sum.checks += checker.checks;
          sum.failures += checker.failures;
          ++sum.runs;
        }
      }
    }
    if (sums.empty()) return;
    sim::print(out_,
               "<section class=\"card\">\n<h2>Checkers of the RTL</h2>\n<table class=\"rows\">\n"
               "<tr><th>checker</th><th class=\"n\">runs</th><th class=\"n\">comparisons</th>"
               "<th class=\"n\">failures</th></tr>\n");
    for (const auto& [name, sum] : sums) {
      sim::print(
          out_,
          "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "</tr>\n",
          escape_markup(name), sum.runs, sim::grouped(sum.checks),
          sum.failures == 0
              ? "0"
              : fmt::format("<span class=\"badge bad\">{}</span>", sim::grouped(sum.failures)));
    }
    sim::print(out_, "</table>\n</section>\n");
  }

  /// Appends the cards. Adjacent workloads of one name, synthetic traffic at several loads, share
  /// one.
  void workloads() {
    const std::span<const WorkloadResult> all(results_);
    for (std::size_t begin = 0; begin < all.size();) {
      std::size_t end = begin + 1;
      while (end < all.size() && all[begin].workload.offered && all[end].workload.offered &&
             all[end].workload.name == all[begin].workload.name) {
        ++end;
      }
      out_ += workload_card(all.subspan(begin, end - begin), sip_, paths_);
      begin = end;
    }
  }

  const std::vector<WorkloadResult>& results_;
  const topology::SipSpec& sip_;
  maze::Shape shape_;
  TransferPaths paths_;
  sim::CoverageSummary coverage_;
  std::string out_;
};

}  // namespace

std::string html_report(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip,
                        const std::string& topology, const common::ReportEnvelope& report) {
  return Page(results, sip).write(topology, report);
}

}  // namespace kernbench::cosim
