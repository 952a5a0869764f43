// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "common/markup.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::sim {

using common::escape_markup;

namespace {

constexpr unsigned kLevels = 10;  // colours of a ramp in the style sheet

std::size_t index_of(const topology::MazeLinks& links, unsigned node, unsigned port) {
  return std::size_t{port} * links.nodes() + node;
}

class HeatMap {
 public:
  HeatMap(const LinkCounts& counts, const topology::MazeLinks& links)
      : links_(links),
        counts_(counts),
        packets_(filled(counts.packets)),
        stalls_(filled(counts.stalls)),
        packet_scale_(packets_),
        stall_scale_(stalls_),
        failing_(counts.failing) {
    failing_.resize(packets_.size());
  }

  plot::ReportSection write() {
    print("<div class=\"map-card\">\n");
    print(R"(<input class="switch" type="radio" name="by" id="by-packets" checked="checked"/>)"
          R"(<label for="by-packets">packets</label> )"
          R"(<input class="switch" type="radio" name="by" id="by-stalls"/>)"
          R"(<label for="by-stalls">)"
          "{}</label>\n",
          counts_.title);
    legend("packets", 'p', packet_scale_);
    legend("stalls", 's', stall_scale_);
    style();
    const std::string heading =
        fmt::format("{} links by receiving node and input port", grouped(packets_.size()));
    std::string before = std::exchange(out_, "");
    print("<table class=\"map\">\n<thead><tr><th>node</th>");
    for (unsigned port = 0; port < links_.ports(); ++port) print("<th>{}</th>", short_name(port));
    print("</tr></thead>\n<tbody>\n");
    for (unsigned node = 0; node < links_.nodes(); ++node) row(node);
    print("</tbody></table>\n");
    return {heading, before + plot::scroll_box("Map of the links", out_) + "</div>\n"};
  }

 private:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  /// Returns one count per link, also for a regression that ended before its first case.
  [[nodiscard]] std::vector<std::uint64_t> filled(std::vector<std::uint64_t> counts) const {
    counts.resize(links_.links().size());
    return counts;
  }

  [[nodiscard]] std::string short_name(unsigned port) const {
    const bool along_x = port < links_.x_ports();
    return fmt::format("{}{}", along_x ? 'x' : 'y', along_x ? port : port - links_.x_ports());
  }

  void legend(const char* of, char ramp, const HeatScale& scale) {
    print("<div class=\"legend of-{}\">{}", of, scale.ramp(ramp));
    print(" <i class=\"box dead\"></i> no packet");
    if (ramp == 's') print(" <i class=\"box\" style=\"background:var(--empty)\"></i> no stall");
    if (std::find(failing_.begin(), failing_.end(), true) != failing_.end()) {
      print(" <i class=\"box fail\"></i> failed");
    }
    print("</div>\n");
  }

  /// Appends the styles that depend on the shape: the width of a cell, the gap between x and y
  /// ports, and the colour of each class.
  void style() {
    const bool narrow = links_.ports() > 16;
    print("<style>.map td{{width:{}px}}.map thead{{font-size:{}px}}", narrow ? 16 : 22,
          narrow ? 8 : 10);
    print(".map tr>:nth-child({}){{border-left:5px solid transparent}}", links_.x_ports() + 2);
    for (unsigned level = 0; level < kLevels; ++level) {
      print(".p{0}{{--p:var(--p{0})}}.s{0}{{--s:var(--s{0})}}", level);
    }
    print("</style>\n");
  }

  void row(unsigned node) {
    const bool starts_group = node > 0 && links_.x_of(node) == 0;
    print("<tr{}><th>{}</th>", starts_group ? " class=\"gap\"" : "", links_.coordinates(node));
    for (unsigned port = 0; port < links_.ports(); ++port) cell(node, port);
    print("</tr>\n");
  }

  void cell(unsigned node, unsigned port) {
    const std::size_t at = index_of(links_, node, port);
    const std::uint64_t packets = packets_[at];
    const std::uint64_t stalls = stalls_[at];
    std::string classes = packets == 0 ? "dead" : fmt::format("p{}", packet_scale_.level(packets));
    if (stalls != 0) classes += fmt::format(" s{}", stall_scale_.level(stalls));
    if (failing_[at]) classes += " fail";
    const topology::MazeLink& link = links_.arriving(node, port);
    print("<td class=\"{}\" data-t=\"{}&#10;{}, {}\"></td>", classes,
          escape_markup(links_.link_name(link)), counted(packets, "packet"),
          counted(stalls, std::string(counts_.noun)));
  }

  const topology::MazeLinks& links_;
  const LinkCounts& counts_;
  std::vector<std::uint64_t> packets_, stalls_;
  HeatScale packet_scale_, stall_scale_;
  std::vector<bool> failing_;
  std::string out_;
};

}  // namespace

HeatScale::HeatScale(const std::vector<std::uint64_t>& counts) {
  for (const std::uint64_t n : counts) {
    if (n == 0) continue;
    low = low == 0 ? n : std::min(low, n);
    high = std::max(high, n);
  }
}

unsigned HeatScale::level(std::uint64_t n) const {
  if (high == low) return kLevels / 2;
  const double share = static_cast<double>(n - low) / static_cast<double>(high - low);
  return std::min(static_cast<unsigned>(share * kLevels), kLevels - 1);
}

std::string HeatScale::ramp(char name) const {
  std::string out = fmt::format("{} <span class=\"ramp\">", grouped(low));
  for (unsigned level = 0; level < kLevels; ++level) {
    print(out, "<i style=\"background:var(--{}{})\"></i>", name, level);
  }
  return fmt::format("{}</span> {}", out, grouped(high));
}

plot::ReportSection heat_map_section(const LinkCounts& counts, const topology::MazeLinks& links) {
  return HeatMap(counts, links).write();
}

plot::ReportSection heat_map_section(const RegressionResult& result,
                                     const topology::MazeLinks& links) {
  LinkCounts counts{result.link_packets, result.link_stalls};
  counts.failing.resize(links.links().size());
  for (const CaseResult& c : result.cases) {
    // An injected fault is not a defect of the link.
    if (c.outcome == common::Outcome::Pass || c.fault) continue;
    for (const Failure& failure : c.failures) {
      if (!failure.link || failure.link->node >= links.nodes() ||
          failure.link->port >= links.ports()) {
        continue;
      }
      const topology::MazeLink& link = links.leaving(failure.link->node, failure.link->port);
      counts.failing[index_of(links, link.to.node, link.to.port)] = true;
    }
  }
  return heat_map_section(counts, links);
}

}  // namespace kernbench::sim
