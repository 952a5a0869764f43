// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/transfer_paths.hpp"

#include "cosim/run/fabric_run.hpp"

namespace kernbench::cosim {

using model::fabric::PortMask;
using model::fabric::TransferType;

TransferPaths::TransferPaths(const topology::SipSpec& sip)
    : links_(maze_shape(sip).nx, maze_shape(sip).ny), routes_(maze_shape(sip), sip.maze.order) {}

void TransferPaths::add(TransferPath& path, unsigned node, PortMask ports) const {
  for (unsigned port = 0; port < links_.ports(); ++port) {
    if ((ports >> port & 1U) != 0) path.links.push_back(links_.leaving(node, port));
  }
}

TransferPath TransferPaths::of(const model::fabric::TimedTransfer& transfer) const {
  TransferPath path;
  path.source = transfer.src;
  switch (transfer.type) {
    case TransferType::Unicast: {
      path.destination = transfer.dst;
      for (unsigned node = transfer.src; node != transfer.dst; node = path.links.back().to.node) {
        if (node != transfer.src) path.corner = node;
        path.links.push_back(links_.leaving(node, routes_.port(node, transfer.dst)));
      }
      break;
    }
    case TransferType::XMulticast:
      add(path, transfer.src, routes_.x_ports());
      break;
    case TransferType::YMulticast:
      add(path, transfer.src, routes_.y_ports());
      break;
    case TransferType::Broadcast: {
      add(path, transfer.src, routes_.first());
      const std::vector<topology::MazeLink> first = path.links;
      add(path, transfer.src, routes_.second());
      for (const topology::MazeLink& link : first) add(path, link.to.node, routes_.second());
      break;
    }
  }
  return path;
}

}  // namespace kernbench::cosim
