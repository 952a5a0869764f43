// SPDX-License-Identifier: Apache-2.0
// C = A B. Each PE computes its part of C under any placement of A and B.

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/numbers.hpp"
#include "model/bench/gemm_mapping.hpp"
#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"
#include "model/runtime/kernel_registry.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench::gemm {
namespace {

using data::DataType;
using kernel::GemmOperand;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::DpPolicy;
using runtime::Placement;
using runtime::Rectangle;
using runtime::TensorPiece;
using runtime::TensorView;

/// The sizes of tiles; those that are not set follow the PE's part of C.
struct TileSizes {
  std::optional<std::uint64_t> m{};
  std::optional<std::uint64_t> k{};
  std::optional<std::uint64_t> n{};
  std::uint32_t in_flight = 0;
  bool rotate = true;  ///< PEs begin at different k, else all at 0
  std::string plan{};
};

/// Adds where the rows or the columns of a tensor pass from cube to cube.
void add_cube_begins(const runtime::Layout& layout, bool rows, std::vector<std::uint64_t>& begins) {
  for (std::uint32_t cube = 0; cube < layout.cubes(); ++cube) {
    const Rectangle part = layout.shard(cube, 0).part;
    if (!part.empty()) begins.push_back(rows ? part.row : part.column);
  }
}

/// A range of rows, of columns or along k.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

/// Returns the parts of a range between `begins`, at which pieces begin.
std::vector<Range> cut(const Range& whole, std::vector<std::uint64_t> begins) {
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::vector<Range> parts;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::uint64_t end = i + 1 < begins.size() ? begins[i + 1] : whole.begin + whole.size;
    parts.push_back({begins[i], end - begins[i]});
  }
  return parts;
}

struct Gemm {
  TensorView a;
  TensorView b;
  TensorView c;
  bool resident_a = false;  ///< A is loaded into TCM as a whole, else streamed tile by tile
  bool resident_b = false;  ///< B is loaded in panels of tile_n columns
  TileSizes sizes{};

  void operator()(Tl& tl) const {
    const Rectangle mine = c.local_part(tl);
    kernel::CompositeOptions tiles =
        fit_tiles({mine.rows, a.columns(), mine.columns}, a.type(), tl.accumulator_bytes());
    tiles.tile_m = sizes.m.value_or(tiles.tile_m);
    tiles.tile_k = sizes.k.value_or(tiles.tile_k);
    tiles.tile_n = sizes.n.value_or(tiles.tile_n);
    tiles.tiles_in_flight = sizes.in_flight;
    const std::vector<TensorPiece> of_a = a.pieces({mine.row, 0, mine.rows, a.columns()}, &tl);
    const std::vector<TensorPiece> of_b = b.pieces({0, mine.column, b.rows(), mine.columns}, &tl);
    std::vector<std::uint64_t> rows;
    std::vector<std::uint64_t> inner;
    std::vector<std::uint64_t> columns;
    rows.reserve(of_a.size());
    inner.reserve(of_a.size() + of_b.size());
    columns.reserve(of_b.size());
    for (const TensorPiece& piece : of_a) {
      rows.push_back(piece.part.row);
      inner.push_back(piece.part.column);
    }
    for (const TensorPiece& piece : of_b) {
      inner.push_back(piece.part.row);
      columns.push_back(piece.part.column);
    }
    const std::vector<Range> ks = cut({0, a.columns()}, std::move(inner));
    const std::vector<Range> panels = cut({mine.column, mine.columns}, std::move(columns));
    for (const Range& m : cut({mine.row, mine.rows}, std::move(rows))) {
      std::vector<GemmOperand> left;
      left.reserve(ks.size());
      for (const Range& k : ks) left.push_back(staged(tl, only(tl, a, m, k), resident_a));
      for (const Range& columns_of_b : panels) {
        const std::uint64_t width = resident_b ? tiles.tile_n : columns_of_b.size;
        for (std::uint64_t at = 0; at < columns_of_b.size; at += width) {
          const Range n{columns_of_b.begin + at, std::min(width, columns_of_b.size - at)};
          const TensorRef out =
              c.local(tl).block(m.begin - mine.row, n.begin - mine.column, m.size, n.size);
          multiply(tl, ks, left, n, out, tiles);
        }
      }
    }
  }

  /// Computes a part of C from the parts of A and B: at once if k is one range, else as a sum of
  /// products.
  void multiply(Tl& tl, const std::vector<Range>& ks, const std::vector<GemmOperand>& left,
                const Range& n, const TensorRef& out, kernel::CompositeOptions tiles) const {
    const auto right = [&](const Range& k) { return staged(tl, only(tl, b, k, n), resident_b); };
    if (ks.size() == 1) {
      const std::uint64_t k_tiles = (ks[0].size - 1) / tiles.tile_k + 1;
      tiles.plan = sizes.plan;
      if (sizes.plan == "placement") {
        follow_placement(tl, tiles);
      } else if (sizes.rotate) {
        tiles.first_k_tile = first_k_tile(k_tiles, tl.place());
      }
      tl.composite(left[0], right(ks[0]), out, tiles);
      return;
    }
    Tile sum = tl.full(out.rows, out.columns, 0.0, accumulator_of(a.type()));
    for (std::size_t i = 0; i < ks.size(); ++i) {
      sum = sum + tl.composite(left[i], right(ks[i]), sum.type(), tiles);
    }
    tl.store(out, tl.cast(sum, out.type));
  }

  /// Cuts k where A or B pass from cube to cube, and begins with the part of B that the own cube
  /// has, or of A if that is the one that is spread along k.
  void follow_placement(Tl& tl, kernel::CompositeOptions& tiles) const {
    std::vector<std::uint64_t> begins = {0};
    add_cube_begins(b.layout(), true, begins);
    add_cube_begins(a.layout(), false, begins);
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    const std::uint64_t cube = tl.program_id(1);
    std::vector<std::uint64_t> own;
    const auto has_own = [&](const TensorView& tensor) { return cube < tensor.layout().cubes(); };
    if (has_own(b)) own.push_back(b.layout().shard(static_cast<std::uint32_t>(cube), 0).part.row);
    if (has_own(a)) {
      own.push_back(a.layout().shard(static_cast<std::uint32_t>(cube), 0).part.column);
    }
    const std::uint64_t nearest = own.empty() ? 0 : *std::max_element(own.begin(), own.end());
    const auto part = std::find(begins.begin(), begins.end(), nearest);
    tiles.first_k_part =
        part == begins.end() ? 0 : static_cast<std::uint64_t>(part - begins.begin());
    tiles.k_begins = std::move(begins);
  }

  /// Returns a part of a tensor that lies in one piece.
  static TensorRef only(const Tl& tl, const TensorView& tensor, const Range& rows,
                        const Range& columns) {
    return tensor.pieces({rows.begin, columns.begin, rows.size, columns.size}, &tl).at(0).ref;
  }

  static GemmOperand staged(Tl& tl, const TensorRef& ref, bool resident) {
    if (resident) return tl.load(ref);
    return ref;
  }
};

/// The placements of A, B and C.
struct Placements {
  DpPolicy a;
  DpPolicy b;
  DpPolicy c;
};

/// Returns the placements that the parameters give. Those of A and B follow that of C, and that of
/// C follows the size.
Placements placements_of(const runtime::Context& kb, const GemmSize& size) {
  constexpr DpPolicy kRows{Placement::RowWise, Placement::RowWise};
  constexpr DpPolicy kColumns{Placement::ColumnWise, Placement::ColumnWise};
  constexpr DpPolicy kBlocks{Placement::RowWise, Placement::ColumnWise};
  constexpr DpPolicy kInEachCube{Placement::Replicate, Placement::RowWise};
  const GemmMapping best = best_mapping(size, kb.cubes(), kb.pes());
  const DpPolicy c = kb.policy("c", best == GemmMapping::Blocks ? kBlocks
                                    : best == GemmMapping::Rows ? kRows
                                                                : kColumns);
  // A copy of A in each cube must have rows for all its PEs, or one slice serves them all.
  const DpPolicy copies = size.m < kb.pes() ? DpPolicy{} : kInEachCube;
  return {kb.policy("a", c == kColumns ? copies : kRows),
          kb.policy("b", c == kColumns ? kColumns
                         : c == kRows  ? kInEachCube
                                       : kRows),
          c};
}

void run(runtime::Context& kb) {
  const std::uint64_t m = kb.number("m");
  const std::uint64_t k = kb.number("k", 1);
  const std::uint64_t n = kb.number("n");
  const DataType type = kb.type("type");
  const DataType result = is_floating(type) ? type : DataType::I32;
  const auto a_data = uniform(type, m, k, 1);
  const auto b_data = uniform(type, k, n, 2);
  const Placements placements = placements_of(kb, {m, k, n});
  const runtime::Tensor a = kb.tensor(m, k, type, placements.a, a_data);
  const runtime::Tensor b = kb.tensor(k, n, type, placements.b, b_data);
  const runtime::Tensor c = kb.tensor(m, n, result, placements.c);

  Gemm gemm{a->view(), b->view(), c->view()};
  gemm.resident_a = kb.choice("stage_a", {"streamed", "resident"}) == "resident";
  gemm.resident_b = kb.choice("stage_b", {"streamed", "resident"}) == "resident";
  gemm.sizes.m = kb.number_or_auto("tile_m", 1);
  gemm.sizes.k = kb.number_or_auto("tile_k", 1);
  gemm.sizes.n = kb.number_or_auto("tile_n", 1);
  gemm.sizes.in_flight = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      kb.number("tiles_in_flight", 1), std::numeric_limits<std::uint32_t>::max()));
  gemm.sizes.rotate = kb.choice("rotate", {"yes", "no"}) == "yes";
  std::vector<std::string_view> plans;
  for (const components::GemmPlan* const plan : components::gemm_plans()) {
    plans.emplace_back(plan->name);
  }
  gemm.sizes.plan = kb.choice("plan", plans);
  kb.measure("gemm", [&] { kb.launch("gemm", gemm); });

  kb.expect("c", kb.read(c),
            [=] { return from_doubles(result, to_doubles(a_data()) * to_doubles(b_data())); });
}

std::vector<Mapping> mappings(const ParameterValues& values, const topology::TopologySpec& spec,
                              const runtime::DevicePart& part) {
  if (values.at("c") != "auto") return {};
  const auto number = [&values](const char* name) {
    return common::parse_u64(values.at(name)).value_or(0);
  };
  const GemmSize size{number("m"), number("k"), number("n")};
  const auto type = data::data_type_of(values.at("type"));
  const std::uint32_t cubes = part.grid(spec).nodes();
  const std::uint32_t pes = part.pes_of_cube(spec);
  std::vector<Mapping> all;
  for (const GemmMapping mapping : ranked_mappings(size, cubes, pes)) {
    const char* const c = mapping == GemmMapping::Blocks ? "blocks"
                          : mapping == GemmMapping::Rows ? "row"
                                                         : "column";
    const bool is_plain = type && size.m * size.k * size.n != 0 && values.at("tile_m") == "auto" &&
                          values.at("tile_n") == "auto" && values.at("a") == "auto" &&
                          values.at("b") == "auto";
    all.push_back({{{"c", c}}, is_plain ? least_ns(size, mapping, *type, cubes, pes, spec) : 0.0});
  }
  return all;
}

void multiply(Tl& tl, const TensorView& a, const TensorView& b, const TensorView& c) {
  Gemm{.a = a, .b = b, .c = c, .sizes = {.in_flight = 3}}(tl);
}

const runtime::KernelRegistration kKernel{
    "gemm", "c = a b, with the tiles of the bench", {"a", "b", "c"}, multiply};
const Registration kBench{
    {"gemm",
     "C = A B, each PE its part of C",
     {{"m", "512", "rows of A and C"},
      {"k", "512", "columns of A, rows of B"},
      {"n", "512", "columns of B and C"},
      {"type", "f16", "type of A, B and C; C is i32 for integers"},
      {"a", "auto",
       "placement of A: row, column, blocks, replicated (in each cube), everywhere, or auto"},
      {"b", "auto", "placement of B; auto: the one that suits that of C"},
      {"c", "auto", "placement of C; auto: the one that takes least time"},
      {"stage_a", "streamed", "streamed, or resident: A is loaded into TCM first"},
      {"stage_b", "streamed", "streamed, or resident: B is loaded tile_n columns at a time"},
      {"tile_m", "auto", "rows of a tile of A; auto: as many as suit the part of C of a PE"},
      {"tile_k", "auto", "columns of a tile of A"},
      {"tile_n", "auto", "columns of a tile of B"},
      {"tiles_in_flight", "3", "tiles that a PE works on at a time; 2 is double buffering"},
      {"rotate", "yes", "yes: PEs begin at different k, no: all at 0"},
      {"plan", "k-inner",
       "order of a PE's tiles: k-inner, k-major (k outermost), placement (from cube to cube), or "
       "one of a plugin"}},
     run,
     mappings,
     true}};

}  // namespace
}  // namespace kernbench::model::bench::gemm
