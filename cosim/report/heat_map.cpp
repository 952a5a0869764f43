// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/html_workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "common/markup.hpp"
#include "cosim/run/cosim.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::escape_markup;

namespace {

constexpr unsigned kLevels = 10;  // colours of the ramp in the style sheet

std::string legend(double highest, std::string_view unit, bool any_failed) {
  std::string out = "<div class=\"legend\">0 <span class=\"ramp\">";
  for (unsigned level = 0; level < kLevels; ++level) {
    out += fmt::format("<i style=\"background:var(--p{})\"></i>", level);
  }
  out += fmt::format(
      "</span> {:.3f} {}s a cycle <i class=\"box\" style=\"background:var(--empty)\"></i> none",
      highest, unit);
  if (any_failed) out += " <i class=\"box fail\"></i> failed";
  return out + "</div>\n";
}

}  // namespace

std::string heat_map_html(const FabricRun& run, const topology::SipSpec& sip,
                          const TransferPaths& paths) {
  const std::vector<double> utilization = link_utilization(run, sip);
  const auto& maze = paths.maze();
  std::set<std::size_t> failed;
  if (run.rtl) {
    for (const sim::Failure& failure : run.rtl->failures) {
      if (failure.link && maze) {
        failed.insert(std::size_t{failure.link->node} * maze->ports() + failure.link->port);
      }
    }
  }
  const double highest = *std::max_element(utilization.begin(), utilization.end());
  std::size_t inputs = 0;
  for (std::size_t node = 0; node < paths.nodes(); ++node) {
    inputs = std::max(inputs, paths.arriving(node).size());
  }
  std::string out = "<table class=\"map\">\n<thead><tr><th>node</th>";
  const bool narrow = inputs > 16;
  for (unsigned port = 0; port < inputs; ++port) {
    const bool along_x = maze && port < maze->x_ports();
    out += fmt::format("<th style=\"min-width:{}px\">{}{}</th>", narrow ? 16 : 22,
                       !maze     ? ""
                       : along_x ? "x"
                                 : "y",
                       along_x || !maze ? port : port - maze->x_ports());
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t node = 0; node < paths.nodes(); ++node) {
    const bool starts_group = maze && node > 0 && maze->x_of(static_cast<unsigned>(node)) == 0;
    out += fmt::format("<tr{}><th>{}</th>", starts_group ? " class=\"gap\"" : "",
                       escape_markup(paths.node_name(node)));
    for (const std::size_t link : paths.arriving(node)) {
      const double share = highest == 0 ? 0 : utilization[link] / highest;
      const unsigned level = std::min(static_cast<unsigned>(share * kLevels), kLevels - 1);
      const std::uint64_t packets = run.clocked->link_packets[link];
      std::string classes = packets == 0 ? "idle" : fmt::format("p{}", level);
      if (failed.contains(link)) classes += " fail";
      out += fmt::format("<td class=\"{}\" data-t=\"{}&#10;{}, {:.3f} a cycle\"></td>", classes,
                         escape_markup(paths.link_name(link)),
                         sim::counted(packets, std::string(unit_of(sip))), utilization[link]);
    }
    out += "</tr>\n";
  }
  return legend(highest, unit_of(sip), !failed.empty()) +
         plot::scroll_box("Map of the links", out + "</tbody>\n</table>\n");
}

}  // namespace kernbench::cosim
