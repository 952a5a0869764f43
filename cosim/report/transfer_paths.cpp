// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/transfer_paths.hpp"

#include <algorithm>
#include <cstddef>

#include "cosim/run/fabric_run.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using model::fabric::MazeRoutes;
using model::fabric::TransferType;

TransferPaths::TransferPaths(const topology::SipSpec& sip)
    : links_(maze_shape(sip).nx, maze_shape(sip).ny),
      failed_(sip.maze.failed_node),
      routes_(maze_shape(sip), sip.maze.order, failed_) {}

TransferPath TransferPaths::of_unicast(unsigned src, unsigned dst) const {
  TransferPath path;
  path.source = src;
  path.destination = dst;
  for (unsigned node = src; node != dst; node = path.links.back().to.node) {
    if (node != src) path.corner = node;
    path.links.push_back(
        links_.leaving(node, node == src ? routes_.port_from(src, dst) : routes_.port(node, dst)));
  }
  return path;
}

void TransferPaths::add_copies(TransferPath& path, const model::fabric::TimedTransfer& transfer,
                               unsigned node, unsigned from) const {
  const auto ports = routes_.fork(transfer.type, node, from, transfer.dst).ports;
  const std::size_t first = path.links.size();
  for (unsigned port = 0; port < links_.ports(); ++port) {
    if ((ports >> port & 1U) != 0) path.links.push_back(links_.leaving(node, port));
  }
  const std::size_t end = path.links.size();
  for (std::size_t i = first; i < end; ++i) {
    const topology::MazePort to = path.links[i].to;
    add_copies(path, transfer, to.node, to.port);
  }
}

TransferPath TransferPaths::of(const model::fabric::TimedTransfer& transfer) const {
  if (transfer.type == TransferType::Unicast) return of_unicast(transfer.src, transfer.dst);
  TransferPath path;
  path.source = transfer.src;
  if (!failed_) {
    add_copies(path, transfer, transfer.src, MazeRoutes::kHere);
    return path;
  }
  // With a failed node the source sends unicasts. Each link is listed once.
  for (unsigned node = 0; node < links_.nodes(); ++node) {
    if (node == failed_ || !routes_.names(transfer.type, node, transfer.dst)) continue;
    for (const topology::MazeLink& link : of_unicast(transfer.src, node).links) {
      const bool known = std::any_of(path.links.begin(), path.links.end(), [&](const auto& other) {
        return other.from.node == link.from.node && other.from.port == link.from.port;
      });
      if (!known) path.links.push_back(link);
    }
  }
  return path;
}

}  // namespace kernbench::cosim
