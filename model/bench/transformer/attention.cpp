// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "model/bench/flash_attention.hpp"
#include "model/bench/transformer/kernels.hpp"

namespace kernbench::model::bench::transformer {

using data::DataType;
using kernel::PendingTile;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::TensorView;

namespace {

/// Pages that are loaded before they are needed.
constexpr std::size_t kPagesAhead = 2;

/// The keys and values of a page that a head sees.
struct SeenPage {
  TensorRef keys;
  TensorRef values;
  std::uint64_t first = 0;  ///< position of the first key
};

/// Returns the pages of a sequence with the keys of positions below `end`, for a head of keys.
std::vector<SeenPage> pages_of(const CachedTensors& cache, const KvCache& table,
                               const CubeHeads& heads, std::uint64_t cube, std::uint64_t sequence,
                               std::uint64_t head, std::uint64_t end) {
  const std::uint64_t tokens = table.page_tokens();
  std::vector<SeenPage> pages;
  for (std::uint64_t page = 0; page * tokens < end; ++page) {
    const std::uint64_t row = table.row_of(sequence, page);
    const std::uint64_t count = std::min(tokens, end - page * tokens);
    const auto part = [&](const TensorView& tensor) {
      return tensor.in_cube(cube).block(row, head * heads.size, count, heads.size);
    };
    pages.push_back({part(cache.keys), part(cache.values), page * tokens});
  }
  return pages;
}

/// Computes the attention of heads that share keys: `queries` has a tile for each head, whose rows
/// are tokens from position `first` on, or one tile of heads without `first`, which see all keys.
std::vector<AttentionPart> attend(Tl& tl, const std::vector<Tile>& queries,
                                  const std::vector<SeenPage>& pages,
                                  std::optional<std::uint64_t> first) {
  struct Fetched {
    PendingTile keys;
    PendingTile values;
  };
  const double scale = 1.0 / std::sqrt(static_cast<double>(queries.front().columns()));
  std::vector<RunningAttention> attentions(queries.size());
  std::deque<Fetched> fetched;
  std::size_t next = 0;
  const auto fetch = [&] {
    if (next == pages.size()) return;
    fetched.push_back({tl.iload(pages[next].keys), tl.iload(pages[next].values)});
    ++next;
  };
  for (std::size_t i = 0; i < kPagesAhead; ++i) fetch();
  for (const SeenPage& page : pages) {
    fetch();
    const Tile keys = tl.wait(fetched.front().keys);
    const Tile values = tl.wait(fetched.front().values);
    fetched.pop_front();
    std::optional<Tile> visible;
    if (first && page.first + keys.rows() > *first + 1) {
      visible = visible_keys(tl, queries.front().rows(), *first, keys.rows(), page.first);
    }
    for (std::size_t head = 0; head < queries.size(); ++head) {
      Tile scores = tl.dot(queries[head], Tl::trans(keys)) * scale;
      if (visible) scores = tl.where(*visible, scores, kMaskedScore);
      const Tile weights = attentions[head].weigh(tl, scores);
      attentions[head].add(tl, weights, values);
    }
  }
  std::vector<AttentionPart> parts;
  parts.reserve(attentions.size());
  for (const RunningAttention& attention : attentions) parts.push_back(attention.result(tl));
  return parts;
}

/// Rotates the pairs of one head; `x` names its rows.
void rotate(Tl& tl, const TensorRef& x, const TensorRef& to, const Tile& cosines,
            const Tile& sines) {
  const std::uint64_t half = x.columns / 2;
  const PendingTile loading_left = tl.iload(x.block(0, 0, x.rows, half));
  const PendingTile loading_right = tl.iload(x.block(0, half, x.rows, half));
  const Tile left = tl.cast(tl.wait(loading_left), DataType::F32);
  const Tile right = tl.cast(tl.wait(loading_right), DataType::F32);
  // One product a statement: the order in which operands are computed would be the compiler's.
  const Tile left_cosines = left * cosines;
  const Tile right_sines = right * sines;
  const auto stored =
      tl.istore(to.block(0, 0, x.rows, half), tl.cast(left_cosines - right_sines, x.type));
  const Tile right_cosines = right * cosines;
  const Tile left_sines = left * sines;
  tl.store(to.block(0, half, x.rows, half), tl.cast(right_cosines + left_sines, x.type));
  tl.wait(stored);
}

}  // namespace

void RotateAndCache::operator()(Tl& tl) const {
  const std::uint64_t cube = tl.program_id(1);
  if (cube >= q.layout().cubes()) return;
  const std::uint64_t pages = tokens.cache->page_tokens();
  const TensorRef q_rows = q.in_cube(cube);
  const TensorRef k_rows = k.in_cube(cube);
  const TensorRef v_rows = v.in_cube(cube);
  // Rows of one sequence in one page at a time, dealt out to the PEs.
  std::uint64_t turn = 0;
  for (std::uint64_t sequence = 0; sequence < tokens.sequences; ++sequence) {
    std::uint64_t count = 0;
    for (std::uint64_t at = 0; at < tokens.count; at += count, ++turn) {
      const std::uint64_t position = tokens.first(sequence) + at;
      count = std::min(tokens.count - at, pages - position % pages);
      if (turn % tl.num_programs(0) != tl.program_id(0)) continue;
      const std::uint64_t row = sequence * tokens.count + at;
      const Tile cos = tl.load(cosines.in_cube(cube).block(position, 0, count, heads.size / 2));
      const Tile sin = tl.load(sines.in_cube(cube).block(position, 0, count, heads.size / 2));
      const auto head_of = [&](const TensorRef& rows, std::uint64_t first, std::uint64_t head) {
        return rows.block(first, head * heads.size, count, heads.size);
      };
      for (std::uint64_t head = 0; head < heads.kv_heads * heads.queries; ++head) {
        rotate(tl, head_of(q_rows, row, head), head_of(q_rows, row, head), cos, sin);
      }
      const std::uint64_t cached =
          tokens.cache->row_of(tokens.first_sequence + sequence, position / pages) +
          position % pages;
      for (std::uint64_t head = 0; head < heads.kv_heads; ++head) {
        rotate(tl, head_of(k_rows, row, head), head_of(cache.keys.in_cube(cube), cached, head), cos,
               sin);
      }
      const std::uint64_t width = heads.kv_heads * heads.size;
      tl.store(cache.values.in_cube(cube).block(cached, 0, count, width),
               tl.load(v_rows.block(row, 0, count, width)));
    }
  }
}

void PrefillAttention::operator()(Tl& tl) const {
  const std::uint64_t cube = tl.program_id(1);
  if (cube >= q.layout().cubes()) return;
  struct Item {
    std::uint64_t sequence = 0;
    std::uint64_t head = 0;
    std::uint64_t first = 0;  ///< first of its tokens among those of the sequence
  };
  std::vector<Item> items;
  for (std::uint64_t first = 0; first < tokens.count; first += block) {
    for (std::uint64_t sequence = 0; sequence < tokens.sequences; ++sequence) {
      for (std::uint64_t head = 0; head < heads.kv_heads; ++head) {
        items.push_back({sequence, head, first});
      }
    }
  }
  // Later blocks see more keys. Dealing there and back gives each PE as many short as long ones.
  const std::uint64_t pes = tl.num_programs(0);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::uint64_t place = i % (2 * pes);
    if (std::min(place, 2 * pes - 1 - place) != tl.program_id(0)) continue;
    const Item& item = items[i];
    const std::uint64_t count = std::min(block, tokens.count - item.first);
    const std::uint64_t row = item.sequence * tokens.count + item.first;
    const auto block_of = [&](const TensorView& tensor, std::uint64_t head) {
      return tensor.in_cube(cube).block(row, (item.head * heads.queries + head) * heads.size, count,
                                        heads.size);
    };
    std::vector<PendingTile> loading;
    std::vector<Tile> queries;
    queries.reserve(heads.queries);
    for (std::uint64_t head = 0; head < heads.queries; ++head) {
      loading.push_back(tl.iload(block_of(q, head)));
    }
    for (const PendingTile& tile : loading) queries.push_back(tl.wait(tile));
    const std::uint64_t first = tokens.first(item.sequence) + item.first;
    const std::vector<AttentionPart> parts =
        attend(tl, queries,
               pages_of(cache, *tokens.cache, heads, cube, tokens.first_sequence + item.sequence,
                        item.head, first + count),
               first);
    for (std::uint64_t head = 0; head < heads.queries; ++head) {
      tl.store(block_of(y, head), tl.cast(parts[head].out, y.type()));
    }
  }
}

void DecodeAttention::operator()(Tl& tl) const {
  const std::uint64_t cube = tl.program_id(1);
  if (cube >= q.layout().cubes()) return;
  const std::uint64_t me = tl.program_id(0);
  for (std::uint64_t sequence = 0; sequence < tokens.sequences; ++sequence) {
    const std::uint64_t cached = tokens.first_sequence + sequence;
    for (std::uint64_t head = 0; head < heads.kv_heads; ++head) {
      std::vector<SeenPage> mine;
      const std::vector<SeenPage> all =
          pages_of(cache, *tokens.cache, heads, cube, cached, head, tokens.first(sequence) + 1);
      for (std::uint64_t page = 0; page < all.size(); ++page) {
        if (tokens.cache->pe_of(cached, page) == me) mine.push_back(all[page]);
      }
      if (mine.empty()) continue;
      // The heads of a token are consecutive: its row is a matrix with a row for each head.
      TensorRef some = q.in_cube(cube).block(sequence, head * heads.queries * heads.size, 1,
                                             heads.queries * heads.size);
      some.rows = heads.queries;
      some.columns = some.row_stride = heads.size;
      const AttentionPart part = attend(tl, {tl.load(some)}, mine, {}).front();
      const std::uint64_t at = row_of_part(me, sequence * heads.kv_heads + head);
      const auto stored =
          tl.istore(parts.in_cube(cube).block(at, 0, heads.queries, heads.size), part.out);
      tl.store(sizes.in_cube(cube).block(at, 0, heads.queries, 1), part.size);
      tl.wait(stored);
    }
  }
}

void MergeParts::operator()(Tl& tl) const {
  const DecodeAttention& from = attention;
  const CubeHeads& heads = from.heads;
  const std::uint64_t cube = tl.program_id(1);
  if (cube >= from.q.layout().cubes()) return;
  const std::uint64_t pes = tl.num_programs(0);
  for (std::uint64_t item = tl.program_id(0); item < from.tokens.sequences * heads.kv_heads;
       item += pes) {
    const std::uint64_t sequence = item / heads.kv_heads;
    const std::uint64_t cached = from.tokens.first_sequence + sequence;
    const std::uint64_t head = item % heads.kv_heads;
    const KvCache& table = *from.tokens.cache;
    const std::uint64_t pages = from.tokens.first(sequence) / table.page_tokens() + 1;
    std::vector<PendingTile> outs;
    std::vector<PendingTile> logs;
    for (std::uint64_t page = 0; page < std::min(pages, pes); ++page) {
      const std::uint64_t at = from.row_of_part(table.pe_of(cached, page), item);
      outs.push_back(tl.iload(from.parts.in_cube(cube).block(at, 0, heads.queries, heads.size)));
      logs.push_back(tl.iload(from.sizes.in_cube(cube).block(at, 0, heads.queries, 1)));
    }
    std::vector<Tile> sizes;
    sizes.reserve(logs.size());
    for (const PendingTile& tile : logs) sizes.push_back(tl.wait(tile));
    Tile highest = sizes.front();
    for (std::size_t i = 1; i < sizes.size(); ++i) highest = tl.maximum(highest, sizes[i]);
    std::optional<Tile> sum;
    std::optional<Tile> result;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Tile weight = tl.exp(sizes[i] - highest);
      const Tile rows = tl.wait(outs[i]) * weight;
      sum = sum ? *sum + weight : weight;
      result = result ? *result + rows : rows;
    }
    TensorRef to = y.in_cube(cube).block(sequence, head * heads.queries * heads.size, 1,
                                         heads.queries * heads.size);
    to.rows = heads.queries;
    to.columns = to.row_stride = heads.size;
    tl.store(to, tl.cast(*result / *sum, y.type()));
  }
}

}  // namespace kernbench::model::bench::transformer
