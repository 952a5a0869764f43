// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/core_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace kernbench::sim {
namespace {

/// Returns bits of a vector whose bytes are in ascending order.
maze::Payload bits_of(const void* at, unsigned low, unsigned bits) {
  const auto* bytes = static_cast<const unsigned char*>(at);
  maze::Payload value = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned bit = low + i;
    value |= maze::Payload{bytes[bit / 8] >> (bit % 8) & 1U} << i;
  }
  return value;
}

}  // namespace

CoreLinks::CoreLinks(const Dut& dut, const maze::Shape& shape)
    : shape_(shape), cores_(shape.nodes()) {
  std::map<std::string, unsigned> node_of;  // by the end of an instance's path
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    node_of[fmt::format("g_y[{}].g_x[{}].u_node.u_core.", node / shape.nx, node % shape.nx)] = node;
  }
  constexpr std::array<std::pair<std::string_view, const void * Core::*>, 6> kPorts = {
      {{"valid_i", &Core::valid_i},
       {"ready_o", &Core::ready_o},
       {"payload_i", &Core::payload_i},
       {"valid_o", &Core::valid_o},
       {"ready_i", &Core::ready_i},
       {"payload_o", &Core::payload_o}}};
  for (const Member& member : dut.members()) {
    const std::string_view instance = member.instance;
    const auto at = instance.find("g_y[");
    const auto node = at == std::string_view::npos ? node_of.end()
                                                   : node_of.find(std::string(instance.substr(at)));
    if (node == node_of.end()) continue;
    for (const auto& [name, port] : kPorts) {
      if (name == member.name) cores_[node->second].*port = member.at;
    }
  }
  found_ = std::all_of(cores_.begin(), cores_.end(), [&](const Core& core) {
    return std::all_of(kPorts.begin(), kPorts.end(),
                       [&](const auto& port) { return core.*port.second != nullptr; });
  });
}

CycleView CoreLinks::with_links(CycleView view) {
  if (view.links != nullptr || !found_) return view;
  if (!signals_) signals_.emplace(shape_);
  const unsigned width = shape_.payload_w();
  for (unsigned node = 0; node < shape_.nodes(); ++node) {
    const Core& core = cores_[node];
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      const auto bit = [port](const void* at) { return bits_of(at, port, 1) != 0; };
      signals_->to_nodes.in_valid.set(port, node, bit(core.valid_i));
      signals_->from_nodes.in_ready.set(port, node, bit(core.ready_o));
      signals_->from_nodes.out_valid.set(port, node, bit(core.valid_o));
      signals_->to_nodes.out_ready.set(port, node, bit(core.ready_i));
      if (bit(core.valid_i)) {
        signals_->to_nodes.in_payload.at(port, node) = bits_of(core.payload_i, port * width, width);
      }
      if (bit(core.valid_o)) {
        signals_->from_nodes.out_payload.at(port, node) =
            bits_of(core.payload_o, port * width, width);
      }
    }
  }
  view.links = &*signals_;
  return view;
}

}  // namespace kernbench::sim
