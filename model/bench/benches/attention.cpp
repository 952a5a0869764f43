// SPDX-License-Identifier: Apache-2.0
// O = softmax(Q K^T / sqrt(d)) V as flash attention: processes keys block by block with a running
// maximum and sum of each row, and never stores a whole row of scores. Rows of Q and O are spread
// over all PEs; each cube has K and V, but for few queries their rows are spread over all PEs. PEs
// have queries of their own, or share them tile by tile.

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/numbers.hpp"
#include "model/bench/attention_tiles.hpp"
#include "model/bench/flash_attention.hpp"
#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/row_split.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench::attention {
namespace {

using data::Axis;
using data::DataType;
using kernel::Pending;
using kernel::PendingTile;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

/// Blocks of keys and values that are loaded before they are needed.
constexpr std::uint64_t kBlocksAhead = 2;

/// Returns a step that visits each of `blocks` blocks once, near their golden section.
std::uint64_t leap_over(std::uint64_t blocks) {
  std::uint64_t leap = std::max<std::uint64_t>(blocks * 618 / 1000, 1);
  while (std::gcd(leap, blocks) != 1) ++leap;
  return leap;
}

/// Tensors and sizes of all kernels.
struct Attention {
  TensorView q;
  TensorView k;
  TensorView v;
  TensorView out;
  AttentionTiles tiles;
  std::uint64_t block_q = 0;
  std::uint64_t block_k = 0;
  bool causal = false;

  /// Computes the tiles of some queries, from row `first` of Q on, and of the keys from `first_key`
  /// to `keys`.
  [[nodiscard]] AttentionPart compute(Tl& tl, const TensorRef& some_queries, std::uint64_t first,
                                      std::uint64_t first_key, std::uint64_t keys) const {
    struct KeyBlock {
      std::uint64_t key = 0;
      PendingTile keys;
      PendingTile values;
    };
    const PendingTile loading = tl.iload(some_queries);
    const double scale = 1.0 / std::sqrt(static_cast<double>(some_queries.columns));
    const std::uint64_t blocks =
        std::max<std::uint64_t>((keys - first_key + block_k - 1) / block_k, 1);
    // PEs begin at different keys and go on by leaps, so that they rarely meet at a slice for long.
    const std::uint64_t turn = blocks * tl.program_id(0) / tl.num_programs(0);
    const std::uint64_t leap = leap_over(blocks);
    std::deque<KeyBlock> fetched;
    const auto fetch = [&](std::uint64_t number) {
      if (number >= blocks) return;
      const std::uint64_t key = first_key + (turn + number * leap) % blocks * block_k;
      const std::uint64_t count = std::min(block_k, keys - key);
      fetched.push_back({key, tl.iload(k.whole().block(key, 0, count, some_queries.columns)),
                         tl.iload(v.whole().block(key, 0, count, some_queries.columns))});
    };
    for (std::uint64_t ahead = 0; ahead < kBlocksAhead; ++ahead) fetch(ahead);
    const Tile queries = tl.wait(loading);
    RunningAttention attention;
    for (std::uint64_t number = 0; number < blocks; ++number) {
      fetch(number + kBlocksAhead);
      const KeyBlock now = fetched.front();
      fetched.pop_front();
      const Tile some_keys = tl.wait(now.keys);
      Tile scores = tl.dot(queries, Tl::trans(some_keys)) * scale;
      if (causal && now.key + some_keys.rows() > first + 1) {
        scores = tl.where(visible_keys(tl, scores.rows(), first, scores.columns(), now.key), scores,
                          kMaskedScore);
      }
      const Tile weights = attention.weigh(tl, scores);
      attention.add(tl, weights, tl.wait(now.values));
    }
    return attention.result(tl);
  }
};

/// Each PE computes its own rows of the output.
struct OwnRows {
  Attention attention;

  void operator()(Tl& tl) const {
    const TensorRef mine = attention.q.local(tl);
    const TensorRef out = attention.out.local(tl);
    const std::uint64_t first = attention.q.local_part(tl).row;
    for (std::uint64_t row = 0; row < mine.rows; row += attention.block_q) {
      const TensorRef queries = mine.block(row, 0, attention.block_q, mine.columns);
      const std::uint64_t keys = attention.causal
                                     ? std::min(attention.k.rows(), first + row + queries.rows)
                                     : attention.k.rows();
      const AttentionPart part = attention.compute(tl, queries, first + row, 0, keys);
      tl.store(out.block(row, 0, queries.rows, mine.columns), tl.cast(part.out, out.type));
    }
  }
};

/// Parts of blocks that several PEs share: block_q rows for each PE, in its slice. A PE has parts
/// of at most two such blocks, which follow each other and use one of these each.
struct Parts {
  TensorView out;
  TensorView size;
};

/// Numbers the PEs, cube by cube: those that share a block are neighbours.
std::uint64_t program_of(const Tl& tl) {
  return tl.place().cube * tl.place().pes + tl.place().pe;
}

/// Each PE computes as many tiles as any other, and stores its parts of blocks that it shares.
struct EvenTiles {
  Attention attention;
  std::array<Parts, 2> parts;
  std::vector<SplitBlock> split;

  void operator()(Tl& tl) const {
    const AttentionTiles& tiles = attention.tiles;
    const std::uint64_t columns = attention.q.columns();
    const std::uint64_t me = program_of(tl);
    std::vector<AttentionSegment> segments =
        tiles.segments(me, tl.num_programs(0) * tl.num_programs(1));
    // All blocks have the first keys. So that not all PEs of a cube read these at the same time,
    // half of them go the other way.
    if (me % 2 != 0) std::reverse(segments.begin(), segments.end());
    for (const AttentionSegment& segment : segments) {
      const std::uint64_t first = segment.block * attention.block_q;
      const std::uint64_t rows = tiles.rows_of(segment.block);
      const std::uint64_t first_key = segment.first_key * attention.block_k;
      const AttentionPart part = attention.compute(
          tl, attention.q.whole().block(first, 0, rows, columns), first, first_key,
          std::min(tiles.keys_of(segment.block), first_key + segment.tiles * attention.block_k));
      if (segment.tiles == tiles.tiles_of(segment.block)) {
        tl.store(attention.out.whole().block(first, 0, rows, columns),
                 tl.cast(part.out, attention.out.type()));
        continue;
      }
      const auto number = static_cast<std::size_t>(
          std::find_if(split.begin(), split.end(),
                       [&](const SplitBlock& one) { return one.block == segment.block; }) -
          split.begin());
      const Parts& target = parts.at(number % 2);
      const std::uint64_t at = me * attention.block_q;
      const Pending stored = tl.istore(target.out.whole().block(at, 0, rows, columns), part.out);
      tl.store(target.size.whole().block(at, 0, rows, 1), part.size);
      tl.wait(stored);
    }
  }
};

/// Merges the parts of shared blocks. Each block has its own PEs, which share its rows; with more
/// blocks than PEs each PE has several blocks.
struct Merge {
  EvenTiles even;

  void operator()(Tl& tl) const {
    const std::uint64_t programs = tl.num_programs(0) * tl.num_programs(1);
    const std::uint64_t blocks = even.split.size();
    const std::uint64_t me = program_of(tl);
    const auto first_of = [](std::uint64_t i, std::uint64_t all, std::uint64_t of) {
      return (i * all + of - 1) / of;
    };
    if (blocks > programs) {
      for (std::uint64_t i = first_of(me, blocks, programs); i < first_of(me + 1, blocks, programs);
           ++i) {
        merge(tl, i, 0, even.attention.tiles.rows_of(even.split[i].block));
      }
      return;
    }
    const std::uint64_t i = me * blocks / programs;
    const std::uint64_t first = first_of(i, programs, blocks);
    const std::uint64_t count = first_of(i + 1, programs, blocks) - first;
    const std::uint64_t rows = even.attention.tiles.rows_of(even.split[i].block);
    const std::uint64_t begin = rows * (me - first) / count;
    const std::uint64_t end = rows * (me - first + 1) / count;
    if (begin < end) merge(tl, i, begin, end - begin);
  }

  /// Merges some rows of a shared block.
  void merge(Tl& tl, std::size_t number, std::uint64_t row, std::uint64_t rows) const {
    const SplitBlock& split = even.split[number];
    const std::uint64_t block_q = even.attention.block_q;
    const Parts& parts = even.parts.at(number % 2);
    const TensorRef out =
        even.attention.out.whole().block(split.block * block_q + row, 0, rows, parts.out.columns());
    const std::uint64_t at = split.first_program * block_q + row;
    if (rows >= split.programs) return merge_blocks(tl, parts, at, split.programs, out);
    for (std::uint64_t i = 0; i < rows; ++i) {
      merge_row(tl, parts, at + i, split.programs, out.block(i, 0, 1, out.columns));
    }
  }

  /// Merges one row of all parts by a product with their weights.
  void merge_row(Tl& tl, const Parts& parts, std::uint64_t at, std::uint64_t count,
                 const TensorRef& out) const {
    const auto of_all = [&](const TensorView& tensor) {
      TensorRef ref = tensor.whole().block(at, 0, 1, tensor.columns());
      ref.rows = count;
      ref.row_stride = even.attention.block_q * tensor.columns();
      return ref;
    };
    const PendingTile rows = tl.iload(of_all(parts.out));
    const Tile sizes = tl.load(of_all(parts.size));
    const Tile powers = tl.exp(sizes - tl.max(sizes, Axis::Rows));
    const Tile weights = powers / tl.sum(powers, Axis::Rows);
    tl.store(out, tl.cast(tl.dot(Tl::trans(weights), tl.wait(rows)), out.type));
  }

  /// Merges the same rows of all parts, one part after the other.
  void merge_blocks(Tl& tl, const Parts& parts, std::uint64_t at, std::uint64_t count,
                    const TensorRef& out) const {
    const auto part = [&](const TensorView& tensor, std::uint64_t number) {
      return tensor.whole().block(at + number * even.attention.block_q, 0, out.rows,
                                  tensor.columns());
    };
    std::vector<PendingTile> loading;
    std::vector<Tile> sizes;
    loading.reserve(count);
    sizes.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) loading.push_back(tl.iload(part(parts.size, i)));
    PendingTile next = tl.iload(part(parts.out, 0));
    for (const PendingTile& tile : loading) sizes.push_back(tl.wait(tile));
    Tile highest = sizes[0];
    for (std::uint64_t i = 1; i < count; ++i) highest = tl.maximum(highest, sizes[i]);
    std::vector<Tile> weights;
    std::optional<Tile> sum;
    for (const Tile& size : sizes) {
      weights.push_back(tl.exp(size - highest));
      sum = sum ? *sum + weights.back() : weights.back();
    }
    std::optional<Tile> result;
    for (std::uint64_t i = 0; i < count; ++i) {
      const PendingTile now = next;
      if (i + 1 < count) next = tl.iload(part(parts.out, i + 1));
      const Tile share = weights[i] / *sum;
      const Tile rows = tl.wait(now) * share;
      result = result ? *result + rows : rows;
    }
    tl.store(out, tl.cast(*result, out.type));
  }
};

MatrixD reference(const MatrixD& q, const MatrixD& k, const MatrixD& v, bool causal) {
  MatrixD scores = q * k.transpose() / std::sqrt(static_cast<double>(q.cols()));
  for (Eigen::Index row = 0; row < scores.rows(); ++row) {
    for (Eigen::Index key = row + 1; causal && key < scores.cols(); ++key) {
      scores(row, key) = -std::numeric_limits<double>::infinity();
    }
    scores.row(row) = (scores.row(row).array() - scores.row(row).maxCoeff()).exp();
    scores.row(row) /= scores.row(row).sum();
  }
  return scores * v;
}

/// Returns true if PEs should share blocks of queries without simulating both.
bool shares_blocks(std::uint64_t blocks, std::uint64_t programs, bool causal) {
  return causal || blocks < programs;
}

void run(runtime::Context& kb) {
  const std::uint64_t queries = kb.number("queries");
  const std::uint64_t keys = kb.number("keys", 1);
  const std::uint64_t size = kb.number("size", 1);
  const std::uint64_t block_q = kb.number("block_q", 1);
  const DataType type = kb.type("type");
  const bool causal = kb.choice("causal", {"no", "yes"}) == "yes";
  const std::string split = kb.choice("split", {"auto", "yes", "no"});
  const std::uint64_t programs = std::uint64_t{kb.cubes()} * kb.pes();
  const std::uint64_t blocks = queries == 0 ? 1 : (queries - 1) / block_q + 1;
  // Enough tiles for all PEs.
  const std::uint64_t block_k =
      kb.number_or_auto("block_k", 1)
          .value_or(std::clamp<std::uint64_t>(keys * blocks / programs, 1, 128));
  const AttentionTiles tiles(std::max<std::uint64_t>(queries, 1), keys, block_q, block_k, causal);
  const bool even = split != "auto" ? split == "yes" : shares_blocks(blocks, programs, causal);

  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const runtime::DpPolicy in_each_cube{Placement::Replicate, Placement::RowWise};
  const runtime::DpPolicy of_keys = even && blocks < kb.cubes() ? by_rows : in_each_cube;
  const auto q_data = uniform(type, queries, size, 1);
  const auto k_data = uniform(type, keys, size, 2);
  const auto v_data = uniform(type, keys, size, 3);
  const runtime::Tensor q = kb.tensor(queries, size, type, by_rows, q_data);
  const runtime::Tensor k = kb.tensor(keys, size, type, of_keys, k_data);
  const runtime::Tensor v = kb.tensor(keys, size, type, of_keys, v_data);
  const runtime::Tensor out = kb.tensor(queries, size, type, by_rows);
  const Attention attention{q->view(), k->view(), v->view(), out->view(),
                            tiles,     block_q,   block_k,   causal};
  const std::vector<SplitBlock> shared =
      even ? tiles.split_blocks(programs) : std::vector<SplitBlock>{};
  std::vector<runtime::Tensor> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, shared.size()); ++i) {
    parts.push_back(kb.tensor(programs * block_q, size, DataType::F32, by_rows));
    parts.push_back(kb.tensor(programs * block_q, 1, DataType::F32, by_rows));
  }
  const auto parts_of = [&](std::size_t i) {
    return parts.empty() ? Parts{out->view(), out->view()}
                         : Parts{parts.at(2 * i % parts.size())->view(),
                                 parts.at((2 * i + 1) % parts.size())->view()};
  };

  kb.measure("attention", [&] {
    if (!even || queries == 0) return kb.launch("attention", OwnRows{attention});
    const EvenTiles kernel{attention, {parts_of(0), parts_of(1)}, shared};
    kb.launch("attention", kernel);
    if (!shared.empty()) kb.launch("merge", Merge{kernel});
  });

  kb.expect("out", kb.read(out), [=] {
    return from_doubles(
        type, reference(to_doubles(q_data()), to_doubles(k_data()), to_doubles(v_data()), causal));
  });
}

std::vector<Mapping> mappings(const ParameterValues& values, const topology::TopologySpec& spec,
                              const runtime::DevicePart& part) {
  const auto number = [&values](const char* name) {
    return common::parse_u64(values.at(name)).value_or(1);
  };
  const std::uint64_t programs = part.all_pes(spec);
  const std::uint64_t blocks = (number("queries") + number("block_q") - 1) / number("block_q");
  const bool causal = values.at("causal") == "yes";
  // With more blocks for each PE, one block more or less hardly counts.
  constexpr std::uint64_t kBlocksOfAPe = 8;
  if (!causal && blocks >= kBlocksOfAPe * programs) return {};
  return split_mappings(values, shares_blocks(blocks, programs, causal) ? "yes" : "no");
}

const Registration kBench{
    {"attention",
     "flash attention of one head, over all PEs",
     {{"queries", "1024", "rows of Q and the output"},
      {"keys", "1024", "rows of K and V"},
      {"size", "64", "head size: columns of Q, K, V and the output"},
      {"type", "f16", "f32, f16 or bf16; sums are f32"},
      {"causal", "no", "yes: a query sees no later key"},
      {"block_q", "64", "queries at a time"},
      {"block_k", "auto", "keys at a time; auto: 128, or fewer for few queries"},
      {"split", "auto",
       "yes: the same number of tiles on each PE, no: its own queries; "
       "auto: what takes less time"}},
     run,
     mappings,
     true}};

}  // namespace
}  // namespace kernbench::model::bench::attention
