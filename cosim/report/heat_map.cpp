// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/html_workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "common/markup.hpp"
#include "cosim/run/cosim.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::escape_markup;

namespace {

constexpr unsigned kLevels = 10;  // colours of the ramp in the style sheet

std::string legend(double highest, bool any_failed) {
  std::string out = "<div class=\"legend\">0 <span class=\"ramp\">";
  for (unsigned level = 0; level < kLevels; ++level) {
    out += fmt::format("<i style=\"background:var(--p{})\"></i>", level);
  }
  out += fmt::format(
      "</span> {:.3f} packets a cycle <i class=\"box\" style=\"background:var(--empty)\"></i> none",
      highest);
  if (any_failed) out += " <i class=\"box fail\"></i> failed";
  return out + "</div>\n";
}

}  // namespace

std::string heat_map_html(const FabricRun& run, const topology::SipSpec& sip,
                          const topology::MazeLinks& links) {
  const std::vector<double> utilization = link_utilization(run, sip);
  std::set<std::pair<unsigned, unsigned>> failed;
  if (run.rtl) {
    for (const sim::Failure& failure : run.rtl->failures) {
      if (failure.link) failed.emplace(failure.link->node, failure.link->port);
    }
  }
  const double highest = *std::max_element(utilization.begin(), utilization.end());
  std::string out = "<table class=\"map\">\n<thead><tr><th>node</th>";
  const bool narrow = links.ports() > 16;
  for (unsigned port = 0; port < links.ports(); ++port) {
    const bool along_x = port < links.x_ports();
    out += fmt::format("<th style=\"min-width:{}px\">{}{}</th>", narrow ? 16 : 22,
                       along_x ? 'x' : 'y', along_x ? port : port - links.x_ports());
  }
  out += "</tr></thead>\n<tbody>\n";
  for (unsigned node = 0; node < links.nodes(); ++node) {
    const bool starts_group = node > 0 && links.x_of(node) == 0;
    out += fmt::format("<tr{}><th>{}</th>", starts_group ? " class=\"gap\"" : "",
                       links.coordinates(node));
    for (unsigned port = 0; port < links.ports(); ++port) {
      const topology::MazeLink& link = links.arriving(node, port);
      const std::size_t at = std::size_t{link.from.node} * links.ports() + link.from.port;
      const double share = highest == 0 ? 0 : utilization[at] / highest;
      const unsigned level = std::min(static_cast<unsigned>(share * kLevels), kLevels - 1);
      const std::uint64_t packets = run.clocked->link_packets[at];
      std::string classes = packets == 0 ? "idle" : fmt::format("p{}", level);
      if (failed.contains({link.from.node, link.from.port})) classes += " fail";
      out += fmt::format("<td class=\"{}\" data-t=\"{}&#10;{}, {:.3f} a cycle\"></td>", classes,
                         escape_markup(links.link_name(link)), sim::counted(packets, "packet"),
                         utilization[at]);
    }
    out += "</tr>\n";
  }
  return legend(highest, !failed.empty()) +
         plot::scroll_box("Map of the links", out + "</tbody>\n</table>\n");
}

}  // namespace kernbench::cosim
