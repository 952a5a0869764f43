// SPDX-License-Identifier: Apache-2.0
#include "model/components/tiling/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "common/registry.hpp"

namespace kernbench::model::components {

namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();

void require_positive(std::string_view name, std::uint64_t value) {
  if (value == 0) throw std::invalid_argument(fmt::format("{} must be at least 1, not 0", name));
}

/// A sum of products. Throws std::invalid_argument when it exceeds 63 bits.
class Total {
 public:
  explicit Total(std::string_view what) : what_(what) {}

  void add_product(std::initializer_list<std::uint64_t> factors) {
    std::uint64_t product = 1;
    for (const std::uint64_t factor : factors) {
      if (factor != 0 && product > kLargest / factor) reject();
      product *= factor;
    }
    if (product > kLargest - sum_) reject();
    sum_ += product;
  }

 private:
  [[noreturn]] void reject() const {
    throw std::invalid_argument(fmt::format("the {} of the plan do not fit into 63 bits", what_));
  }

  std::string_view what_;
  std::uint64_t sum_ = 0;
};

/// A dimension that is cut into tiles. The last tile may be shorter. Both sizes are at least 1.
struct Cut {
  std::uint64_t size;
  std::uint64_t tile;

  [[nodiscard]] std::uint64_t tiles() const { return (size - 1) / tile + 1; }
  [[nodiscard]] std::uint64_t begin(std::uint64_t index) const { return index * tile; }
  [[nodiscard]] std::uint64_t length(std::uint64_t index) const {
    return std::min(tile, size - begin(index));
  }
};

void require_element_wise(const std::vector<MathOp>& ops) {
  const auto reduction = std::find_if(ops.begin(), ops.end(), is_reduction);
  if (reduction != ops.end()) {
    throw std::invalid_argument(
        fmt::format("'{}' is a reduction, which cannot be done tile by tile", name_of(*reduction)));
  }
  const auto of_rows = std::find_if(ops.begin(), ops.end(), is_of_rows);
  if (of_rows != ops.end()) {
    throw std::invalid_argument(fmt::format(
        "'{}' works on whole rows, which cannot be done tile by tile", name_of(*of_rows)));
  }
}

/// Returns a stage that moves tiles, whose tensors have elements of the given sizes.
TileStage move(StageKind kind, std::vector<TileOperand> operands,
               std::span<const ElementSize> sizes) {
  TileStage stage;
  stage.kind = kind;
  for (const TileOperand& operand : operands) {
    stage.bytes += operand.region.rows * operand.region.columns * sizes[operand.tensor];
  }
  stage.operands = std::move(operands);
  return stage;
}

/// Appends the stages that move streamed operands into TCM, then all operands into registers.
void append_inputs(TileSequence& sequence, const std::vector<TileOperand>& operands,
                   const std::vector<Staging>& staging, std::span<const ElementSize> sizes) {
  for (const TileOperand& operand : operands) {
    if (staging[operand.tensor] == Staging::StreamedHbm) {
      sequence.push_back(move(StageKind::DmaRead, {operand}, sizes));
    }
  }
  sequence.push_back(move(StageKind::Fetch, operands, sizes));
}

/// Appends the ops on a tile of the output and the stages that store it.
void append_output(TileSequence& sequence, const std::vector<MathOp>& ops,
                   const TileOperand& output, Staging staging, std::span<const ElementSize> sizes) {
  for (const MathOp op : ops) {
    TileStage math;
    math.kind = StageKind::Math;
    math.elements = output.region.rows * output.region.columns;
    math.op = op;
    sequence.push_back(std::move(math));
  }
  sequence.push_back(move(StageKind::Store, {output}, sizes));
  if (staging == Staging::StreamedHbm) {
    sequence.push_back(move(StageKind::DmaWrite, {output}, sizes));
  }
}

/// Returns the sizes of the elements of A, B and C.
std::array<ElementSize, 3> sizes_of(const GemmShape& shape) {
  const auto set_or_as_a = [&](ElementSize size) {
    return size.bytes != 0 ? size : shape.element_bytes;
  };
  return {shape.element_bytes, set_or_as_a(shape.b_element_bytes),
          set_or_as_a(shape.c_element_bytes)};
}

/// A range of elements along k.
struct Part {
  std::uint64_t begin;
  std::uint64_t length;
};

/// A tile of a GEMM.
struct GemmTile {
  std::uint64_t mi;
  std::uint64_t ni;
  Part k;
  bool reads_a = true;   ///< else A's tile is in TCM since an earlier one
  bool is_last = false;  ///< along k
};

TileSequence gemm_sequence(const GemmShape& shape, const GemmTile& tile) {
  const Cut m{shape.m, shape.tile_m};
  const Cut n{shape.n, shape.tile_n};
  const std::uint64_t rows = m.length(tile.mi);
  const std::uint64_t columns = n.length(tile.ni);
  const TileOperand a{0, {m.begin(tile.mi), tile.k.begin, rows, tile.k.length}};
  const TileOperand b{1, {tile.k.begin, n.begin(tile.ni), tile.k.length, columns}};
  const TileOperand c{2, {m.begin(tile.mi), n.begin(tile.ni), rows, columns}};

  TileSequence sequence;
  const std::array<ElementSize, 3> sizes = sizes_of(shape);
  append_inputs(sequence, {a, b}, {tile.reads_a ? shape.a : Staging::ResidentTcm, shape.b}, sizes);
  TileStage gemm;
  gemm.kind = StageKind::Gemm;
  gemm.macs = rows * tile.k.length * columns;
  sequence.push_back(std::move(gemm));
  if (tile.is_last) append_output(sequence, shape.epilogue, c, shape.c, sizes);
  return sequence;
}

/// Returns the tile along k of a turn, which begins with first_k_tile.
Part k_of_turn(const GemmShape& shape, std::uint64_t turn) {
  const Cut k{shape.k, shape.tile_k};
  const std::uint64_t ki = (turn + shape.first_k_tile) % k.tiles();
  return {k.begin(ki), k.length(ki)};
}

/// Checks a shape, and returns the number of tiles of (m, n).
std::uint64_t checked(const GemmShape& shape) {
  require_positive("m", shape.m);
  require_positive("k", shape.k);
  require_positive("n", shape.n);
  require_positive("tile_m", shape.tile_m);
  require_positive("tile_k", shape.tile_k);
  require_positive("tile_n", shape.tile_n);
  require_positive("element_bytes", shape.element_bytes.bytes);
  require_element_wise(shape.epilogue);

  const std::uint64_t m_tiles = Cut{shape.m, shape.tile_m}.tiles();
  const std::uint64_t k_tiles = Cut{shape.k, shape.tile_k}.tiles();
  const std::uint64_t n_tiles = Cut{shape.n, shape.tile_n}.tiles();
  if (shape.first_k_tile >= k_tiles) {
    throw std::invalid_argument(fmt::format(
        "first_k_tile must be below {}, the tiles along k, not {}", k_tiles, shape.first_k_tile));
  }
  const std::vector<std::uint64_t>& begins = shape.k_begins;
  const bool ascends =
      std::adjacent_find(begins.begin(), begins.end(), std::greater_equal<>()) == begins.end();
  if (!begins.empty() && (begins.front() != 0 || begins.back() >= shape.k || !ascends)) {
    throw std::invalid_argument(
        fmt::format("k_begins must be 0 and ascend below {}, the size of k", shape.k));
  }
  const std::uint64_t parts = std::max<std::uint64_t>(begins.size(), 1);
  if (shape.first_k_part >= parts) {
    throw std::invalid_argument(fmt::format("first_k_part must be below {}, the parts of k, not {}",
                                            parts, shape.first_k_part));
  }
  Total macs("macs");
  macs.add_product({shape.m, shape.k, shape.n});
  Total bytes("bytes");
  const std::array<ElementSize, 3> sizes = sizes_of(shape);
  bytes.add_product({shape.m, shape.k, n_tiles, sizes[0].bytes});
  bytes.add_product({shape.k, shape.n, m_tiles, sizes[1].bytes});
  bytes.add_product({shape.m, shape.n, sizes[2].bytes});
  // No overflow of tiles: there are at most as many as macs, and no stage exceeds the totals.
  return m_tiles * n_tiles;
}

/// Returns the tiles along k in the order of plan_gemm_by_placement().
std::vector<Part> parts_in_order(const GemmShape& shape) {
  std::vector<std::uint64_t> begins = shape.k_begins;
  if (begins.empty()) begins = {0};
  std::vector<Part> parts;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t at = (i + shape.first_k_part) % begins.size();
    const std::uint64_t end = at + 1 < begins.size() ? begins[at + 1] : shape.k;
    const Cut cut{end - begins[at], shape.tile_k};
    for (std::uint64_t tile = 0; tile < cut.tiles(); ++tile) {
      parts.push_back({begins[at] + cut.begin(tile), cut.length(tile)});
    }
  }
  return parts;
}

/// Returns a plan with all `turns` along k of a tile of C before the next tile of C.
template <typename PartOfTurn>
TilePlan k_innermost(const GemmShape& shape, std::uint64_t of_c, std::uint64_t turns,
                     const PartOfTurn& part_of) {
  return {of_c * turns, [shape, turns, part_of](std::uint64_t tile) {
            const std::uint64_t n_tiles = Cut{shape.n, shape.tile_n}.tiles();
            const std::uint64_t turn = tile % turns;
            return gemm_sequence(shape, {tile / turns / n_tiles, tile / turns % n_tiles,
                                         part_of(turn), true, turn + 1 == turns});
          }};
}

common::Registry<GemmPlan>& known_plans() {
  static common::Registry<GemmPlan> plans("plan of tiles");
  return plans;
}

TileSequence math_sequence(const MathShape& shape, std::uint64_t tile) {
  const Cut cut{shape.elements, shape.tile_elements};
  const TileRegion region{0, cut.begin(tile), 1, cut.length(tile)};
  std::vector<TileOperand> inputs;
  for (std::uint32_t i = 0; i < shape.inputs.size(); ++i) inputs.push_back({i, region});
  const auto output = static_cast<std::uint32_t>(shape.inputs.size());

  TileSequence sequence;
  const std::vector<ElementSize> sizes(shape.inputs.size() + 1, shape.element_bytes);
  append_inputs(sequence, inputs, shape.inputs, sizes);
  append_output(sequence, shape.ops, {output, region}, shape.output, sizes);
  return sequence;
}

}  // namespace

TilePlan::TilePlan(std::uint64_t tiles, std::function<TileSequence(std::uint64_t)> sequence)
    : tiles_(tiles), sequence_(std::move(sequence)) {
  if (tiles != 0 && !sequence_) throw std::invalid_argument("a plan with tiles needs a sequence");
}

TilePlan::TilePlan(TileSequence only) : tiles_(1), only_(std::move(only)) {
  if (only_.empty()) throw std::invalid_argument("a tile must have at least one stage");
}

TileSequence TilePlan::sequence(std::uint64_t tile) const {
  if (tile >= tiles_) {
    throw std::out_of_range(fmt::format("tile {} of a plan of {} tiles", tile, tiles_));
  }
  return sequence_ ? sequence_(tile) : only_;
}

TilePlan plan_gemm(const GemmShape& shape) {
  return shape.plan != nullptr ? shape.plan->plan(shape) : plan_gemm_k_inner(shape);
}

TilePlan plan_gemm_k_inner(const GemmShape& shape) {
  const std::uint64_t of_c = checked(shape);
  return k_innermost(shape, of_c, Cut{shape.k, shape.tile_k}.tiles(),
                     [shape](std::uint64_t turn) { return k_of_turn(shape, turn); });
}

TilePlan plan_gemm_k_major(const GemmShape& shape) {
  const std::uint64_t of_c = checked(shape);
  const std::uint64_t k_tiles = Cut{shape.k, shape.tile_k}.tiles();
  return {of_c * k_tiles, [shape, of_c, k_tiles](std::uint64_t tile) {
            const std::uint64_t n_tiles = Cut{shape.n, shape.tile_n}.tiles();
            const std::uint64_t turn = tile / of_c;
            const std::uint64_t ni = tile % n_tiles;
            // The read of B comes after the one of A that an earlier tile has asked for, as the DMA
            // serves reads in order; without it the tile would not wait for A.
            const bool reads_a = ni == 0 || shape.b == Staging::ResidentTcm;
            return gemm_sequence(shape, {tile % of_c / n_tiles, ni, k_of_turn(shape, turn), reads_a,
                                         turn + 1 == k_tiles});
          }};
}

TilePlan plan_gemm_by_placement(const GemmShape& shape) {
  const std::uint64_t of_c = checked(shape);
  const std::vector<Part> parts = parts_in_order(shape);
  return k_innermost(shape, of_c, parts.size(),
                     [parts](std::uint64_t turn) { return parts[turn]; });
}

const std::vector<const GemmPlan*>& gemm_plans() {
  return known_plans().all();
}

const GemmPlan* find_gemm_plan(std::string_view name) {
  return known_plans().find(name);
}

GemmPlanRegistration::GemmPlanRegistration(GemmPlan plan) {
  known_plans().add(std::move(plan));
}

namespace {

const GemmPlanRegistration kInner{
    {"k-inner", "k innermost: the sums of a tile of C at a time", plan_gemm_k_inner}};
const GemmPlanRegistration kMajor{
    {"k-major",
     "k outermost: a tile of A stays in TCM for all columns of C, all sums of C in "
     "accumulators",
     plan_gemm_k_major, true}};
const GemmPlanRegistration kPlacement{
    {"placement", "k innermost in tiles that are each in one cube, the own cube first",
     plan_gemm_by_placement}};

}  // namespace

TilePlan plan_math(const MathShape& shape) {
  require_positive("elements", shape.elements);
  require_positive("tile_elements", shape.tile_elements);
  require_positive("element_bytes", shape.element_bytes.bytes);
  require_positive("the number of inputs", shape.inputs.size());
  require_positive("the number of ops", shape.ops.size());
  require_element_wise(shape.ops);

  Total bytes("bytes");
  bytes.add_product({shape.elements, shape.inputs.size() + 1, shape.element_bytes.bytes});
  return {Cut{shape.elements, shape.tile_elements}.tiles(),
          [shape](std::uint64_t tile) { return math_sequence(shape, tile); }};
}

}  // namespace kernbench::model::components
