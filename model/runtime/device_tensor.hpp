// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "model/data/data_type.hpp"
#include "model/kernel/tl.hpp"
#include "model/memory/pe_allocator.hpp"
#include "model/runtime/dp_policy.hpp"

namespace kernbench::model::runtime {

/// A contiguous part of a tensor.
struct TensorPiece {
  kernel::TensorRef ref;
  Rectangle part;
};

/// A tensor as seen by kernels, which capture it by value.
class KERNBENCH_API TensorView {
 public:
  /// `shards` are the physical addresses of all shards by cube, then PE, for a tensor that is
  /// addressed by them; null for one with a contiguous range from `va`.
  TensorView(std::uint64_t va, data::DataType type, const Layout& layout,
             std::shared_ptr<const std::vector<std::uint64_t>> shards = {})
      : va_(va), type_(type), layout_(layout), shards_(std::move(shards)) {}

  [[nodiscard]] std::uint64_t rows() const { return layout_.rows(); }
  [[nodiscard]] std::uint64_t columns() const { return layout_.columns(); }
  [[nodiscard]] data::DataType type() const { return type_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }

  /// Returns the whole tensor. Throws std::invalid_argument when it is not contiguous: when its
  /// columns are distributed, or with physical addresses when it has several different shards.
  [[nodiscard]] kernel::TensorRef whole() const;
  /// Returns the shard of a program; may be empty.
  [[nodiscard]] kernel::TensorRef shard(std::uint64_t cube, std::uint64_t pe) const;
  /// Returns the shard of the calling program.
  [[nodiscard]] kernel::TensorRef local(const kernel::Tl& tl) const {
    return shard(tl.program_id(1), tl.program_id(0));
  }
  /// Returns the shards of a cube as one matrix. Throws std::invalid_argument when they are several
  /// and have physical addresses.
  [[nodiscard]] kernel::TensorRef in_cube(std::uint64_t cube) const;
  /// Returns the pieces that cover a rectangle of the tensor, by ascending address: one if the
  /// tensor is contiguous, else one per shard. An empty rectangle has none. Of replicas with
  /// physical addresses, those of the calling program, or without `tl` the first.
  [[nodiscard]] std::vector<TensorPiece> pieces(const Rectangle& part,
                                                const kernel::Tl* tl = nullptr) const;
  /// Returns the rectangle of the tensor that local() covers.
  [[nodiscard]] Rectangle local_part(const kernel::Tl& tl) const;

 private:
  /// Returns true if the tensor is one range of addresses in row-major order.
  [[nodiscard]] bool contiguous() const;
  [[nodiscard]] bool one_shard_in_a_cube() const;

  std::uint64_t va_;
  data::DataType type_;
  Layout layout_;
  std::shared_ptr<const std::vector<std::uint64_t>> shards_;
};

/// A copy of a shard in the HBM slice of a PE.
struct DeviceShard {
  memory::PeLocation pe;
  Rectangle part;
  std::uint64_t va = 0;
  std::uint64_t pa = 0;
  std::uint64_t bytes = 0;
};

/// A tensor in the memory of a SIP. Context creates and frees it.
struct KERNBENCH_API DeviceTensor {
  std::uint64_t va = 0;     ///< begin of its virtual or logical range
  std::uint64_t bytes = 0;  ///< size of the range
  data::DataType type = data::DataType::F32;
  Layout layout;
  std::vector<DeviceShard> shards;  ///< non-empty shards by cube, then PE
  bool freed = false;
  std::uint32_t record = 0;  ///< index in the log

  /// With physical addresses: those of all shards by cube, then PE, 0 for an empty one.
  std::shared_ptr<const std::vector<std::uint64_t>> physical{};

  [[nodiscard]] TensorView view() const { return {va, type, layout, physical}; }
};

using Tensor = std::shared_ptr<DeviceTensor>;

}  // namespace kernbench::model::runtime
