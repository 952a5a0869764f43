// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Source of the packets that links start to offer.
class PayloadSource {
 public:
  PayloadSource() = default;
  PayloadSource(const PayloadSource&) = delete;
  PayloadSource& operator=(const PayloadSource&) = delete;
  virtual ~PayloadSource() = default;

  /// Writes the next packet of every link in `start` and leaves all other payloads unchanged.
  virtual void fill(const maze::BitPlane& start, maze::PayloadPlane& payloads) = 0;
};

}  // namespace kernbench::sim
