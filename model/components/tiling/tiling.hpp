// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "common/enum_names.hpp"
#include "model/components/tiling/element_size.hpp"
#include "model/components/tiling/math_op.hpp"

namespace kernbench::model::components {

// The tile-plan generator: pure functions from the shape of a problem to the stages of each tile.

/// Kind of a stage, which determines the engine.
enum class StageKind : std::uint8_t {
  DmaRead,   ///< pe_dma: HBM to TCM
  Fetch,     ///< pe_fetch_store: TCM to registers
  Gemm,      ///< pe_gemm, on registers
  Math,      ///< pe_math, on registers
  Store,     ///< pe_fetch_store: registers to TCM
  DmaWrite,  ///< pe_dma: TCM to HBM
};
inline constexpr std::array<common::EnumName<StageKind>, 6> kStageNames = {
    {{"dma_read", StageKind::DmaRead},
     {"fetch", StageKind::Fetch},
     {"gemm", StageKind::Gemm},
     {"math", StageKind::Math},
     {"store", StageKind::Store},
     {"dma_write", StageKind::DmaWrite}}};
constexpr const auto& name_table(StageKind /*any*/) {
  return kStageNames;
}

/// Location of a tensor. StreamedHbm: in HBM, moved tile by tile. ResidentTcm: entirely in TCM,
/// because it was loaded before or stays there.
enum class Staging : std::uint8_t { StreamedHbm, ResidentTcm };

/// A rectangle of a tensor, in elements. Vectors are one row.
struct TileRegion {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  friend constexpr bool operator==(const TileRegion&, const TileRegion&) = default;
};

/// A tile of a tensor. `tensor` numbers the inputs in order, then the output: in a GEMM, A is 0, B
/// is 1 and C is 2.
struct TileOperand {
  std::uint32_t tensor = 0;
  TileRegion region;

  friend constexpr bool operator==(const TileOperand&, const TileOperand&) = default;
};

struct TileStage {
  StageKind kind = StageKind::DmaRead;
  /// Tiles that are moved: any number for Fetch, none for Gemm and Math, otherwise one.
  std::vector<TileOperand> operands;
  std::uint64_t bytes = 0;     ///< total size of the operands
  std::uint64_t macs = 0;      ///< multiply-adds (Gemm only)
  std::uint64_t elements = 0;  ///< output elements (Math only)
  std::optional<MathOp> op;    ///< operation (Math only)

  /// Resets the stage to `its_kind` without work. Keeps the capacity of `operands`.
  void renew(StageKind its_kind) {
    kind = its_kind;
    operands.clear();
    bytes = macs = elements = 0;
    op.reset();
  }

  friend bool operator==(const TileStage&, const TileStage&) = default;
};

/// Stages of a tile, in order.
using TileSequence = std::vector<TileStage>;

/// The tiles of a problem in order of dispatch. Sequences are generated on demand, so a plan of
/// millions of tiles needs no memory.
class KERNBENCH_API TilePlan {
 public:
  /// A plan without tiles.
  TilePlan() = default;
  /// `sequence` returns the stages of a tile by its index. Throws std::invalid_argument when it is
  /// empty and `tiles` is not 0.
  TilePlan(std::uint64_t tiles, std::function<TileSequence(std::uint64_t)> sequence);
  /// A plan of one tile with these stages. Throws std::invalid_argument when there are none.
  explicit TilePlan(TileSequence only);

  [[nodiscard]] std::uint64_t size() const { return tiles_; }
  /// Returns the stages of a tile. Throws std::out_of_range unless tile < size().
  [[nodiscard]] TileSequence sequence(std::uint64_t tile) const;
  /// Returns the stages of the only tile, or null if the plan has a generator.
  [[nodiscard]] const TileSequence* only() const { return sequence_ ? nullptr : &only_; }

  /// Turns the plan into one tile with `stages` (at least 1) stages, which the caller fills in.
  /// Reuses the memory of the previous stages.
  [[nodiscard]] TileSequence& renew(std::size_t stages) {
    if (sequence_) sequence_ = nullptr;
    if (only_.size() != stages) only_.resize(stages);
    tiles_ = 1;
    return only_;
  }

 private:
  std::uint64_t tiles_ = 0;
  std::function<TileSequence(std::uint64_t)> sequence_;  ///< empty for a plan of one tile
  TileSequence only_;
};

struct GemmPlan;

/// C[m x n] = epilogue(A[m x k] * B[k x n]).
struct GemmShape {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
  std::uint64_t tile_m = 0;  ///< clipped to the size of the problem
  std::uint64_t tile_k = 0;
  std::uint64_t tile_n = 0;
  /// Number of the tile along k with which each sum begins. After the last tile it goes on with the
  /// first. PEs that begin at different tiles read different memories at the same time.
  std::uint64_t first_k_tile = 0;
  ElementSize element_bytes = 0;    ///< size in A and B
  ElementSize b_element_bytes = 0;  ///< size in B; 0: same as A
  ElementSize c_element_bytes = 0;  ///< size in C; 0: same as A
  Staging a = Staging::StreamedHbm;
  Staging b = Staging::StreamedHbm;
  Staging c = Staging::StreamedHbm;
  std::vector<MathOp> epilogue;    ///< element-wise ops on each finished tile of C, in order
  const GemmPlan* plan = nullptr;  ///< order of the tiles; null: the one of plan_gemm_k_inner()
  /// Where the parts of k begin that are each in one place: 0, then ascending; and the part with
  /// which sums begin. For plans that follow the placement of A and B. Empty: one part.
  std::vector<std::uint64_t> k_begins{};
  std::uint64_t first_k_part = 0;
};

/// Returns the plan of shape.plan. Every plan computes each product of tiles once, in the stages
///
///   [DmaRead A] [DmaRead B] Fetch(A, B) Gemm, and after the last k: Math... Store [DmaWrite]
///
/// Only streamed tensors have DMA stages. The last tile in each direction may be smaller. It is not
/// checked that the tiles fit into TCM and accumulators.
///
/// Throws std::invalid_argument when a size is 0, there is no tile first_k_tile or part
/// first_k_part, k_begins does not begin with 0 and ascend below k, the macs or the bytes of the
/// whole plan do not fit into 63 bits, or an epilogue op is a reduction.
[[nodiscard]] KERNBENCH_API TilePlan plan_gemm(const GemmShape& shape);

/// Returns a plan with one tile per (m, n, k), k innermost and m outermost. Sums stay in registers
/// along k, so the epilogue and the store of C run once per (m, n). Nothing is kept between tiles:
/// A is read ceil(n / tile_n) times and B ceil(m / tile_m) times.
[[nodiscard]] KERNBENCH_API TilePlan plan_gemm_k_inner(const GemmShape& shape);

/// Returns a plan with k outermost and n innermost. The sums of all of C stay in accumulators. If B
/// is streamed, a tile of A stays in TCM for all n, so A is read once, and B ceil(m / tile_m)
/// times.
[[nodiscard]] KERNBENCH_API TilePlan plan_gemm_k_major(const GemmShape& shape);

/// Returns the plan of plan_gemm_k_inner() with tiles that do not cross the begins of parts of k,
/// and with the part first_k_part first, then those after it and those before it: each tile is read
/// from one place, the nearest first.
[[nodiscard]] KERNBENCH_API TilePlan plan_gemm_by_placement(const GemmShape& shape);

/// An order of the tiles of a GEMM.
struct GemmPlan {
  std::string name;  ///< "k-major"
  std::string description;
  TilePlan (*plan)(const GemmShape& shape) = nullptr;
  bool keeps_c = false;  ///< the sums of all of C are in accumulators, else those of a tile
};

/// Returns all plans, sorted by name.
[[nodiscard]] KERNBENCH_API const std::vector<const GemmPlan*>& gemm_plans();
/// Returns the plan with this name, or null.
[[nodiscard]] KERNBENCH_API const GemmPlan* find_gemm_plan(std::string_view name);

/// Registers a plan when the program starts, or when the plugin is loaded.
class KERNBENCH_API GemmPlanRegistration {
 public:
  /// Refuses a name that is already registered.
  explicit GemmPlanRegistration(GemmPlan plan);
};

/// out[elements] = ops(inputs...), element by element.
struct MathShape {
  std::uint64_t elements = 0;
  std::uint64_t tile_elements = 0;
  ElementSize element_bytes = 0;  ///< size in all tensors
  std::vector<Staging> inputs;    ///< at least 1
  Staging output = Staging::StreamedHbm;
  std::vector<MathOp> ops;  ///< at least 1, in this order
};

/// Returns a plan with one tile per `tile_elements`. The last one may be smaller:
///
///   [DmaRead input]... Fetch(inputs) Math... Store [DmaWrite]
///
/// Throws std::invalid_argument like plan_gemm(), and when `inputs` or `ops` is empty.
[[nodiscard]] KERNBENCH_API TilePlan plan_math(const MathShape& shape);

}  // namespace kernbench::model::components
