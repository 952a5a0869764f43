// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "maze/packet_layout.hpp"
#include "sim/stimulus/payload_source.hpp"
#include "sim/stimulus/traffic_spec.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Cuts random words into slices of a fixed width.
class BitSlicer {
 public:
  /// `width` is 1..64.
  BitSlicer(common::Rng rng, unsigned width)
      : rng_(rng), width_(width), mask_(~std::uint64_t{0} >> (64 - width)) {}

  std::uint64_t next() {
    if (left_ < width_) {
      word_ = rng_.bits64();
      left_ = 64;
    }
    const std::uint64_t bits = word_ & mask_;
    word_ >>= width_ % 64;  // a width of 64 uses a new word each time
    left_ -= width_;
    return bits;
  }

 private:
  common::Rng rng_;
  unsigned width_;
  std::uint64_t mask_;
  std::uint64_t word_ = 0;
  unsigned left_ = 0;
};

/// Generates packets according to a TrafficSpec: src and tgt are the two ends of the link, type and
/// qos are drawn with the spec's weights, and data follows its payload mode.
class PayloadGenerator : public PayloadSource {
 public:
  /// Draws from the random streams "payload.*" of `seed`. Throws std::invalid_argument with the
  /// text of `problem(spec, shape)`.
  PayloadGenerator(const maze::Shape& shape, const topology::MazeLinks& links,
                   const TrafficSpec& spec, std::uint64_t seed);

  void fill(const maze::BitPlane& start, maze::PayloadPlane& payloads) override;

 private:
  /// Upper and lower bits of the types of up to 64 packets.
  struct Types {
    std::uint64_t high, low;
  };
  Types draw_types(std::uint64_t packets);
  template <typename Data>
  void fill_fields(const maze::BitPlane& start, maze::PayloadPlane& payloads, Data data);
  template <bool kMixedTypes, typename Data>
  void fill_fields(const maze::BitPlane& start, maze::PayloadPlane& payloads, Data data);

  maze::Shape shape_;
  maze::PacketLayout layout_;
  PayloadMode mode_;
  common::Rng kind_rng_;
  BitSlicer bits_;
  std::uint64_t qos_high_;                  ///< P(qos is 1); probabilities are thresholds, see Rng
  bool mixed_types_;                        ///< more than one type has a weight
  std::uint64_t type_high_;                 ///< P(type is 2 or 3)
  std::array<std::uint64_t, 2> type_low_;   ///< P(type is odd), given its upper bit
  maze::PayloadPlane headers_;              ///< bits that all packets of a link share
  std::vector<std::uint32_t> walking_one_;  ///< [port*nodes + node] data of the next packet
};

}  // namespace kernbench::sim
