// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/plane_bits.hpp"

namespace kernbench::model::fabric {

/// Counts the packets that enter each link of a MAZE.
class LinkEntries {
 public:
  explicit LinkEntries(const maze::Shape& shape) : shape_(shape), entered_(shape.links()) {}

  /// Adds those of one cycle, given the signals between nodes and links.
  void count(const maze::TopoInputs& from_nodes, const maze::TopoOutputs& to_nodes) {
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      const std::uint64_t* const valid = from_nodes.out_valid.port(port);
      const std::uint64_t* const ready = to_nodes.out_ready.port(port);
      std::uint64_t* const entered = entered_.data() + std::size_t{port} * shape_.nodes();
      for (unsigned word = 0; word < shape_.words(); ++word) {
        maze::for_each_bit(valid[word] & ready[word], word,
                           [&](unsigned node) { ++entered[node]; });
      }
    }
  }
  /// Returns the number of packets that entered the link at output `port` of `node`.
  [[nodiscard]] std::uint64_t at(unsigned node, unsigned port) const {
    return entered_[std::size_t{port} * shape_.nodes() + node];
  }

 private:
  maze::Shape shape_;
  std::vector<std::uint64_t> entered_;  ///< by port and node
};

}  // namespace kernbench::model::fabric
