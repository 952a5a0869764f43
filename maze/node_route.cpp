// SPDX-License-Identifier: Apache-2.0
#include "maze/node_route.hpp"

namespace kernbench::maze {

NodeRoute::NodeRoute(const NetworkConfig& config)
    : shape_(config.shape),
      layout_(config.shape),
      x_mask_((1U << shape_.x_addr_bits()) - 1),
      all_x_((1U << shape_.x_ports()) - 1),
      all_y_(((1U << shape_.y_ports()) - 1) << shape_.x_ports()),
      user_(1U << shape_.ports()) {
  for (unsigned node = 0; node < shape_.nodes(); ++node) {
    places_.push_back(
        {static_cast<std::uint8_t>(node % shape_.nx), static_cast<std::uint8_t>(node / shape_.nx)});
  }
  if (config.failed) failed_ = places_.at(*config.failed);
}

/// Returns the output along X to the target's column. None leads to a column that does not exist.
std::uint32_t NodeRoute::along_x(Place at, Place to) const {
  if (to.x >= shape_.nx) return 0;
  return 1U << ((to.x > at.x ? 0 : shape_.nx) + to.x - at.x - 1);
}

std::uint32_t NodeRoute::along_y(Place at, Place to) const {
  if (to.y >= shape_.ny) return 0;
  return 1U << (shape_.x_ports() + (to.y > at.y ? 0 : shape_.ny) + to.y - at.y - 1);
}

std::uint32_t NodeRoute::outputs(Arrival from, unsigned node, Payload packet) const {
  const Place at = places_[node];
  const Place to = target(packet);
  const unsigned type = failed_ ? 0 : layout_.type(packet);
  const bool here_x = to.x == at.x;
  const bool here_y = to.y == at.y;
  const std::uint32_t y_or_here = here_y ? user_ : along_y(at, to);
  switch (from) {
    case Arrival::Y:
      return failed_ && !here_x ? along_x(at, to) : user_;  // along X only behind a detour
    case Arrival::X:
      return type == 0 || type == 2 ? y_or_here : all_y_ | user_;
    case Arrival::User:
      break;
  }
  switch (type) {
    case 0: {
      const bool detour = failed_ && !here_x && !here_y && failed_->x == to.x && failed_->y == at.y;
      return here_x || detour ? y_or_here : along_x(at, to);
    }
    case 1:
      return here_x ? all_y_ | user_ : along_x(at, to);
    case 2:
      return all_x_ | y_or_here;
    default:
      return all_x_ | all_y_ | user_;
  }
}

std::optional<unsigned> NodeRoute::next_copy(Payload packet, unsigned from) const {
  const Place to = target(packet);
  const unsigned type = layout_.type(packet);
  for (unsigned node = from; node < shape_.nodes(); ++node) {
    const Place at = places_[node];
    if ((type == 1 && at.x != to.x) || (type == 2 && at.y != to.y)) continue;
    if (failed_ && failed_->x == at.x && failed_->y == at.y) continue;
    return node;
  }
  return std::nullopt;
}

Payload NodeRoute::aimed_at(unsigned node, Payload packet) const {
  const Payload mask = ((Payload{1} << shape_.node_addr_bits()) - 1) << layout_.tgt_shift();
  return (packet & ~mask) | Payload{layout_.address(node)} << layout_.tgt_shift();
}

}  // namespace kernbench::maze
