// SPDX-License-Identifier: Apache-2.0
// Writes the routes of the C++ network for every input of MAZE_ROUTE: `route_table NX NY`.
//
// For each arrival (X, Y, A) and output (links, then B) 2^n bits, one for each input, the first in
// the lowest bit of the first byte. The bits of an input are, from the lowest: target, type, failed
// node, whether a node has failed, x, y. Inputs with an address that is no node have 0.
// formal/routes.py compares them with the netlist.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <vector>

#include "maze/node_route.hpp"

namespace kernbench {
namespace {

using maze::Arrival;

/// The input of a row, split into its fields.
struct Row {
  unsigned target, type, failed, has_failed, x, y;
};

Row split(const maze::Shape& shape, std::uint32_t row) {
  const auto take = [&row](unsigned bits) {
    const unsigned value = row & ((1U << bits) - 1);
    row >>= bits;
    return value;
  };
  const unsigned address = shape.node_addr_bits();
  return {.target = take(address),
          .type = take(2),
          .failed = take(address),
          .has_failed = take(1),
          .x = take(shape.x_addr_bits()),
          .y = take(shape.y_addr_bits())};
}

/// Returns the node at an address; none if the network has no such node.
std::optional<unsigned> node_at(const maze::Shape& shape, unsigned address) {
  const unsigned x = address & ((1U << shape.x_addr_bits()) - 1);
  const unsigned y = address >> shape.x_addr_bits();
  if (x >= shape.nx || y >= shape.ny) return std::nullopt;
  return y * shape.nx + x;
}

void write_table(const maze::Shape& shape) {
  const maze::PacketLayout layout(shape);
  const unsigned bits = 3 * shape.node_addr_bits() + 3;
  if (bits >= 32) throw std::invalid_argument("the shape has too many nodes for a table");
  std::vector<maze::NodeRoute> routes;  // without a failed node, then by failed node
  routes.emplace_back(maze::NetworkConfig{.shape = shape});
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    routes.emplace_back(maze::NetworkConfig{.shape = shape, .failed = node});
  }
  for (const Arrival from : {Arrival::X, Arrival::Y, Arrival::User}) {
    std::vector<std::vector<unsigned char>> columns(
        shape.ports() + 1, std::vector<unsigned char>((std::size_t{1} << bits) / 8));
    for (std::uint32_t row = 0; row < std::uint32_t{1} << bits; ++row) {
      const Row input = split(shape, row);
      const auto at = node_at(shape, input.y << shape.x_addr_bits() | input.x);
      const auto failed = node_at(shape, input.failed);
      if (!at || !failed || !node_at(shape, input.target)) continue;
      const maze::NodeRoute& route = routes[input.has_failed != 0 ? 1 + *failed : 0];
      const std::uint32_t outputs =
          route.outputs(from, *at, layout.encode({.type = input.type, .tgt = input.target}));
      for (unsigned output = 0; output <= shape.ports(); ++output) {
        columns[output][row / 8] |= static_cast<unsigned char>((outputs >> output & 1U) << row % 8);
      }
    }
    for (const auto& column : columns) std::fwrite(column.data(), 1, column.size(), stdout);
  }
}

}  // namespace
}  // namespace kernbench

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  kernbench::write_table({.nx = static_cast<unsigned>(std::atoi(argv[1])),
                          .ny = static_cast<unsigned>(std::atoi(argv[2])),
                          .flit_w = 1});
}
