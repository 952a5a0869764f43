// SPDX-License-Identifier: Apache-2.0
#include "topology/maze_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kernbench::topology {
namespace {

constexpr unsigned kMinSide = 2;
constexpr unsigned kMaxSide = 16;
constexpr std::size_t kUnconnected = static_cast<std::size_t>(-1);

/// Returns the steps from `from` up to `to` on a ring of `side` nodes, with wraparound.
unsigned steps_up(unsigned from, unsigned to, unsigned side) {
  unsigned steps = 0;
  for (unsigned at = from; at != to; at = at + 1 == side ? 0 : at + 1) ++steps;
  return steps;
}

/// Returns the length of the shorter way around the ring.
unsigned ring_distance(unsigned a, unsigned b, unsigned side) {
  return std::min(steps_up(a, b, side), steps_up(b, a, side));
}

}  // namespace

MazeLinks::MazeLinks(unsigned nx, unsigned ny) : nx_(nx), ny_(ny) {
  if (std::min(nx, ny) < kMinSide || std::max(nx, ny) > kMaxSide) {
    throw std::invalid_argument(
        fmt::format("a MAZE Topo has {}..{} nodes a side, not {}x{}", kMinSide, kMaxSide, nx, ny));
  }
  const std::size_t count = std::size_t{nodes()} * ports();
  links_.reserve(count);
  arriving_.assign(count, kUnconnected);
  for (unsigned y = 0; y < ny; ++y) {
    for (unsigned x = 0; x < nx; ++x) {
      for (unsigned port = 0; port < ports(); ++port) {
        const bool along_x = port < x_ports();
        const unsigned reach = along_x ? port + 1 : port - x_ports() + 1;
        const unsigned to_x = along_x ? (x + reach) % nx : x;
        const unsigned to_y = along_x ? y : (y + reach) % ny;
        const unsigned distance = ring_distance(x, to_x, nx) + ring_distance(y, to_y, ny);
        const MazeLink link{.from = {.node = node_at(y, x), .port = port},
                            .to = {.node = node_at(to_y, to_x), .port = port},
                            .depth = distance - 1};
        std::size_t& arrival = arriving_[slot(link.to.node, link.to.port)];
        if (arrival != kUnconnected) {
          throw std::logic_error(end_name(link.to) + " is driven by two links");
        }
        arrival = links_.size();
        links_.push_back(link);
      }
    }
  }
}

const MazeLink& MazeLinks::leaving(unsigned node, unsigned port) const {
  return links_[slot(node, port)];
}

const MazeLink& MazeLinks::arriving(unsigned node, unsigned port) const {
  return links_[arriving_[slot(node, port)]];
}

unsigned MazeLinks::total_stages() const {
  unsigned stages = 0;
  for (const MazeLink& link : links_) stages += link.depth;
  return stages;
}

unsigned MazeLinks::wires() const {
  return static_cast<unsigned>(
      std::count_if(links_.begin(), links_.end(), [](const MazeLink& l) { return l.depth == 0; }));
}

std::string MazeLinks::port_name(unsigned port) const {
  return port < x_ports() ? fmt::format("x[{}]", port) : fmt::format("y[{}]", port - x_ports());
}

std::string MazeLinks::coordinates(unsigned node) const {
  return fmt::format("[{},{}]", y_of(node), x_of(node));
}

std::string MazeLinks::end_name(const MazePort& end) const {
  return fmt::format("node {} (y={},x={}) {}", end.node, y_of(end.node), x_of(end.node),
                     port_name(end.port));
}

std::string MazeLinks::link_name(const MazeLink& link) const {
  return fmt::format("{}.{} -> {}.{}", coordinates(link.from.node), port_name(link.from.port),
                     coordinates(link.to.node), port_name(link.to.port));
}

std::size_t MazeLinks::slot(unsigned node, unsigned port) const {
  if (node >= nodes() || port >= ports()) {
    throw std::out_of_range(
        fmt::format("no port {} of node {} in a {}x{} MAZE Topo", port, node, nx_, ny_));
  }
  return std::size_t{node} * ports() + port;
}

}  // namespace kernbench::topology
