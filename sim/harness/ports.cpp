// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/ports.hpp"

#include <fmt/format.h>

namespace kernbench::sim {

Ports::Ports(const topology::MazeLinks& links) : shape_{links.nx(), links.ny()}, links_(&links) {}

Ports Ports::of_users(const maze::Shape& shape) {
  return Ports(shape);
}

LinkEnd Ports::sender_end(unsigned node, unsigned port) const {
  return {node, links_ == nullptr ? shape_.ports() : port};
}

LinkEnd Ports::receiver_end(unsigned node, unsigned port) const {
  if (links_ == nullptr) return sender_end(node, port);
  return {links_->arriving(node, port).from.node, port};
}

std::string Ports::name(const LinkEnd& end) const {
  const bool exists = end.node < shape_.nodes() && end.port < shape_.ports();
  const bool is_user = links_ == nullptr && end.node < shape_.nodes() && end.port == shape_.ports();
  if (!exists && !is_user) return fmt::format("node {} port {}", end.node, end.port);
  if (links_ != nullptr) return links_->link_name(links_->leaving(end.node, end.port));
  const std::string node = fmt::format("[{},{}]", end.node / shape_.nx, end.node % shape_.nx);
  if (is_user) return node + ".user";
  const bool is_x = end.port < shape_.x_ports();
  return fmt::format("{}.{}[{}]", node, is_x ? 'x' : 'y',
                     is_x ? end.port : end.port - shape_.x_ports());
}

}  // namespace kernbench::sim
