// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/bench/transformer/kv_cache.hpp"
#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::bench::transformer {

// The kernels of a decoder layer. Activations have a row for each token. They are replicated over
// the cubes or have some of their columns in each cube, and the rows of a cube's part are spread
// over its PEs. The columns of a weight that belong to a cube are spread over its PEs, too, so a PE
// reads its columns from its own slice when it computes these for all rows (few rows), and the
// columns of all PEs in turn when it computes some rows (many rows).

/// With this many rows for each PE the PEs share rows, else columns: a tile of fewer rows leaves
/// the matrix engine waiting for weights.
inline constexpr std::uint64_t kRowsOfAPe = 16;

/// A copy between two places in memory.
struct MemoryCopy {
  kernel::TensorRef from;
  kernel::TensorRef to;
};
/// Makes copies through the TCM, some of them at a time.
void copy_all(kernel::Tl& tl, const std::vector<MemoryCopy>& copies);

/// y = rows of an embedding, by the numbers of `tokens`.
struct Embedding {
  runtime::TensorView table;
  runtime::TensorView y;
  std::shared_ptr<const std::vector<std::uint64_t>> tokens;

  void operator()(kernel::Tl& tl) const;
};

/// Some rows of an activation, one every `stride` rows.
struct RowSelection {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
};

/// The room of a kernel for tiles in the TCM of a PE.
struct TileBudget {
  std::uint64_t elements = 65536;  ///< size of a tile of a result or of an operand of an epilogue
  std::uint64_t resident_bytes = 1U << 20U;  ///< rows of x that stay while weights pass by

  /// Returns the room beside another kernel on the PE.
  [[nodiscard]] TileBudget shared() const { return {elements / 2, resident_bytes / 2}; }
};

/// y = x W for some W, after an RMSNorm of x if `norm_epsilon` is set. The gain of the norm is part
/// of W. W has the columns of y in each cube (columns over cubes), or the rows for the columns of x
/// in each cube; then each y is a sum over cubes that is still to be reduced, to which one cube
/// adds `residual`.
struct Linear {
  struct Product {
    runtime::TensorView weight;
    runtime::TensorView y;
  };
  runtime::TensorView x;
  RowSelection rows;
  std::optional<double> norm_epsilon{};
  std::vector<Product> products;
  std::optional<runtime::TensorView> residual{};
  std::uint64_t first_row = 0;  ///< row of y for the first row of x
  bool alone = false;           ///< the calling PE computes all rows; else the PEs of a cube do
  TileBudget budget{};

  void operator()(kernel::Tl& tl) const;
};

/// y = silu(norm(x) G) * (norm(x) U), element by element; x itself without `norm_epsilon`.
struct GatedLinear {
  runtime::TensorView x;
  RowSelection rows;
  std::optional<double> norm_epsilon;
  runtime::TensorView gate;
  runtime::TensorView up;
  runtime::TensorView y;
  std::uint64_t first_row = 0;  ///< row of y for the first row of x
  bool alone = false;           ///< the calling PE computes all rows; else the PEs of a cube do
  TileBudget budget{};

  void operator()(kernel::Tl& tl) const;
};

/// y = norm(x), without a gain, for rows that are spread alike.
struct Norm {
  runtime::TensorView x;
  double epsilon = 0.0;
  runtime::TensorView y;

  void operator()(kernel::Tl& tl) const;
};

/// y += x, for rows that are spread alike.
struct Residual {
  runtime::TensorView x;
  runtime::TensorView y;

  void operator()(kernel::Tl& tl) const;
};

/// The heads that a cube computes. Its columns of queries are `kv_heads` groups of `queries` heads
/// of `size` numbers; its columns of keys and values are `kv_heads` heads.
struct CubeHeads {
  std::uint64_t kv_heads = 0;
  std::uint64_t queries = 0;
  std::uint64_t size = 0;
};

/// The last tokens of some sequences of a batch: rows `sequence * count` to
/// `sequence * count + count - 1` are those of a sequence.
struct BatchTokens {
  std::uint64_t sequences = 0;
  std::uint64_t count = 0;
  std::uint64_t first_sequence = 0;  ///< number of the first sequence in the cache
  std::shared_ptr<const KvCache> cache{};

  [[nodiscard]] std::uint64_t rows() const { return sequences * count; }
  /// Returns the position of the first of the tokens of a sequence, counted from first_sequence.
  [[nodiscard]] std::uint64_t first(std::uint64_t sequence) const {
    return cache->tokens(first_sequence + sequence) - count;
  }
};

/// The keys and values of a layer.
struct CachedTensors {
  runtime::TensorView keys;
  runtime::TensorView values;
};

/// Rotates queries, in place, and keys by their position (J. Su et al., *RoFormer*, 2021; the two
/// halves of a head are the pairs, as in LLaMA's published weights for Transformers), and moves
/// keys and values into the cache. `cosines` and `sines` have a row for each position.
struct RotateAndCache {
  BatchTokens tokens;
  CubeHeads heads;
  runtime::TensorView q;
  runtime::TensorView k;
  runtime::TensorView v;
  runtime::TensorView cosines;
  runtime::TensorView sines;
  CachedTensors cache;

  void operator()(kernel::Tl& tl) const;
};

/// y = causal attention of many queries, which are dealt out to the PEs by blocks of `block` tokens
/// and heads of keys.
struct PrefillAttention {
  BatchTokens tokens;
  CubeHeads heads;
  std::uint64_t block = 0;
  runtime::TensorView q;
  runtime::TensorView y;
  CachedTensors cache;

  void operator()(kernel::Tl& tl) const;
};

/// Attention of one query a sequence. Each PE computes the keys in its own slice and leaves its
/// part of the output and the logarithm of its sum in `parts` and `sizes`, in its own slice too.
struct DecodeAttention {
  BatchTokens tokens;  ///< one token a sequence
  CubeHeads heads;
  runtime::TensorView q;
  runtime::TensorView parts;
  runtime::TensorView sizes;
  CachedTensors cache;

  /// Returns the first row of a PE's part of item sequence * kv_heads + head of keys.
  [[nodiscard]] std::uint64_t row_of_part(std::uint64_t pe, std::uint64_t item) const {
    return (pe * tokens.sequences * heads.kv_heads + item) * heads.queries;
  }
  void operator()(kernel::Tl& tl) const;
};

/// y = the parts of DecodeAttention merged.
struct MergeParts {
  DecodeAttention attention;
  runtime::TensorView y;

  void operator()(kernel::Tl& tl) const;
};

}  // namespace kernbench::model::bench::transformer
