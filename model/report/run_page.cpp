// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "common/markup.hpp"
#include "model/report/tornado_section.hpp"
#include "plot/described_page.hpp"
#include "plot/html_text.hpp"
#include "plot/member_html.hpp"
#include "plot/report_page.hpp"
#include "topology/diagram/link_picture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::report {
namespace {

using bench::KindUse;
using bench::StretchUse;
using common::escape_markup;
using common::SimTime;
using trace::CriticalPath;
using trace::PathPart;

constexpr std::size_t kTableRows = 10;
constexpr std::size_t kTopLinks = 10;
constexpr std::size_t kColours = 5;
constexpr std::size_t kMostColumns = 64;

/// Colours of limits: told apart by readers with any colour vision, and by their order.
constexpr std::string_view kStyle = R"css(
:root { --c0: #0077bb; --c1: #ee7733; --c2: #009988; --c3: #aa3377; --c4: #8f8a1f; --c5: #9aa5b1; }
@media screen and (prefers-color-scheme: dark) {
  :root { --c0: #4aa8e0; --c1: #ff9a5c; --c2: #33c2b0; --c3: #d877b0; --c4: #c9c34d; --c5: #66727f; }
}
.stack { display: flex; height: 26px; margin: 4px 0 8px; border-radius: 4px; overflow: hidden; }
.stack i { display: block; }
.key { display: inline-block; width: 10px; height: 10px; margin-right: 6px; border-radius: 2px; }
.c0 { background: var(--c0); fill: var(--c0); } .c1 { background: var(--c1); fill: var(--c1); }
.c2 { background: var(--c2); fill: var(--c2); } .c3 { background: var(--c3); fill: var(--c3); }
.c4 { background: var(--c4); fill: var(--c4); } .c5 { background: var(--c5); fill: var(--c5); }
.bar i.path { background: var(--c0); }
.over-time { display: block; width: 100%; height: 130px; }
.over-time-ends { display: flex; justify-content: space-between; color: var(--dim); font-size: 12px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 4px 28px; }
@media (max-width: 700px) { .pair { grid-template-columns: minmax(0, 1fr); } }
.card h3 { margin: 12px 0 2px; }
)css";

std::string us(SimTime time) {
  return fmt::format("{:.3f}", time.ns() / 1000.0);
}

double share(SimTime part, SimTime whole) {
  return whole == SimTime() ? 0.0 : 100.0 * part.ns() / whole.ns();
}

/// Returns the indices of `count` times, the longest first, and equal ones in their order.
template <typename TimeOf>
std::vector<std::size_t> longest_first(std::size_t count, const TimeOf& time_of) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return time_of(a) > time_of(b); });
  return order;
}

/// Appends the sum of the parts from `shown` on as one part.
std::vector<PathPart> first_parts(const std::vector<PathPart>& parts, std::size_t shown) {
  std::vector<PathPart> first(
      parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(std::min(shown, parts.size())));
  if (parts.size() <= shown) return first;
  PathPart rest{fmt::format("{} smaller parts", parts.size() - shown), {}};
  for (std::size_t i = shown; i < parts.size(); ++i) rest.time += parts[i].time;
  first.push_back(std::move(rest));
  return first;
}

/// Returns a table of parts with a bar each, under a heading.
std::string bar_table(const char* heading, const std::vector<PathPart>& parts, SimTime whole) {
  std::string out = fmt::format(
      "<div><h3>{}</h3>\n<table class=\"rows\">\n<thead><tr><th>part</th><th class=\"n\">us</th>"
      "<th class=\"n\">of the time</th><th></th></tr></thead>\n<tbody>\n",
      heading);
  for (const PathPart& part : first_parts(parts, kTableRows)) {
    plot::print(
        out,
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1f} %</td><td>"
        "<span class=\"bar\"><i class=\"path\" style=\"width:{:.1f}%\"></i></span></td></tr>\n",
        escape_markup(part.name), us(part.time), share(part.time, whole), share(part.time, whole));
  }
  return out + "</tbody>\n</table></div>\n";
}

/// The limits with a colour of their own: the longest; the others share one.
class LimitColours {
 public:
  explicit LimitColours(const std::vector<PathPart>& limits) {
    for (std::size_t i = 0; i < std::min(kColours, limits.size()); ++i)
      colours_[limits[i].name] = i;
  }
  [[nodiscard]] std::size_t of(const std::string& limit) const {
    const auto found = colours_.find(limit);
    return found == colours_.end() ? kColours : found->second;
  }

 private:
  std::map<std::string, std::size_t> colours_;
};

/// Returns the limits of a path as one bar and a list.
std::string limits_bar(const std::vector<PathPart>& limits, SimTime whole,
                       const LimitColours& colours) {
  std::string out = "<div class=\"stack\" aria-hidden=\"true\">";
  for (const PathPart& limit : limits) {
    plot::print(out, "<i class=\"c{}\" style=\"width:{:.2f}%\" title=\"{}: {:.1f} %\"></i>",
                colours.of(limit.name), share(limit.time, whole), escape_markup(limit.name),
                share(limit.time, whole));
  }
  out +=
      "</div>\n<table class=\"rows\">\n<thead><tr><th>limited by</th><th class=\"n\">us</th>"
      "<th class=\"n\">of the time</th></tr></thead>\n<tbody>\n";
  for (const PathPart& limit : first_parts(limits, kTableRows)) {
    plot::print(out,
                "<tr><td><span class=\"key c{}\"></span>{}</td><td class=\"n\">{}</td>"
                "<td class=\"n\">{:.1f} %</td></tr>\n",
                colours.of(limit.name), escape_markup(limit.name), us(limit.time),
                share(limit.time, whole));
  }
  return out + "</tbody>\n</table>\n";
}

/// Returns a column for each window of time, of the limits of the path in it.
std::string columns_over_time(const topology::TopologyGraph& graph, const CriticalPath& path,
                              const LimitColours& colours) {
  constexpr double kHeight = 100;
  std::string out = "<h3>What limits it, over time</h3>\n";
  plot::print(
      out,
      "<svg class=\"over-time\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"Limits of the critical path over time\">\n",
      path.time().ps(), kHeight);
  for (const CriticalPath& window : path.over_time(kMostColumns)) {
    std::vector<SimTime> times(kColours + 1);
    for (const PathPart& limit : window.by_limit(graph))
      times[colours.of(limit.name)] += limit.time;
    double top = kHeight;
    for (std::size_t colour = 0; colour < times.size(); ++colour) {
      if (times[colour] == SimTime()) continue;
      const double height = kHeight * share(times[colour], window.time()) / 100.0;
      top -= height;
      plot::print(out, "<rect class=\"c{}\" x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\"/>",
                  colour, (window.start - path.start).ps(), top, window.time().ps(), height);
    }
  }
  plot::print(
      out, "\n</svg>\n<div class=\"over-time-ends\"><span>{} us</span><span>{} us</span></div>\n",
      us(path.start), us(path.end));
  return out;
}

/// Returns the links that take most of the path, on pictures of their SIPs and as a table.
std::string top_links(const topology::TopologyGraph& graph, const CriticalPath& path,
                      const StretchUse& use) {
  std::vector<trace::WireTime> times = path.wire_times();
  const std::vector<PathPart> links = path.by_link(graph);  // the same with names
  if (times.empty()) return "";
  times.resize(std::min(kTopLinks, times.size()));
  std::map<std::string, const bench::PartUse*> uses;
  for (const bench::PartUse& part : use.parts) uses[part.name] = &part;
  std::vector<topology::MarkedLink> marked;
  std::set<std::uint16_t> sips;
  std::string table =
      "<table class=\"rows\">\n<thead><tr><th class=\"n\"></th><th>link</th>"
      "<th class=\"n\">us on the path</th><th class=\"n\">of the time</th><th class=\"n\">busy</th>"
      "<th class=\"n\">longest queue, us</th></tr></thead>\n<tbody>\n";
  for (const auto& [wire, time] : times) {
    const std::string& name = links[marked.size()].name;
    const auto used = uses.find(name);
    const bool known = used != uses.end();
    plot::print(
        table,
        "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{:.1f} %</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
        marked.size() + 1, escape_markup(name), us(time), share(time, path.time()),
        known ? fmt::format("{:.1f} %", share(used->second->busy, path.time())) : "",
        known ? us(used->second->longest_queue) : "");
    marked.push_back({wire, fmt::format("{}: {} us", name, us(time))});
    const std::uint16_t sip = topology::sip_of(graph, wire);
    if (sip != topology::kNoIndex) sips.insert(sip);
  }
  std::string out;
  for (const std::uint16_t sip : sips) {
    if (graph.spec().system.sips > 1) plot::print(out, "<h3>SIP {}</h3>\n", sip);
    out += topology::link_picture(graph, sip, marked);
  }
  return out + plot::scroll_box("Top links", table + "</tbody>\n</table>\n");
}

std::string use_table(const StretchUse& use) {
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>kind</th><th class=\"n\">used</th>"
      "<th class=\"n\">busy, mean</th><th class=\"n\">waiting, mean</th>"
      "<th class=\"n\">idle, mean</th><th class=\"n\">busiest</th><th>busiest part</th>"
      "<th class=\"n\">longest queue, us</th></tr></thead>\n<tbody>\n";
  for (const KindUse& kind : use.kinds()) {
    const double busy = share(kind.mean(), use.time);
    const double waiting = share(kind.mean_waiting(), use.time);
    plot::print(
        table,
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1f} %</td>"
        "<td class=\"n\">{:.1f} %</td><td class=\"n\">{:.1f} %</td><td class=\"n\">{:.1f} %</td>"
        "<td>{}</td><td class=\"n\">{}</td></tr>\n",
        escape_markup(kind.kind), kind.parts, busy, waiting, std::max(0.0, 100.0 - busy - waiting),
        share(kind.busy, use.time), escape_markup(kind.busiest), us(kind.longest_queue));
  }
  return plot::scroll_box("Use of parts", table + "</tbody>\n</table>\n") +
         "<p class=\"dim\">Over the parts that were used. Waiting: a kernel runs on the PE and the "
         "part does not work. Longest queue: the longest time from when work was ready until it "
         "started.</p>\n";
}

void add_stretch(plot::ReportPage& page, const topology::TopologyGraph& graph,
                 const Explanation& stretch) {
  const CriticalPath& path = stretch.path;
  const SimTime whole = path.time();
  const std::string name = plot::capitalized(stretch.of);
  if (whole == SimTime()) {
    page.add({fmt::format("{}: critical path", name), "<p>It takes no time.</p>\n"});
    return;
  }
  const std::vector<PathPart> limits = path.by_limit(graph);
  const LimitColours colours(limits);
  std::string body =
      fmt::format("<p>{} us, in {} steps from its start to its end.</p>\n", us(whole), path.steps);
  if (path.unnamed() != SimTime()) {
    plot::print(body, "<p>{} us without a cause: a component says nothing of a delay.</p>\n",
                us(path.unnamed()));
  }
  body += limits_bar(limits, whole, colours) + columns_over_time(graph, path, colours);
  page.add({fmt::format("{}: critical path", name), body, true});
  page.add({fmt::format("{}: links", name), top_links(graph, path, stretch.use)});
  page.add({fmt::format("{}: parts", name),
            "<div class=\"pair\">\n" + bar_table("By component", path.by_component(graph), whole) +
                bar_table("By operation", path.by_operation(), whole) +
                bar_table("By PE", path.by_pe(graph), whole) +
                bar_table("By link", path.by_link(graph), whole) + "</div>\n"});
  page.add({fmt::format("{}: busy, waiting and idle", name), use_table(stretch.use)});
}

/// Adds the stretches that take longest in full, in their order, and a table of the others.
void add_stretches(plot::ReportPage& page, const RunReport& run) {
  constexpr std::size_t kInFull = 4;
  const std::vector<Explanation>& all = run.why->stretches;
  std::vector<std::size_t> in_full =
      longest_first(all.size(), [&](std::size_t i) { return all[i].path.time(); });
  in_full.resize(std::min(kInFull, in_full.size()));
  std::string others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Explanation& stretch = all[i];
    if (std::find(in_full.begin(), in_full.end(), i) != in_full.end()) {
      add_stretch(page, run.graph, stretch);
      continue;
    }
    const SimTime whole = stretch.path.time();
    const std::vector<PathPart> limits = stretch.path.by_limit(run.graph);
    plot::print(others, "<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
                escape_markup(stretch.of), us(whole),
                limits.empty() ? ""
                               : fmt::format("{} ({:.0f} %)", escape_markup(limits[0].name),
                                             share(limits[0].time, whole)));
  }
  if (others.empty()) return;
  page.add({"Shorter regions",
            plot::scroll_box("Shorter regions",
                             "<table class=\"rows sortable\">\n<thead><tr><th>of</th><th "
                             "class=\"n\">time us</th><th>limited by</th></tr></thead>\n<tbody>\n" +
                                 others + "</tbody>\n</table>\n")});
}

/// Returns the launches with their nearest limits, the longest first.
std::string launches_table(const RunReport& run, const nlohmann::json& launches) {
  common::ValueForm form = kRunReport.form().member("launches");
  common::ValueForm& limit = form.parts.front().parts.emplace_back();
  limit.kind = common::ValueForm::Kind::Text;
  limit.name = "limit";
  const std::vector<runtime::LaunchRecord>& all = run.result.launches;
  nlohmann::json rows = nlohmann::json::array();
  for (const std::size_t i : longest_first(
           all.size(), [&](std::size_t launch) { return all[launch].end - all[launch].start; })) {
    if (rows.size() == plot::kMostRows) break;
    rows.push_back(launches[i]);
    rows.back()["limit"] = run.why->rooflines[i].sentence();
  }
  std::string out = plot::html_of_value(form, rows);
  if (launches.size() > rows.size()) {
    plot::print(out, "<p class=\"dim\">the longest {} of {}; the JSON report has all</p>\n",
                rows.size(), launches.size());
  }
  return out;
}

/// Returns whether the page has a part of its own for a member of the report. All others are shown
/// as they are described.
bool is_drawn(const std::string& member) {
  constexpr std::array<std::string_view, 7> kDrawn = {
      "bench", "topology", "launches", "explanations", "sip", "rooflines", "tornado"};
  return std::find(kDrawn.begin(), kDrawn.end(), member) != kDrawn.end();
}

}  // namespace

std::string run_page(const common::ReportEnvelope& report, const RunReport& run) {
  const std::string style =
      fmt::format("{}{}{}", kStyle, tornado_style(), topology::link_picture_style());
  const common::ValueForm& form = kRunReport.form();
  plot::ReportPage page =
      plot::described_page(report, {run.bench.name, run.bench.description, style}, form, is_drawn);
  if (!run.tornado.empty()) page.add({"Tornado", tornado_section(run.tornado), true});
  add_stretches(page, run);
  page.add({"Launches", launches_table(run, report.data["launches"])});
  page.add(
      plot::folded_section("Parameters", form.member("parameters"), report.data["parameters"]));
  if (report.data.contains("sources")) {
    page.add(plot::folded_section("Files", form.member("sources"), report.data["sources"]));
  }
  page.add({"System",
            fmt::format("<details><summary>The system that ran, with all keys</summary>\n<pre>{}"
                        "</pre></details>\n",
                        common::escape_markup(report.data["topology"].dump(1)))});
  return std::move(page).finish();
}

}  // namespace kernbench::model::report
