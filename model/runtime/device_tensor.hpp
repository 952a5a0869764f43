#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/data/data_type.hpp"
#include "model/kernel/tl.hpp"
#include "model/memory/pe_allocator.hpp"
#include "model/runtime/dp_policy.hpp"

namespace kernbench::model::runtime {

/// A part of a tensor that is in one piece.
struct TensorPiece {
  kernel::TensorRef ref;
  Rectangle part;
};

/// A tensor as kernels get it: copied into them by value.
class TensorView {
 public:
  TensorView(std::uint64_t va, data::DataType type, const Layout& layout)
      : va_(va), type_(type), layout_(layout) {}

  [[nodiscard]] std::uint64_t rows() const { return layout_.rows(); }
  [[nodiscard]] std::uint64_t columns() const { return layout_.columns(); }
  [[nodiscard]] data::DataType type() const { return type_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }

  /// All of it. Throws std::invalid_argument when columns are spread over programs, because then
  /// it is not in one piece.
  [[nodiscard]] kernel::TensorRef whole() const;
  /// What a program has of it; may be empty.
  [[nodiscard]] kernel::TensorRef shard(std::uint64_t cube, std::uint64_t pe) const;
  /// What the program has that asks.
  [[nodiscard]] kernel::TensorRef local(const kernel::Tl& tl) const {
    return shard(tl.program_id(1), tl.program_id(0));
  }
  /// What covers a rectangle of the tensor, in the order of addresses: one piece where rows follow
  /// on, one of each shard where columns are spread; none of an empty rectangle.
  [[nodiscard]] std::vector<TensorPiece> pieces(const Rectangle& part) const;
  /// Which part of the tensor local() is.
  [[nodiscard]] Rectangle local_part(const kernel::Tl& tl) const;

 private:
  std::uint64_t va_;
  data::DataType type_;
  Layout layout_;
};

/// A copy of a shard in the HBM slice of a PE.
struct DeviceShard {
  memory::PeLocation pe;
  Rectangle part;
  std::uint64_t va = 0;
  std::uint64_t pa = 0;
  std::uint64_t bytes = 0;
};

/// A tensor in the memory of a SIP; Context makes and frees it.
struct DeviceTensor {
  std::uint64_t va = 0;
  std::uint64_t bytes = 0;  ///< of its virtual range
  data::DataType type = data::DataType::F32;
  Layout layout;
  std::vector<DeviceShard> shards;  ///< by cube, then PE; none of empty parts
  bool freed = false;

  [[nodiscard]] TensorView view() const { return {va, type, layout}; }
};

using Tensor = std::shared_ptr<DeviceTensor>;

}  // namespace kernbench::model::runtime
