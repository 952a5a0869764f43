// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace kernbench::model::bench::transformer {

using data::DataType;
using runtime::DpPolicy;
using runtime::HostData;
using runtime::Placement;
using runtime::Tensor;

namespace {

/// Tokens of a block of queries of a prefill.
constexpr std::uint64_t kQueryBlock = 64;

/// A copy in each cube, its rows over the PEs.
constexpr DpPolicy kInEachCube{Placement::Replicate, Placement::RowWise};

/// Columns over cubes, rows over the PEs of a cube.
DpPolicy columns_over(std::uint32_t cubes) {
  return {Placement::ColumnWise, Placement::RowWise, cubes};
}

std::string group_name(const RankPlace& place) {
  return fmt::format("tensor-{}-{}", place.copy, place.stage);
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

HostData columns_of(HostData whole, std::uint64_t first, std::uint64_t count) {
  return [=] {
    const data::Array all = whole();
    return all.block(0, first, all.rows(), count);
  };
}

HostData rows_of(HostData whole, std::uint64_t first, std::uint64_t count) {
  return [=] {
    const data::Array all = whole();
    return all.block(first, 0, count, all.columns());
  };
}

}  // namespace

Decoder::Decoder(ccl::Worker& worker, const ModelShape& shape, const Parallelism& parallelism,
                 const DecoderRoom& room, const Routing& routing, std::uint64_t seed)
    : worker_(worker),
      shape_(shape),
      parallelism_(parallelism),
      place_(RankPlace::of(worker.rank(), parallelism)),
      room_(room),
      routing_(routing),
      split_(split_heads(shape, parallelism.tensor, worker.kb().cubes())),
      cache_(room.sequences, room.tokens, room.page_tokens, worker.kb().pes()),
      tensor_group_(worker.in([&]() -> ccl::Group& {
        std::vector<std::uint32_t> ranks(parallelism.tensor);
        std::iota(ranks.begin(), ranks.end(), worker.rank() - place_.tensor);
        return worker.group(group_name(place_), ranks);
      }())) {
  runtime::Context& kb = worker_.kb();
  const Weights weights(shape, seed);
  const std::uint64_t size = shape.head_size;
  const std::uint64_t q_columns = shape.heads / parallelism.tensor * size;
  const std::uint64_t kv_columns = split_.cubes * split_.heads.kv_heads * size;
  const std::uint64_t wide = shape.feed_forward / parallelism.feed_forward();
  const std::uint64_t words = shape.vocabulary / parallelism.tensor;
  const DpPolicy columns{Placement::ColumnWise, Placement::ColumnWise};
  const DpPolicy rows{Placement::RowWise, Placement::ColumnWise};
  const DpPolicy head_columns{Placement::ColumnWise, Placement::ColumnWise, split_.cubes};
  const DpPolicy head_rows{Placement::RowWise, Placement::ColumnWise, split_.cubes};
  const auto keys_of = [&](const HostData& whole) -> HostData {
    return [whole, shape, split = split_, rank = place_.tensor, kv_columns] {
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
  const Share mine = share_of(shape.layers, place_.stage, parallelism.pipeline);
  for (std::uint64_t layer = mine.first; layer < mine.first + mine.count; ++layer) {
    const auto weight = [&](Weight which, std::uint64_t expert = 0) {
      return weights.layer(layer, which, expert);
    };
    const std::uint64_t t = place_.tensor;
    const std::uint64_t part = t % parallelism.feed_forward() * wide;
    const Share held = held_experts();
    std::vector<FeedForward> feed_forwards;
    for (std::uint64_t expert = held.first; expert < held.first + held.count; ++expert) {
      feed_forwards.push_back({kb.tensor(shape.hidden, wide, shape.type, columns,
                                         columns_of(weight(Weight::Gate, expert), part, wide)),
                               kb.tensor(shape.hidden, wide, shape.type, columns,
                                         columns_of(weight(Weight::Up, expert), part, wide)),
                               kb.tensor(wide, shape.hidden, shape.type, rows,
                                         rows_of(weight(Weight::Down, expert), part, wide))});
    }
    Tensor router;
    Tensor drawn;
    if (shape.experts != 0) {
      router =
          kb.tensor(shape.hidden, shape.experts, shape.type, kInEachCube, weight(Weight::Router));
      if (!routing.live) {
        drawn = kb.tensor(room.sequences * room.tokens, shape.experts_used, DataType::I32,
                          kInEachCube, drawn_experts(routing, room, layer));
      }
    }
    layers_.push_back(
        {layer,
         kb.tensor(shape.hidden, q_columns, shape.type, head_columns,
                   columns_of(weight(Weight::Query), t * q_columns, q_columns)),
         kb.tensor(shape.hidden, kv_columns, shape.type, head_columns,
                   keys_of(weight(Weight::Key))),
         kb.tensor(shape.hidden, kv_columns, shape.type, head_columns,
                   keys_of(weight(Weight::Value))),
         kb.tensor(q_columns, shape.hidden, shape.type, head_rows,
                   rows_of(weight(Weight::Output), t * q_columns, q_columns)),
         std::move(router), std::move(drawn), std::move(feed_forwards),
         kb.tensor(cache_.rows(), kv_columns, shape.type, columns_over(split_.cubes)),
         kb.tensor(cache_.rows(), kv_columns, shape.type, columns_over(split_.cubes))});
  }
  if (place_.stage == 0) {
    embedding_ = kb.tensor(shape.vocabulary, shape.hidden, shape.type,
                           {Placement::RowWise, Placement::RowWise}, weights.embedding());
  }
  if (is_last_stage()) {
    output_ = kb.tensor(shape.hidden, words, shape.type, columns,
                        columns_of(weights.output(), place_.tensor * words, words));
  }
  cosines_ = kb.tensor(room.tokens, size / 2, DataType::F32, kInEachCube,
                       angles(shape, room.tokens, std::cos));
  sines_ = kb.tensor(room.tokens, size / 2, DataType::F32, kInEachCube,
                     angles(shape, room.tokens, std::sin));
}

Activations Decoder::activations(std::uint64_t tokens) {
  runtime::Context& kb = worker_.kb();
  const BatchTokens batch{room_.sequences, 0, tokens};
  const std::uint64_t rows = batch.rows();
  const CubeHeads& heads = split_.heads;
  const DpPolicy by_heads = columns_over(split_.cubes);
  const std::uint64_t q_columns = split_.cubes * heads.kv_heads * heads.queries * heads.size;
  const std::uint64_t kv_columns = split_.cubes * heads.kv_heads * heads.size;
  const std::uint64_t wide = shape_.feed_forward / parallelism_.feed_forward();
  // Rows at the experts of the rank, at most.
  const std::uint64_t at_experts = rows * std::min(shape_.experts_used, held_experts().count);
  const DataType type = shape_.type;
  Activations tensors{batch,
                      kb.tensor(rows, shape_.hidden, type, kInEachCube),
                      kb.tensor(rows, shape_.hidden, type, kInEachCube),
                      kb.tensor(rows, q_columns, type, by_heads),
                      kb.tensor(rows, kv_columns, type, by_heads),
                      kb.tensor(rows, kv_columns, type, by_heads),
                      kb.tensor(rows, q_columns, type, by_heads),
                      kb.tensor(shape_.experts == 0 ? rows : at_experts, wide, type,
                                {Placement::ColumnWise, Placement::RowWise}),
                      {},
                      {},
                      {},
                      {},
                      {},
                      {},
                      {},
                      {}};
  if (shape_.experts != 0) {
    const std::uint64_t used = shape_.experts_used;
    if (routing_.live) tensors.chosen = kb.tensor(rows, used, DataType::I32, kInEachCube);
    tensors.factors = kb.tensor(rows, used, DataType::F32, kInEachCube);
    tensors.dispatched = kb.tensor(at_experts, shape_.hidden, type, kInEachCube);
    tensors.dispatched_factors = kb.tensor(at_experts, 1, DataType::F32, kInEachCube);
    tensors.at_experts = kb.tensor(at_experts, shape_.hidden, type, kInEachCube);
  }
  if (tokens == 1) {
    const std::uint64_t parts = kb.pes() * room_.sequences * heads.kv_heads * heads.queries;
    tensors.parts = kb.tensor(parts, split_.cubes * heads.size, DataType::F32, by_heads);
    tensors.sizes = kb.tensor(parts, split_.cubes, DataType::F32, by_heads);
  }
  if (is_last_stage()) {
    tensors.logits = kb.tensor(room_.sequences, shape_.vocabulary / parallelism_.tensor, type,
                               {Placement::ColumnWise, Placement::RowWise});
  }
  return tensors;
}

void Decoder::free(const Activations& tensors) {
  for (const Tensor& one : {tensors.x, tensors.between, tensors.q, tensors.k, tensors.v,
                            tensors.attended, tensors.hidden, tensors.chosen, tensors.factors,
                            tensors.dispatched, tensors.dispatched_factors, tensors.at_experts,
                            tensors.parts, tensors.sizes, tensors.logits}) {
    if (one) worker_.kb().free(one);
  }
}

std::uint32_t Decoder::rank_at(std::uint32_t stage) const {
  return (place_.copy * parallelism_.pipeline + stage) * parallelism_.tensor + place_.tensor;
}

void Decoder::forward(const Activations& tensors,
                      const std::shared_ptr<const std::vector<std::uint64_t>>& words) {
  BatchTokens tokens = tensors.tokens;
  tokens.first = cache_.tokens(0);
  for (std::uint64_t sequence = 0; sequence < tokens.sequences; ++sequence) {
    cache_.append(sequence, tokens.count);
  }
  const auto cache = std::make_shared<const KvCache>(cache_);
  if (place_.stage == 0) {
    worker_.kb().launch("embedding", Embedding{embedding_->view(), tensors.x->view(), words});
  } else {
    worker_.receive(tensors.x, rank_at(place_.stage - 1));
  }
  for (const Layer& layer : layers_) run_layer(layer, tensors, tokens, cache);
  if (!is_last_stage()) {
    worker_.send(tensors.x, rank_at(place_.stage + 1));
    return;
  }
  worker_.kb().launch("logits", Linear{tensors.x->view(),
                                       {tokens.count - 1, tokens.count, tokens.sequences},
                                       shape_.norm_epsilon,
                                       {{output_->view(), tensors.logits->view()}}});
}

void Decoder::run_layer(const Layer& layer, const Activations& tensors, const BatchTokens& tokens,
                        const std::shared_ptr<const KvCache>& cache) {
  runtime::Context& kb = worker_.kb();
  const RowSelection rows{0, 1, tokens.rows()};
  const CachedTensors cached{layer.keys->view(), layer.values->view(), cache};
  kb.launch("qkv", Linear{tensors.x->view(),
                          rows,
                          shape_.norm_epsilon,
                          {{layer.query->view(), tensors.q->view()},
                           {layer.key->view(), tensors.k->view()},
                           {layer.value->view(), tensors.v->view()}}});
  kb.launch("rotate", RotateAndCache{tokens, split_.heads, tensors.q->view(), tensors.k->view(),
                                     tensors.v->view(), cosines_->view(), sines_->view(), cached});
  if (tokens.count > 1) {
    kb.launch("attention", PrefillAttention{tokens, split_.heads, kQueryBlock, tensors.q->view(),
                                            tensors.attended->view(), cached});
  } else {
    const DecodeAttention attention{
        tokens, split_.heads, tensors.q->view(), tensors.parts->view(), tensors.sizes->view(),
        cached};
    kb.launch("attention", attention);
    kb.launch("merge", MergeParts{attention, tensors.attended->view()});
  }
  // One cube of one rank adds what was there before.
  const auto residual = [&](const Tensor& before) {
    return place_.tensor == 0 ? std::optional(before->view()) : std::nullopt;
  };
  kb.launch("output", Linear{tensors.attended->view(),
                             rows,
                             {},
                             {{layer.output->view(), tensors.between->view()}},
                             residual(tensors.x)});
  tensor_group_.all_reduce(tensors.between);
  if (shape_.experts != 0) {
    run_experts(layer, tensors, tokens, residual(tensors.between));
  } else {
    const FeedForward& weights = layer.feed_forwards.front();
    kb.launch("gate-up",
              GatedLinear{tensors.between->view(), rows, shape_.norm_epsilon, weights.gate->view(),
                          weights.up->view(), tensors.hidden->view()});
    kb.launch("down", Linear{tensors.hidden->view(),
                             rows,
                             {},
                             {{weights.down->view(), tensors.x->view()}},
                             residual(tensors.between)});
  }
  tensor_group_.all_reduce(tensors.x);
}

void Decoder::run_experts(const Layer& layer, const Activations& tensors, const BatchTokens& tokens,
                          const std::optional<runtime::TensorView>& residual) {
  runtime::Context& kb = worker_.kb();
  const auto view_of = [](const Tensor& tensor) {
    return tensor ? std::optional(tensor->view()) : std::nullopt;
  };
  // All ranks of the group choose the same experts: an all-reduce leaves the same bits in each.
  const Routes routes{tokens,         layer.number,    routing_.first_sequence,
                      held_experts(), routing_.choice, view_of(tensors.chosen)};
  std::vector<GatedExperts::Weights> gated;
  std::vector<runtime::TensorView> down;
  for (const FeedForward& expert : layer.feed_forwards) {
    gated.push_back({expert.gate->view(), expert.up->view()});
    down.push_back(expert.down->view());
  }
  kb.launch("router", Router{tensors.between->view(), shape_.norm_epsilon, layer.router->view(),
                             routes, view_of(layer.drawn), tensors.factors->view()});
  kb.launch("dispatch", Dispatch{routes, tensors.between->view(), tensors.factors->view(),
                                 tensors.dispatched->view(), tensors.dispatched_factors->view()});
  kb.launch("gate-up", GatedExperts{routes, tensors.dispatched->view(), shape_.norm_epsilon,
                                    std::move(gated), tensors.hidden->view()});
  kb.launch("down", LinearExperts{routes, tensors.hidden->view(), std::move(down),
                                  tensors.dispatched_factors->view(), tensors.at_experts->view()});
  kb.launch("combine", Combine{routes, tensors.hidden->view(), tensors.at_experts->view(),
                               tensors.x->view(), residual});
}

Share Decoder::held_experts() const {
  if (shape_.experts == 0) return {0, 1};
  const std::uint32_t part = place_.tensor / parallelism_.feed_forward();
  return share_of(shape_.experts, part, parallelism_.expert);
}

}  // namespace kernbench::model::bench::transformer
