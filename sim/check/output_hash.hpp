// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/hash.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// Hashes everything that the fabric drove: every valid and ready, and every delivered payload.
/// Equal seeds give equal hashes, traced or not, with any compiler and in any thread.
class OutputHash : public Extension {
 public:
  explicit OutputHash(const maze::Shape& shape) : shape_(shape) {}
  void on_cycle(const CycleView& view) override;
  [[nodiscard]] std::uint64_t value() const { return hash_.value(); }

 private:
  maze::Shape shape_;
  common::RunHash hash_;
};

}  // namespace kernbench::sim
