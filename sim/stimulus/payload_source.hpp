#pragma once

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Where the packets come from that links begin to offer.
class PayloadSource {
 public:
  PayloadSource() = default;
  PayloadSource(const PayloadSource&) = delete;
  PayloadSource& operator=(const PayloadSource&) = delete;
  virtual ~PayloadSource() = default;

  /// Writes the next packet of every link in `start`; the other links' payloads stay as they are.
  virtual void fill(const maze::BitPlane& start, maze::PayloadPlane& payloads) = 0;
};

}  // namespace kernbench::sim
