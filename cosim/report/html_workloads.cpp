// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/html_workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "common/enum_names.hpp"
#include "common/markup.hpp"
#include "cosim/report/curve_chart.hpp"
#include "cosim/report/json.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::escape_markup;
using common::Outcome;
using model::fabric::TimedTransfer;

namespace {

std::string fabric_name(FabricKind kind) {
  return std::string(common::name_of(kFabricKindNames, kind));
}

/// Returns one curve per fabric, of the values that `value_of` returns for complete runs.
std::vector<FabricCurve> curves(
    std::span<const WorkloadResult> results,
    const std::function<double(const WorkloadResult&, const FabricRun&)>& value_of) {
  std::vector<FabricCurve> all;
  for (const auto& [name, kind] : kFabricKindNames) {
    FabricCurve curve{std::string(name), static_cast<unsigned>(kind), {}};
    for (const WorkloadResult& result : results) {
      const FabricRun* run = result.run(kind);
      if (run == nullptr || run->outcome != Outcome::Pass) continue;
      curve.points.push_back({result.workload.offered->load, value_of(result, *run)});
    }
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const auto& a, const auto& b) { return a.x < b.x; });
    if (!curve.points.empty()) all.push_back(std::move(curve));
  }
  return all;
}

void print_key(std::string& out, const WorkloadResult& result) {
  plot::print(out, "<div class=\"key\">");
  for (const FabricRun& run : result.runs) {
    const std::string name = fabric_name(run.fabric);
    plot::print(out, "<span>{}{}</span>\n",
                curve_sample_svg(name, static_cast<unsigned>(run.fabric)), name);
  }
  plot::print(out, "</div>\n");
}

void print_charts(std::string& out, std::span<const WorkloadResult> results,
                  const topology::SipSpec& sip) {
  const std::vector<FabricCurve> accepted =
      curves(results, [&](const WorkloadResult& result, const FabricRun& run) {
        return accepted_load(result.workload, run, sip);
      });
  if (accepted.empty()) return;
  plot::print(out, "<div class=\"charts\">\n");
  const auto latency = [&sip](const WorkloadResult& result, const FabricRun& run) {
    return summarize(run, first_measured(result.workload, sip));
  };
  const auto mean_ns = [&latency](const WorkloadResult& result, const FabricRun& run) {
    return latency(result, run).mean / 1000.0;
  };
  const auto p95_ns = [&latency](const WorkloadResult& result, const FabricRun& run) {
    return static_cast<double>(latency(result, run).p95) / 1000.0;
  };
  const std::string per_cycle = fmt::format("{}s per sender and cycle", unit_of(sip));
  const std::string load = "offered load, " + per_cycle;
  out +=
      curve_chart_svg({"Accepted against offered load", load, per_cycle, accepted, ValueAxis::AsX});
  out +=
      curve_chart_svg({"Mean latency", load, "ns", curves(results, mean_ns), ValueAxis::Fitting});
  out += curve_chart_svg(
      {"95th percentile of latency", load, "ns", curves(results, p95_ns), ValueAxis::Fitting});
  plot::print(out, "</div>\n");
}

/// Returns a chart of the share of transfers that complete within a latency.
std::string distribution_chart(const WorkloadResult& result, const topology::SipSpec& sip) {
  const bool machine = result.workload.machine != nullptr;
  CurveChart chart{machine ? "Operations done within a latency" : "Transfers done within a latency",
                   "cycles",
                   machine ? "% of operations" : "% of transfers",
                   {},
                   ValueAxis::Linear};
  for (const auto& [name, kind] : kFabricKindNames) {
    const FabricRun* run = result.run(kind);
    if (run == nullptr || run->outcome != Outcome::Pass) continue;
    FabricCurve curve{std::string(name), static_cast<unsigned>(kind), {{0, 0}}};
    std::uint64_t done = 0;
    for (const auto& [cycles, count] : latency_histogram(result.workload, *run, sip)) {
      done += count;
      curve.points.push_back({static_cast<double>(cycles), static_cast<double>(done)});
    }
    for (plot::PointPx& point : curve.points) point.y *= 100.0 / static_cast<double>(done);
    chart.curves.push_back(std::move(curve));
  }
  return chart.curves.empty() ? "" : curve_chart_svg(chart);
}

void print_run(std::string& out, const WorkloadResult& result, const FabricRun& run,
               const topology::SipSpec& sip) {
  plot::print(out,
              "<td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>",
              fabric_name(run.fabric), sim::grouped(run.transfers), sim::grouped(run.packets),
              run.clocked ? sim::grouped(run.clocked->cycles) : "-");
  if (run.outcome != Outcome::Pass) {
    plot::print(out, "<td colspan=\"6\" class=\"message\">{} {}</td></tr>\n",
                plot::outcome_badge(run.outcome), escape_markup(failed_place(run) + run.reason));
    return;
  }
  const LatencySummary latency = summarize(run, first_measured(result.workload, sip));
  const FabricRun* cycle = result.run(FabricKind::Cycle);
  const bool is_compared =
      run.fabric == FabricKind::Rtl && cycle != nullptr && cycle->outcome == Outcome::Pass;
  const bool is_same = is_compared && result.outcome == Outcome::Pass;
  plot::print(
      out,
      "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
      "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
      result.workload.offered ? fmt::format("{:.4f}", accepted_load(result.workload, run, sip))
                              : "-",
      sim::ns_text(latency.mean), sim::ns_text(static_cast<double>(latency.median)),
      sim::ns_text(static_cast<double>(latency.p95)),
      sim::ns_text(static_cast<double>(latency.max)),
      is_same ? fmt::format("<span class=\"badge good\">= cycle, every {}</span>", unit_of(sip))
      : is_compared ? plot::outcome_badge(result.outcome)
                    : "");
}

void print_between_sips(std::string& out, const FabricRun& run) {
  plot::print(out,
              "<tr><td></td><td>between SIPs</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
              "<td class=\"n\">{}</td><td colspan=\"6\"></td></tr>\n",
              sim::grouped(run.transfers), sim::counted(run.packets, "flit"),
              run.clocked ? sim::grouped(run.clocked->cycles) : "-");
}

void print_table(std::string& out, std::span<const WorkloadResult> results,
                 const topology::SipSpec& sip) {
  std::string table = fmt::format(
      "<table class=\"rows loads\">\n<thead><tr><th class=\"n\">offered</th><th>fabric</th>"
      "<th class=\"n\">transfers</th><th class=\"n\">{}s</th><th class=\"n\">cycles</th>"
      "<th class=\"n\">accepted</th><th class=\"n\">mean ns</th><th class=\"n\">median</th>"
      "<th class=\"n\">p95</th><th class=\"n\">max</th><th>comparison</th></tr></thead>\n<tbody>\n",
      unit_of(sip));
  for (const WorkloadResult& result : results) {
    bool is_first = true;
    for (const FabricRun& run : result.runs) {
      if (std::exchange(is_first, false)) {
        const auto& offered = result.workload.offered;
        plot::print(table, "<tr class=\"first\"><td class=\"n\">{}</td>",
                    offered ? fmt::format("{:.4g}", offered->load) : "-");
      } else {
        plot::print(table, "<tr><td></td>");
      }
      print_run(table, result, run, sip);
      for (const FabricRun& between : run.between_sips) print_between_sips(table, between);
    }
  }
  out +=
      plot::scroll_box("Runs of " + results.front().workload.name, table + "</tbody>\n</table>\n");
}

/// Returns the path of a unicast with its corner, "[0,1] → [0,3] → [4,3]", or source and type of a
/// multicast.
std::string way(const TimedTransfer& transfer, const TransferPath& path,
                const TransferPaths& paths) {
  std::string text = paths.cube_name(path.source);
  if (path.corner) text += " → " + paths.cube_name(*path.corner);
  if (path.destination) return text + " → " + paths.cube_name(*path.destination);
  return fmt::format("{} {}", text,
                     common::name_of(model::fabric::kTransferTypeNames, transfer.type));
}

/// Returns the links of a path with their utilization, or only the number of a long path's links.
std::string link_names(const TransferPath& path, const TransferPaths& paths,
                       const std::vector<double>& utilization) {
  if (path.links.size() > 2) return sim::counted(path.links.size(), "link");
  std::string text;
  for (const std::size_t link : path.links) {
    text += fmt::format("{}{}, {:.0f} %", text.empty() ? "" : "<br/>",
                        escape_markup(paths.link_name(link)), 100 * utilization[link]);
  }
  return text;
}

void print_offenders(std::string& out, const WorkloadResult& result, const topology::SipSpec& sip,
                     const TransferPaths& paths, bool open) {
  const FabricRun* run = result.run(FabricKind::Analytic);
  const FabricRun* reference = result.reference();
  if (run == nullptr || run->outcome != Outcome::Pass || reference == nullptr || reference == run) {
    return;
  }
  const LatencyError error = latency_error(*run, *reference);
  plot::print(out, "<details{}><summary>{}: ", open ? " open=\"open\"" : "",
              escape_markup(workload_title(result.workload)));
  if (error.worst.empty()) {
    plot::print(out, "analytic is exact in every transfer</summary></details>\n");
    return;
  }
  plot::print(out, "median {:.2f} %, p95 {:.2f} %, at most {:.2f} %</summary>\n",
              100 * error.median, 100 * error.p95, 100 * error.max);
  std::string table;
  plot::print(table,
              "<table class=\"rows sortable\">\n<thead><tr><th class=\"n\">transfer</th><th>way "
              "[y,x]</th><th class=\"n\">bytes</th>"
              "<th class=\"n\">at ns</th><th class=\"n\">analytic ns</th><th class=\"n\">{} ns</th>"
              "<th class=\"n\">error</th><th class=\"wide\">links, busy; longest wait</th></tr>"
              "</thead>\n<tbody>\n",
              fabric_name(reference->fabric));
  const std::vector<double> utilization = link_utilization(*reference, sip);
  for (const std::size_t index : error.worst) {
    const TimedTransfer& transfer = result.workload.transfers[index];
    const TransferPath path = paths.of(transfer);
    const auto got = static_cast<double>(run->latency(index).ps());
    const auto expected = static_cast<double>(reference->latency(index).ps());
    const auto lost = lost_time_of(result, index);
    plot::print(table,
                "<tr><td class=\"n\">{}</td><td class=\"nowrap\">{}</td><td class=\"n\">{}</td>"
                "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                "<td class=\"n\">{:+.1f} %</td><td><span class=\"nowrap\">{}</span>{}</td></tr>\n",
                index, escape_markup(way(transfer, path, paths)), sim::grouped(transfer.bytes),
                sim::ns_text(static_cast<double>(transfer.at.ps())), sim::ns_text(got),
                sim::ns_text(expected), 100 * (got - expected) / expected,
                link_names(path, paths, utilization),
                lost ? fmt::format("<br/>{}", escape_markup(lost->place(*paths.maze()))) : "");
  }
  out += plot::scroll_box("Largest errors of " + workload_title(result.workload),
                          table + "</tbody>\n</table>\n");
  out += "</details>\n";
}

/// Appends the operations of a machine on all fabrics: all, or those with the largest errors of the
/// analytic fabric.
void print_operations(std::string& out, const WorkloadResult& result) {
  constexpr std::size_t kShown = 200;
  const FabricRun* reference = result.reference();
  if (reference == nullptr) return;
  const std::vector<std::string>& operations = reference->machine->operations;
  std::vector<std::size_t> shown(operations.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  const FabricRun* analytic = result.run(FabricKind::Analytic);
  const bool has_errors =
      analytic != nullptr && analytic != reference && analytic->outcome == Outcome::Pass;
  if (shown.size() > kShown) {
    if (has_errors) shown = latency_error(*analytic, *reference, kShown).worst;
    shown.resize(std::min(shown.size(), kShown));
  }
  out += "<h3 class=\"above\">Operations</h3>\n";
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>operation</th>"
      "<th class=\"n\">starts at ns</th>";
  for (const FabricRun& run : result.runs) {
    plot::print(table, "<th class=\"n\">{} ns</th>", fabric_name(run.fabric));
  }
  plot::print(table, "{}</tr></thead>\n<tbody>\n",
              has_errors ? "<th class=\"n\">error of analytic</th>" : "");
  for (const std::size_t index : shown) {
    plot::print(table, "<tr><td>{}</td><td class=\"n\">{}</td>", escape_markup(operations[index]),
                sim::ns_text(static_cast<double>(reference->played[index].submitted->ps())));
    for (const FabricRun& run : result.runs) {
      plot::print(table, "<td class=\"n\">{}</td>",
                  index < run.played.size()
                      ? sim::ns_text(static_cast<double>(run.latency(index).ps()))
                      : "-");
    }
    if (has_errors) {
      const auto expected = static_cast<double>(reference->latency(index).ps());
      const auto got = static_cast<double>(analytic->latency(index).ps());
      plot::print(table, "<td class=\"n\">{}</td>",
                  got == expected || expected == 0
                      ? "exact"
                      : fmt::format("{:+.2f} %", 100 * (got - expected) / expected));
    }
    plot::print(table, "</tr>\n");
  }
  out += plot::scroll_box("Operations of " + workload_title(result.workload),
                          table + "</tbody>\n</table>\n");
  if (shown.size() < operations.size()) {
    plot::print(
        out,
        "<p class=\"dim\">Those with the largest errors, of {}; the JSON report has all.</p>\n",
        sim::counted(operations.size(), "operation"));
  }
}

/// Returns the note below a map of links.
std::string map_note(const FabricRun& run) {
  std::string note;
  if (run.mazes > 1)
    note = fmt::format("Of {} SIPs together; a cycle's share is their mean. ", run.mazes);
  if (run.outcome != Outcome::Pass) note += "Traffic up to the failure, which ended the run.";
  return note.empty() ? note : fmt::format("<p class=\"dim\">{}</p>\n", note);
}

const WorkloadResult& at_highest_load(std::span<const WorkloadResult> results) {
  return *std::max_element(results.begin(), results.end(),
                           [](const WorkloadResult& a, const WorkloadResult& b) {
                             const auto load = [](const WorkloadResult& result) {
                               return result.workload.offered ? result.workload.offered->load : 0;
                             };
                             return load(a) < load(b);
                           });
}

}  // namespace

std::string workload_title(const Workload& workload) {
  return workload.offered ? fmt::format("{} at {:.4g}", workload.name, workload.offered->load)
                          : workload.name;
}

plot::ReportSection workload_section(std::span<const WorkloadResult> results,
                                     const topology::SipSpec& sip, const TransferPaths& paths) {
  std::string out;
  print_key(out, results.front());
  if (results.size() > 1) print_charts(out, results, sip);
  print_table(out, results, sip);
  const WorkloadResult& highest = at_highest_load(results);
  std::string offenders;
  for (const WorkloadResult& result : results) {
    if (result.workload.machine != nullptr) continue;
    print_offenders(offenders, result, sip, paths, &result == &highest);
  }
  const std::string at_load =
      highest.workload.offered ? fmt::format(", at {:.4g}", highest.workload.offered->load) : "";
  const FabricRun* run = run_of_links(highest);
  if (run != nullptr) {
    plot::print(
        out,
        "<div class=\"side\">\n<div class=\"map-card\"><h3 class=\"above\">Links by receiving "
        "node and input port{}</h3>\n{}{}</div>\n<div>",
        at_load, map_note(*run), heat_map_html(*run, sip, paths));
  }
  plot::print(out, "<h3 class=\"above\">Distribution of latency{}</h3>\n{}", at_load,
              distribution_chart(highest, sip));
  if (!offenders.empty()) {
    plot::print(
        out, "<h3 class=\"above\">Transfers with the largest errors of the analytic fabric</h3>\n");
    out += offenders;
    plot::print(
        out,
        "<p class=\"dim\">Busy: how much of all cycles until the last completion the link took "
        "a {}.</p>\n",
        unit_of(sip));
  }
  if (highest.workload.machine != nullptr) print_operations(out, highest);
  if (run != nullptr) plot::print(out, "</div>\n</div>\n");
  return {results.front().workload.name, out, true};
}

}  // namespace kernbench::cosim
