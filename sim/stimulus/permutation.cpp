// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/permutation.hpp"

#include <bit>
#include <stdexcept>

namespace kernbench::sim {

using maze::Shape;

bool is_permutation(Pattern pattern) {
  switch (pattern) {
    case Pattern::Transpose:
    case Pattern::BitComplement:
    case Pattern::BitReverse:
    case Pattern::Shuffle:
    case Pattern::BooksimTornado:
    case Pattern::GarnetTornado:
    case Pattern::BooksimNeighbor:
    case Pattern::GarnetNeighbor:
      return true;
    default:
      return false;
  }
}

unsigned permuted_node(Pattern pattern, const Shape& shape, unsigned node) {
  const unsigned y = node / shape.nx;
  const unsigned x = node % shape.nx;
  const unsigned last = shape.nodes() - 1;
  const auto id_bits = static_cast<unsigned>(std::bit_width(last));
  const auto shifted = [&](unsigned dy, unsigned dx) {
    return (y + dy) % shape.ny * shape.nx + (x + dx) % shape.nx;
  };
  const unsigned tornado_x = (shape.nx + 1) / 2 - 1;
  const unsigned tornado_y = (shape.ny + 1) / 2 - 1;
  switch (pattern) {
    case Pattern::Transpose:
      return x * shape.nx + y;
    case Pattern::BitComplement:
      return ~node & last;
    case Pattern::BitReverse: {
      unsigned reversed = 0;
      for (unsigned bit = 0; bit < id_bits; ++bit) {
        reversed |= (node >> bit & 1U) << (id_bits - 1 - bit);
      }
      return reversed;
    }
    case Pattern::Shuffle:
      return (node << 1 | node >> (id_bits - 1)) & last;
    case Pattern::BooksimTornado:
      return shifted(tornado_y, tornado_x);
    case Pattern::GarnetTornado:
      return shifted(0, tornado_x);
    case Pattern::BooksimNeighbor:
      return shifted(1, 1);
    case Pattern::GarnetNeighbor:
      return shifted(0, 1);
    default:
      throw std::logic_error("permuted_node: the pattern is not a permutation");
  }
}

void add_links_towards(const Shape& shape, unsigned source, unsigned target,
                       maze::BitPlane& links) {
  const unsigned dx = (target % shape.nx + shape.nx - source % shape.nx) % shape.nx;
  const unsigned dy = (target / shape.nx + shape.ny - source / shape.nx) % shape.ny;
  if (dx != 0) links.set(dx - 1, source);
  if (dy != 0) links.set(shape.x_ports() + dy - 1, source);
}

}  // namespace kernbench::sim
