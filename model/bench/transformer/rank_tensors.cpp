// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/rank_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kernbench::model::bench::transformer {

using data::DataType;
using runtime::DpPolicy;
using runtime::HostData;
using runtime::Placement;
using runtime::Tensor;

namespace {

/// A copy in each cube, its rows over the PEs.
constexpr DpPolicy kInEachCube{Placement::Replicate, Placement::RowWise};

/// Columns over cubes, rows over the PEs of a cube.
DpPolicy columns_over(std::uint32_t cubes) {
  return {Placement::ColumnWise, Placement::RowWise, cubes};
}

/// Returns a table of `function` (cos or sin) of position x theta^(-2i/size).
HostData angles(const ModelShape& shape, std::uint64_t positions, double (*function)(double)) {
  return [=] {
    const std::uint64_t half = shape.head_size / 2;
    data::MatrixF values(static_cast<Eigen::Index>(positions), static_cast<Eigen::Index>(half));
    for (Eigen::Index row = 0; row < values.rows(); ++row) {
      for (Eigen::Index i = 0; i < values.cols(); ++i) {
        const double power = -static_cast<double>(i) / static_cast<double>(half);
        values(row, i) = static_cast<float>(
            function(static_cast<double>(row) * std::pow(shape.rope_theta, power)));
      }
    }
    return data::Array::from(DataType::F32, values);
  };
}

/// Returns the experts of all tokens that a decoder has room for, in a layer: a row for each.
HostData drawn_experts(const Routing& routing, const DecoderRoom& room, std::uint64_t layer) {
  return [=] {
    const ExpertChoice& choice = *routing.choice;
    data::MatrixI numbers(static_cast<Eigen::Index>(room.sequences * room.tokens),
                          static_cast<Eigen::Index>(choice.used()));
    for (std::uint64_t row = 0; row < room.sequences * room.tokens; ++row) {
      const auto experts =
          choice.of(layer, routing.first_sequence + row / room.tokens, row % room.tokens);
      for (std::size_t place = 0; place < experts.size(); ++place) {
        numbers(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(place)) =
            static_cast<std::int32_t>(experts[place]);
      }
    }
    return data::Array::from(DataType::I32, numbers);
  };
}

HostData columns_of(const HostData& whole, std::uint64_t first, std::uint64_t count) {
  return [=] {
    const data::Array all = whole();
    return all.block(0, first, all.rows(), count);
  };
}

HostData rows_of(const HostData& whole, std::uint64_t first, std::uint64_t count) {
  return [=] {
    const data::Array all = whole();
    return all.block(first, 0, count, all.columns());
  };
}

}  // namespace

KvCache DecoderRoom::make_cache(std::uint32_t pes) const {
  std::vector<std::uint64_t> capacities(sequences, tokens);
  if (!cached.empty() && !equal) {
    const std::uint64_t most = *std::max_element(cached.begin(), cached.end());
    for (std::uint64_t i = 0; i < sequences; ++i) capacities[i] -= most - cached[i];
  }
  return {std::move(capacities), page_tokens, pes};
}

RankModel::RankModel(const ModelShape& of, const Parallelism& spread, std::uint32_t rank,
                     const DecoderRoom& with_room, Routing routed, std::uint32_t of_cubes,
                     std::uint32_t of_pes)
    : shape(of),
      parallelism(spread),
      place(RankPlace::of(rank, spread)),
      room(with_room),
      routing(std::move(routed)),
      cubes(of_cubes),
      pes(of_pes),
      split(split_heads(of, spread.tensor, of_cubes)) {}

Share RankModel::held_experts() const {
  if (shape.experts == 0) return {0, 1};
  const std::uint32_t part = place.tensor / parallelism.feed_forward();
  return share_of(shape.experts, part, parallelism.expert);
}

ModelTensors make_model(const RankModel& model, const TensorMaker& make, std::uint64_t seed) {
  ModelTensors tensors;
  const ModelShape& shape = model.shape;
  const Parallelism& parallelism = model.parallelism;
  const DecoderRoom& room = model.room;
  const Routing& routing = model.routing;
  const std::uint64_t cache_rows = room.make_cache(model.pes).rows();
  const Weights weights(shape, seed);
  const std::uint64_t size = shape.head_size;
  const std::uint64_t q_columns = shape.heads / parallelism.tensor * size;
  const std::uint64_t kv_columns = model.split.cubes * model.split.heads.kv_heads * size;
  const std::uint64_t wide = shape.feed_forward / parallelism.feed_forward();
  const std::uint64_t words = shape.vocabulary / parallelism.tensor;
  const DpPolicy columns{Placement::ColumnWise, Placement::ColumnWise};
  const DpPolicy rows{Placement::RowWise, Placement::ColumnWise};
  const DpPolicy head_columns{Placement::ColumnWise, Placement::ColumnWise, model.split.cubes};
  const DpPolicy head_rows{Placement::RowWise, Placement::ColumnWise, model.split.cubes};
  const auto keys_of = [&](const HostData& whole) -> HostData {
    return [whole, shape, split = model.split, rank = model.place.tensor, kv_columns] {
      const data::MatrixF all = whole().to_floats();
      const auto head_size = static_cast<Eigen::Index>(shape.head_size);
      data::MatrixF part(all.rows(), static_cast<Eigen::Index>(kv_columns));
      for (std::uint32_t cube = 0; cube < split.cubes; ++cube) {
        for (std::uint64_t head = 0; head < split.heads.kv_heads; ++head) {
          const auto to = static_cast<Eigen::Index>(cube * split.heads.kv_heads + head);
          const auto from = static_cast<Eigen::Index>(split.kv_head(shape, rank, cube, head));
          part.middleCols(to * head_size, head_size) = all.middleCols(from * head_size, head_size);
        }
      }
      return data::Array::from(shape.type, part);
    };
  };
  const Share mine = share_of(shape.layers, model.place.stage, parallelism.pipeline);
  for (std::uint64_t layer = mine.first; layer < mine.first + mine.count; ++layer) {
    const auto weight = [&](Weight which, std::uint64_t expert = 0) {
      return weights.layer(layer, which, expert);
    };
    const std::uint64_t t = model.place.tensor;
    const std::uint64_t part = t % parallelism.feed_forward() * wide;
    const Share held = model.held_experts();
    std::vector<FeedForwardTensors> feed_forwards;
    for (std::uint64_t expert = held.first; expert < held.first + held.count; ++expert) {
      feed_forwards.push_back({make(shape.hidden, wide, shape.type, columns,
                                    columns_of(weight(Weight::Gate, expert), part, wide)),
                               make(shape.hidden, wide, shape.type, columns,
                                    columns_of(weight(Weight::Up, expert), part, wide)),
                               make(wide, shape.hidden, shape.type, rows,
                                    rows_of(weight(Weight::Down, expert), part, wide))});
    }
    Tensor router;
    Tensor drawn;
    if (shape.experts != 0) {
      router = make(shape.hidden, shape.experts, shape.type, kInEachCube, weight(Weight::Router));
      if (!routing.live) {
        drawn = make(room.sequences * room.tokens, shape.experts_used, DataType::I32, kInEachCube,
                     drawn_experts(routing, room, layer));
      }
    }
    tensors.layers.push_back(
        {layer,
         make(shape.hidden, q_columns, shape.type, head_columns,
              columns_of(weight(Weight::Query), t * q_columns, q_columns)),
         make(shape.hidden, kv_columns, shape.type, head_columns, keys_of(weight(Weight::Key))),
         make(shape.hidden, kv_columns, shape.type, head_columns, keys_of(weight(Weight::Value))),
         make(q_columns, shape.hidden, shape.type, head_rows,
              rows_of(weight(Weight::Output), t * q_columns, q_columns)),
         std::move(router), std::move(drawn), std::move(feed_forwards),
         make(cache_rows, kv_columns, shape.type, columns_over(model.split.cubes), {}),
         make(cache_rows, kv_columns, shape.type, columns_over(model.split.cubes), {})});
  }
  if (model.place.stage == 0) {
    tensors.embedding = make(shape.vocabulary, shape.hidden, shape.type,
                             {Placement::RowWise, Placement::RowWise}, weights.embedding());
  }
  if (model.is_last_stage()) {
    tensors.output = make(shape.hidden, words, shape.type, columns,
                          columns_of(weights.output(), model.place.tensor * words, words));
  }
  tensors.cosines =
      make(room.tokens, size / 2, DataType::F32, kInEachCube, angles(shape, room.tokens, std::cos));
  tensors.sines =
      make(room.tokens, size / 2, DataType::F32, kInEachCube, angles(shape, room.tokens, std::sin));
  return tensors;
}

Activations make_activations(const RankModel& model, const TensorMaker& make,
                             std::uint64_t tokens) {
  Activations tensors;
  const auto space = [&](std::uint64_t rows, std::uint64_t columns, DataType type,
                         const DpPolicy& policy) {
    tensors.all.push_back(make(rows, columns, type, policy, {}));
    return tensors.all.back();
  };
  const ModelShape& shape = model.shape;
  const DecoderRoom& room = model.room;
  const BatchTokens batch{room.sequences / room.parts, tokens};
  const std::uint64_t rows = batch.rows();
  const CubeHeads& heads = model.split.heads;
  const DpPolicy by_heads = columns_over(model.split.cubes);
  const std::uint64_t q_columns = model.split.cubes * heads.kv_heads * heads.queries * heads.size;
  const std::uint64_t kv_columns = model.split.cubes * heads.kv_heads * heads.size;
  const std::uint64_t wide = shape.feed_forward / model.parallelism.feed_forward();
  // Rows at the experts of the rank, at most.
  const std::uint64_t at_experts = rows * std::min(shape.experts_used, model.held_experts().count);
  const DataType type = shape.type;
  tensors.tokens = batch;
  tensors.x = space(rows, shape.hidden, type, kInEachCube);
  tensors.between = space(rows, shape.hidden, type, kInEachCube);
  tensors.q = space(rows, q_columns, type, by_heads);
  tensors.k = space(rows, kv_columns, type, by_heads);
  tensors.v = space(rows, kv_columns, type, by_heads);
  tensors.attended = space(rows, q_columns, type, by_heads);
  tensors.hidden = space(shape.experts == 0 ? rows : at_experts, wide, type,
                         {Placement::ColumnWise, Placement::RowWise});
  if (shape.experts != 0) {
    const std::uint64_t used = shape.experts_used;
    if (model.routing.live) tensors.chosen = space(rows, used, DataType::I32, kInEachCube);
    tensors.factors = space(rows, used, type, kInEachCube);
    tensors.dispatched = space(at_experts, shape.hidden, type, kInEachCube);
    tensors.at_experts = space(at_experts, shape.hidden, type, kInEachCube);
  }
  if (model.parallelism.shares_rows(tokens)) {
    const std::uint64_t own = rows / model.parallelism.tensor;
    tensors.x_rows = space(own, shape.hidden, type, kInEachCube);
    tensors.between_rows = space(own, shape.hidden, type, kInEachCube);
    tensors.normed_rows = space(own, shape.hidden, type, kInEachCube);
    tensors.normed = space(rows, shape.hidden, type, kInEachCube);
  }
  if (tokens == 1) {
    const std::uint64_t parts = model.pes * batch.sequences * heads.kv_heads * heads.queries;
    tensors.parts = space(parts, model.split.cubes * heads.size, DataType::F32, by_heads);
    tensors.sizes = space(parts, model.split.cubes, DataType::F32, by_heads);
  }
  if (model.is_last_stage()) {
    tensors.logits = space(room.sequences, shape.vocabulary / model.parallelism.tensor, type,
                           {Placement::ColumnWise, Placement::RowWise});
  }
  return tensors;
}

Footprint footprint_of(const RankModel& model, std::uint64_t prompt, std::uint64_t steps) {
  std::uint64_t bytes = 0;
  const TensorMaker count = [&](std::uint64_t rows, std::uint64_t columns, DataType type,
                                const DpPolicy& policy, const HostData& /*data*/) {
    const runtime::Layout layout(rows, columns, policy, policy.cubes.value_or(model.cubes),
                                 policy.pes.value_or(model.pes));
    for (std::uint32_t cube = 0; cube < layout.cubes(); ++cube) {
      for (std::uint32_t pe = 0; pe < layout.pes(); ++pe) {
        const runtime::Rectangle part = layout.shard(cube, pe).part;
        bytes += part.rows * part.columns * bytes_of(type);
      }
    }
    return Tensor();
  };
  Footprint footprint;
  (void)make_model(model, count, 0);
  footprint.model = std::exchange(bytes, 0);
  (void)make_activations(model, count, prompt);
  footprint.activations = std::exchange(bytes, 0);
  if (steps != 0) (void)make_activations(model, count, 1);
  footprint.activations = std::max(footprint.activations, bytes) * model.room.parts_at_once();
  return footprint;
}

}  // namespace kernbench::model::bench::transformer
