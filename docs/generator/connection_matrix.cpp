// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/connection_matrix.hpp"

#include <fmt/format.h>

namespace kernbench::docs {

using topology::MazeLink;
using topology::MazeLinks;

namespace {

std::string instance(const MazeLinks& links, const MazeLink& link) {
  const bool is_x = link.from.port < links.x_ports();
  return fmt::format("g_y[{}].g_x[{}].g_{}link[{}].u_irs", links.y_of(link.from.node),
                     links.x_of(link.from.node), is_x ? 'x' : 'y',
                     is_x ? link.from.port : link.from.port - links.x_ports());
}

}  // namespace

std::string connection_csv(const MazeLinks& links) {
  std::string text =
      "src_node,src_y,src_x,src_port,dst_node,dst_y,dst_x,dst_port,irs_depth,irs_instance\n";
  for (const MazeLink& link : links.links()) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", link.from.node, links.y_of(link.from.node),
                    links.x_of(link.from.node), links.port_name(link.from.port), link.to.node,
                    links.y_of(link.to.node), links.x_of(link.to.node),
                    links.port_name(link.to.port), link.depth, instance(links, link));
  }
  return text;
}

std::string connection_markdown(const MazeLinks& links) {
  std::string text = fmt::format(
      "# Connection matrix of the {}x{} MAZE Topo\n\n"
      "{} links, {} of them plain wires; {} IRS stages in all. Nodes are written [y,x].\n",
      links.nx(), links.ny(), links.links().size(), links.wires(), links.total_stages());
  for (unsigned node = 0; node < links.nodes(); ++node) {
    text += fmt::format(
        "\n## Node {} {}\n\n| output | leads to | input there | IRS depth | instance |\n"
        "|---|---|---|---|---|\n",
        node, links.coordinates(node));
    for (unsigned port = 0; port < links.ports(); ++port) {
      const MazeLink& link = links.leaving(node, port);
      text += fmt::format("| {} | node {} {} | {} | {} | `{}` |\n", links.port_name(port),
                          link.to.node, links.coordinates(link.to.node),
                          links.port_name(link.to.port), link.depth, instance(links, link));
    }
  }
  return text;
}

}  // namespace kernbench::docs
