// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/transfer_paths.hpp"

#include <algorithm>
#include <cstddef>

#include "cosim/run/fabric_run.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::cosim {

using model::fabric::MazeRoutes;
using model::fabric::TransferType;

TransferPaths::TransferPaths(const topology::SipSpec& sip) {
  if ((void)fabric_spec(sip); sip.inter_cube == topology::InterCube::Noc) {
    noc_ = sip.noc_topology;
    const auto& topology = *noc_->topology();
    arriving_.resize(topology.n_nodes());
    for (std::size_t i = 0; i < topology.channels().size(); ++i) {
      arriving_[topology.channels()[i].dst].push_back(i);
    }
    return;
  }
  const maze::Shape shape = maze_shape(sip);
  maze_.emplace(shape.nx, shape.ny);
  failed_ = sip.maze.failed_node;
  routes_.emplace(shape, sip.maze.order, failed_);
  arriving_.resize(shape.nodes());
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    for (unsigned port = 0; port < shape.ports(); ++port) {
      arriving_[node].push_back(number_of(maze_->arriving(node, port)));
    }
  }
}

std::string TransferPaths::link_name(std::size_t link) const {
  if (maze_) return maze_->link_name(maze_->links()[link]);
  const auto& topology = *noc_->topology();
  return topology::zoo::channel_name(topology, topology.channels()[link]);
}

std::string TransferPaths::cube_name(unsigned cube) const {
  return maze_ ? maze_->coordinates(cube) : fmt::format("cube {}", cube);
}

std::string TransferPaths::node_name(std::size_t node) const {
  if (maze_) return maze_->coordinates(static_cast<unsigned>(node));
  const auto& names = noc_->topology()->node_names();
  return names.empty() ? std::to_string(node) : names[node];
}

TransferPath TransferPaths::of_unicast(unsigned src, unsigned dst) const {
  TransferPath path;
  path.source = src;
  path.destination = dst;
  if (!maze_) {
    const auto route = noc_->route(src, dst).value_or(std::vector<std::uint32_t>{});
    path.links.assign(route.begin(), route.end());
    return path;
  }
  for (unsigned node = src; node != dst;) {
    if (node != src) path.corner = node;
    const topology::MazeLink& link =
        maze_->leaving(node, node == src ? routes_->port_from(src, dst) : routes_->port(node, dst));
    path.links.push_back(number_of(link));
    node = link.to.node;
  }
  return path;
}

void TransferPaths::add_copies(TransferPath& path, const model::fabric::TimedTransfer& transfer,
                               unsigned node, unsigned from) const {
  const auto ports = routes_->fork(transfer.type, node, from, transfer.dst).ports;
  const std::size_t first = path.links.size();
  for (unsigned port = 0; port < maze_->ports(); ++port) {
    if ((ports >> port & 1U) != 0) path.links.push_back(number_of(maze_->leaving(node, port)));
  }
  const std::size_t end = path.links.size();
  for (std::size_t i = first; i < end; ++i) {
    const topology::MazePort to = maze_->links()[path.links[i]].to;
    add_copies(path, transfer, to.node, to.port);
  }
}

TransferPath TransferPaths::of(const model::fabric::TimedTransfer& transfer) const {
  if (transfer.type == TransferType::Unicast) return of_unicast(transfer.src, transfer.dst);
  TransferPath path;
  path.source = transfer.src;
  if (!maze_) return path;  // such a fabric refuses it
  if (!failed_) {
    add_copies(path, transfer, transfer.src, MazeRoutes::kHere);
    return path;
  }
  // With a failed node the source sends unicasts. Each link is listed once.
  for (unsigned node = 0; node < maze_->nodes(); ++node) {
    if (node == failed_ || !routes_->names(transfer.type, node, transfer.dst)) continue;
    for (const std::size_t link : of_unicast(transfer.src, node).links) {
      if (std::find(path.links.begin(), path.links.end(), link) == path.links.end()) {
        path.links.push_back(link);
      }
    }
  }
  return path;
}

}  // namespace kernbench::cosim
