// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_device.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::sim {

std::string NocDevice::node_name(std::uint32_t node) const {
  return node_names.empty() ? std::to_string(node) : node_names.at(node);
}

std::string NocDevice::link_name(noc::Link link, const char* port) const {
  const auto& channels = network.channels();
  if (link >= channels.size()) {
    return fmt::format("node {}, {}", node_name(link - static_cast<noc::Link>(channels.size())),
                       port);
  }
  return fmt::format("{}->{}", node_name(channels[link].src), node_name(channels[link].dst));
}

std::string NocDevice::circle_name(const std::vector<noc::LinkCredit>& circle) const {
  std::string text;
  for (const noc::LinkCredit& one : circle) {
    text += fmt::format("{} vc {}, ", link_name(one.link), one.vc);
  }
  if (circle.empty()) return text;
  return text + fmt::format("back to {} vc {}", link_name(circle.front().link), circle.front().vc);
}

std::vector<std::uint32_t> NocDevice::reached_from(std::uint32_t node) const {
  std::vector<std::uint32_t> reached;
  const std::uint32_t local = network.inputs(node) - 1;
  for (std::uint32_t dst = 0; dst < network.nodes(); ++dst) {
    if (network.way(node, local, 0, dst)) reached.push_back(dst);
  }
  return reached;
}

std::uint32_t NocDevice::lone_latency(std::uint32_t from, std::uint32_t to) const {
  std::uint32_t cycles = 0;
  std::uint32_t node = from;
  std::uint32_t input = network.inputs(from) - 1;
  std::uint32_t vc_class = 0;
  for (std::uint32_t routers = 0; routers <= network.channels().size(); ++routers) {
    cycles += 2 + network.stages(node, input);
    if (node == to) return cycles;
    const auto way = network.way(node, input, vc_class, to);
    if (!way) break;
    const std::uint32_t channel = network.outgoing(node)[way->output];
    node = network.channels()[channel].dst;
    input = network.input_of(channel);
    vc_class = way->vc_class;
  }
  throw std::logic_error(fmt::format("no route from node {} to node {}", from, to));
}

}  // namespace kernbench::sim
