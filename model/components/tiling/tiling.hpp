#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/components/tiling/math_op.hpp"

namespace kernbench::model::components {

// The tile-plan generator: pure functions from the shape of a problem to the stages that each tile
// goes through. No simulated time passes here, and the same shape always gives the same plan.

/// What a tile does next; each kind is an engine's.
enum class StageKind : std::uint8_t {
  DmaRead,   ///< pe_dma: HBM to TCM
  Fetch,     ///< pe_fetch_store: TCM to registers
  Gemm,      ///< pe_gemm, on registers
  Math,      ///< pe_math, on registers
  Store,     ///< pe_fetch_store: registers to TCM
  DmaWrite,  ///< pe_dma: TCM to HBM
};

/// Where a tensor is: its tiles come from (or go to) HBM one by one, or all of it is in TCM,
/// because it was loaded before (or is to stay there).
enum class Staging : std::uint8_t { StreamedHbm, ResidentTcm };

/// A rectangle of a tensor, in elements. Vectors are one row.
struct TileRegion {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  friend constexpr bool operator==(const TileRegion&, const TileRegion&) = default;
};

/// One tensor's part in a stage. `tensor` counts the inputs in their order, then the output: of a
/// GEMM A is 0, B is 1 and the output 2.
struct TileOperand {
  std::uint32_t tensor = 0;
  TileRegion region;

  friend constexpr bool operator==(const TileOperand&, const TileOperand&) = default;
};

struct TileStage {
  StageKind kind = StageKind::DmaRead;
  std::vector<TileOperand>
      operands;                ///< what is moved; one, except of Fetch; none of Gemm and Math
  std::uint64_t bytes = 0;     ///< of the operands together; 0 of Gemm and Math
  std::uint64_t macs = 0;      ///< only of Gemm
  std::uint64_t elements = 0;  ///< only of Math
  std::optional<MathOp> op;    ///< only of Math

  /// Makes it another stage, still without work; operands keep their memory.
  void renew(StageKind its_kind) {
    kind = its_kind;
    operands.clear();
    bytes = macs = elements = 0;
    op.reset();
  }

  friend bool operator==(const TileStage&, const TileStage&) = default;
};

/// What one tile token goes through, in order.
using TileSequence = std::vector<TileStage>;

/// The tiles of a problem in the order in which the scheduler dispatches them. A sequence is
/// made when it is asked for, so that a plan of millions of tiles takes no memory.
class TilePlan {
 public:
  /// Without tiles.
  TilePlan() = default;
  /// Throws std::invalid_argument when there are tiles but no `sequence`.
  TilePlan(std::uint64_t tiles, std::function<TileSequence(std::uint64_t)> sequence);
  /// One tile. Throws std::invalid_argument without a stage.
  explicit TilePlan(TileSequence only);

  [[nodiscard]] std::uint64_t size() const { return tiles_; }
  /// Throws std::out_of_range from size() on.
  [[nodiscard]] TileSequence sequence(std::uint64_t tile) const;
  /// The stages of the tile of a plan that was made of them; null of other plans.
  [[nodiscard]] const TileSequence* only() const { return sequence_ ? nullptr : &only_; }

  /// Makes it a plan of one tile with so many stages, at least 1, which are to be filled in. They
  /// are where those of the last such plan were, so that nothing is allocated.
  [[nodiscard]] TileSequence& renew(std::size_t stages) {
    if (sequence_) sequence_ = nullptr;
    if (only_.size() != stages) only_.resize(stages);
    tiles_ = 1;
    return only_;
  }

 private:
  std::uint64_t tiles_ = 0;
  std::function<TileSequence(std::uint64_t)> sequence_;  ///< none of a plan of one tile
  TileSequence only_;
};

/// C[m x n] = epilogue(A[m x k] * B[k x n]).
struct GemmShape {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
  std::uint64_t tile_m = 0;  ///< a tile larger than the problem is the problem
  std::uint64_t tile_k = 0;
  std::uint64_t tile_n = 0;
  std::uint32_t element_bytes = 0;    ///< of A and B
  std::uint32_t c_element_bytes = 0;  ///< of C; 0: as those
  Staging a = Staging::StreamedHbm;
  Staging b = Staging::StreamedHbm;
  Staging c = Staging::StreamedHbm;
  std::vector<MathOp> epilogue;  ///< element by element on each finished tile of C, in this order
};

/// A tile for each (m, n, k), k innermost and m outermost; the last in each direction may be
/// smaller. Sums stay in registers along k, so the epilogue runs and C is stored once per (m, n),
/// after the last k:
///
///   [DmaRead A] [DmaRead B] Fetch(A, B) Gemm, and after the last k: Math... Store [DmaWrite]
///
/// with the DMA stages only of what is streamed. Nothing is kept between tiles: A is read
/// ceil(n / tile_n) times in all and B ceil(m / tile_m) times. Whether the tiles fit into TCM and
/// registers is not looked at.
///
/// Throws std::invalid_argument when a size is 0, the macs or the bytes of the whole plan do not
/// fit into 63 bits, or an epilogue op is a reduction.
[[nodiscard]] TilePlan plan_gemm(const GemmShape& shape);

/// out[elements] = ops(inputs...), element by element.
struct MathShape {
  std::uint64_t elements = 0;
  std::uint64_t tile_elements = 0;
  std::uint32_t element_bytes = 0;  ///< of all tensors
  std::vector<Staging> inputs;      ///< at least 1
  Staging output = Staging::StreamedHbm;
  std::vector<MathOp> ops;  ///< at least 1, in this order
};

/// A tile for each `tile_elements`; the last may be smaller:
///
///   [DmaRead input]... Fetch(inputs) Math... Store [DmaWrite]
///
/// Throws std::invalid_argument as plan_gemm(), and when there is no input or no op.
[[nodiscard]] TilePlan plan_math(const MathShape& shape);

}  // namespace kernbench::model::components
