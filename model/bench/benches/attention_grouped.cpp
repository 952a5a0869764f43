// SPDX-License-Identifier: Apache-2.0
// Flash attention with grouped queries over a paged key-value cache: the kernels of the transformer
// alone. One query of each sequence is a step of decode, split over keys.

#include <fmt/format.h>

#include <memory>

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/transformer/parallelism.hpp"
#include "model/bench/transformer/reference.hpp"

namespace kernbench::model::bench::attention_grouped {
namespace {

using data::DataType;
using data::MatrixF;
using runtime::HostData;
using runtime::Placement;
using runtime::Tensor;
using transformer::BatchTokens;
using transformer::HeadSplit;
using transformer::KvCache;
using transformer::ModelShape;

/// The queries are those of the last tokens of each sequence.
struct Task {
  ModelShape shape;
  HeadSplit split;
  BatchTokens tokens;

  [[nodiscard]] std::uint64_t context() const { return tokens.cache->tokens(0); }
  /// Returns queries (seed 1), keys (2) or values (3) of all tokens of a sequence.
  [[nodiscard]] data::Array all(std::uint64_t seed, std::uint64_t sequence) const {
    const std::uint64_t heads = seed == 1 ? shape.heads : shape.kv_heads;
    return uniform(shape.type, context(), heads * shape.head_size, seed + 3 * sequence)();
  }
  /// Returns the last rows of each sequence, one sequence after the other.
  template <typename Rows>
  [[nodiscard]] data::Array last_tokens(Rows rows_of) const {
    const auto count = static_cast<Eigen::Index>(tokens.count);
    MatrixF rows(count * static_cast<Eigen::Index>(tokens.sequences),
                 static_cast<Eigen::Index>(shape.heads * shape.head_size));
    for (std::uint64_t i = 0; i < tokens.sequences; ++i) {
      rows.middleRows(static_cast<Eigen::Index>(i) * count, count) = rows_of(i).bottomRows(count);
    }
    return data::Array::from(shape.type, rows);
  }
  /// Returns the pages of keys or values, with the heads of each cube.
  [[nodiscard]] data::Array pages(std::uint64_t seed) const {
    const auto size = static_cast<Eigen::Index>(shape.head_size);
    const std::uint64_t in_cube = split.heads.kv_heads;
    MatrixF rows = MatrixF::Zero(static_cast<Eigen::Index>(tokens.cache->rows()),
                                 static_cast<Eigen::Index>(split.cubes * in_cube) * size);
    for (std::uint64_t sequence = 0; sequence < tokens.sequences; ++sequence) {
      const MatrixF from = all(seed, sequence).to_floats();
      for (std::uint64_t token = 0; token < context(); ++token) {
        const std::uint64_t page = tokens.cache->page_tokens();
        const auto row =
            static_cast<Eigen::Index>(tokens.cache->row_of(sequence, token / page) + token % page);
        for (std::uint64_t head = 0; head < split.cubes * in_cube; ++head) {
          const auto source = static_cast<Eigen::Index>(
              split.kv_head(shape, 0, static_cast<std::uint32_t>(head / in_cube), head % in_cube));
          rows.row(row).segment(static_cast<Eigen::Index>(head) * size, size) =
              from.row(static_cast<Eigen::Index>(token)).segment(source * size, size);
        }
      }
    }
    return data::Array::from(shape.type, rows);
  }
};

Task task_of(const runtime::Context& kb) {
  Task task;
  ModelShape& shape = task.shape;
  shape.heads = kb.number("heads", 1);
  shape.kv_heads = kb.number("kv_heads", 1);
  shape.head_size = kb.number("size", 1);
  shape.type = *data::data_type_of(kb.choice("type", {"f32", "f16", "bf16"}));
  if (shape.heads % shape.kv_heads != 0) {
    throw runtime::BadParameter(
        fmt::format("parameter 'heads' must be a multiple of 'kv_heads', {}, not {}",
                    shape.kv_heads, shape.heads));
  }
  const std::uint64_t context = kb.number("context", 1);
  const std::uint64_t queries = kb.number("queries", 1);
  if (queries > context) {
    throw runtime::BadParameter(
        fmt::format("parameter 'queries' must be at most 'context', {}, not {}", context, queries));
  }
  task.split = transformer::split_heads(shape, 1, kb.cubes());
  task.tokens = {kb.number("sequences", 1), queries};
  auto cache = std::make_shared<KvCache>(std::vector<std::uint64_t>(task.tokens.sequences, context),
                                         kb.number("page", 1), kb.pes());
  for (std::uint64_t i = 0; i < task.tokens.sequences; ++i) cache->append(i, context);
  task.tokens.cache = cache;
  return task;
}

void run(runtime::Context& kb) {
  const Task task = task_of(kb);
  const transformer::CubeHeads& heads = task.split.heads;
  const std::uint32_t cubes = task.split.cubes;
  const DataType type = task.shape.type;
  const runtime::DpPolicy by_heads{Placement::ColumnWise, Placement::RowWise, cubes};
  const std::uint64_t q_columns = task.shape.heads * task.shape.head_size;
  const std::uint64_t kv_columns = cubes * heads.kv_heads * heads.size;
  const auto pages_of = [&](std::uint64_t seed) {
    return kb.tensor(task.tokens.cache->rows(), kv_columns, type, by_heads,
                     [=] { return task.pages(seed); });
  };
  const Tensor q = kb.tensor(task.tokens.rows(), q_columns, type, by_heads, [=] {
    return task.last_tokens([&](std::uint64_t i) { return task.all(1, i).to_floats(); });
  });
  const Tensor y = kb.tensor(task.tokens.rows(), q_columns, type, by_heads);
  const Tensor keys = pages_of(2);
  const Tensor values = pages_of(3);
  const transformer::CachedTensors cached{keys->view(), values->view()};
  if (task.tokens.count > 1) {
    const transformer::PrefillAttention attention{task.tokens, heads,     kb.number("block", 1),
                                                  q->view(),   y->view(), cached};
    kb.measure("attention-grouped", [&] { kb.launch("attention", attention); });
  } else {
    const std::uint64_t rows = kb.pes() * task.tokens.sequences * heads.kv_heads * heads.queries;
    const Tensor parts = kb.tensor(rows, cubes * heads.size, DataType::F32, by_heads);
    const Tensor sizes = kb.tensor(rows, cubes, DataType::F32, by_heads);
    const transformer::DecodeAttention attention{task.tokens,   heads,         q->view(),
                                                 parts->view(), sizes->view(), cached};
    kb.measure("attention-grouped", [&] {
      kb.launch("attention", attention);
      kb.launch("merge", transformer::MergeParts{attention, y->view()});
    });
  }

  kb.expect("y", kb.read(y), [=] {
    return task.last_tokens([&](std::uint64_t i) {
      const auto numbers = [&](std::uint64_t seed) { return to_doubles(task.all(seed, i)); };
      return MatrixF(
          transformer::reference_attention(task.shape, numbers(1), numbers(2), numbers(3))
              .cast<float>());
    });
  });
}

const Registration kBench{
    {"attention-grouped",
     "attention with grouped queries over a paged key-value cache, or its decode split over keys",
     {{"sequences", "2", "sequences of the batch"},
      {"context", "256", "tokens of each sequence in the cache"},
      {"queries", "1", "the last tokens of each sequence, which are queries; 1: a step of decode"},
      {"heads", "16", "heads of queries"},
      {"kv_heads", "4", "heads of keys and values, which divide the heads of queries"},
      {"size", "64", "numbers of a head"},
      {"page", "16", "tokens of a page of the cache"},
      {"block", "64", "queries of a block; not used by decode"},
      {"type", "f16", "f32, f16 or bf16; sums are f32"}},
     run,
     {},
     true}};

}  // namespace
}  // namespace kernbench::model::bench::attention_grouped
