// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace kernbench::model::bench::transformer {

using runtime::DpPolicy;
using runtime::HostData;
using runtime::Placement;
using runtime::Tensor;

namespace {

/// Tokens of a block of queries of a prefill.
constexpr std::uint64_t kQueryBlock = 64;

std::string group_name(const RankPlace& place) {
  return fmt::format("tensor-{}-{}", place.copy, place.stage);
}

TensorMaker maker(runtime::Context& kb) {
  return
      [&kb](std::uint64_t rows, std::uint64_t columns, data::DataType type, const DpPolicy& policy,
            const HostData& data) { return kb.tensor(rows, columns, type, policy, data); };
}

/// Returns the same memory as a tensor whose columns are spread over PEs: a PE's rows of `tensor`
/// become its columns of as many shorter rows. Collectives then divide the rows of each PE.
Tensor in_columns(const Tensor& tensor) {
  const runtime::Layout& all = tensor->layout;
  const std::uint64_t rows = all.rows() / all.pes();
  DpPolicy policy = all.policy();
  policy.pe = Placement::ColumnWise;
  auto same = std::make_shared<runtime::DeviceTensor>(*tensor);
  same->layout = runtime::Layout(rows, all.columns() * all.pes(), policy, all.cubes(), all.pes());
  for (runtime::DeviceShard& shard : same->shards) {
    shard.part = {0, shard.part.row / rows * all.columns(), rows, all.columns()};
  }
  return same;
}

}  // namespace

Decoder::Decoder(ccl::Worker& worker, const RankModel& model, std::uint64_t seed)
    : worker_(worker),
      model_(model),
      cache_(model.room.make_cache(model.pes)),
      tensor_group_(worker.in([&]() -> ccl::Group& {
        std::vector<std::uint32_t> ranks(model.parallelism.tensor);
        std::iota(ranks.begin(), ranks.end(), worker.rank() - model.place.tensor);
        return worker.group(group_name(model.place), ranks);
      }())),
      tensors_(make_model(model, maker(worker.kb()), seed)) {
  for (std::uint64_t sequence = 0; sequence < model.room.sequences; ++sequence) {
    cache_.append(sequence, model.room.cached[sequence]);
  }
  if (model.room.overlaps) {
    communication_ = worker.kb().add_stream();
    budget_ = budget_.shared();
  }
}

std::vector<Activations> Decoder::activations(std::uint64_t tokens) {
  std::vector<Activations> sets;
  for (std::uint64_t i = 0; i < model_.room.parts_at_once(); ++i) {
    sets.push_back(make_activations(model_, maker(worker_.kb()), tokens));
    sets.back().logits = sets.front().logits;  // has the rows of all parts
  }
  return sets;
}

void Decoder::release(const std::vector<Activations>& tensors) {
  for (const Activations& set : tensors) {
    for (const Tensor& tensor : set.all) worker_.kb().free(tensor);
  }
}

Decoder::BlockInput Decoder::begin_block(const Activations& tensors, const Tensor& x,
                                         const Tensor& rows) {
  const double epsilon = model_.shape.norm_epsilon;
  if (!tensors.normed) return {x->view(), epsilon};
  worker_.kb().launch("norm", Norm{rows->view(), epsilon, tensors.normed_rows->view()});
  tensor_group_.all_gather(in_columns(tensors.normed), in_columns(tensors.normed_rows));
  return {tensors.normed->view(), {}};
}

void Decoder::end_block(const Tensor& sum, const Tensor& rows, const Tensor& before) {
  if (!rows) {
    tensor_group_.all_reduce(sum);
    return;
  }
  tensor_group_.reduce_scatter(in_columns(rows), in_columns(sum));
  worker_.kb().launch("residual", Residual{before->view(), rows->view()});
}

std::optional<runtime::TensorView> Decoder::residual(const Activations& tensors,
                                                     const Tensor& before) const {
  if (tensors.normed || model_.place.tensor != 0) return std::nullopt;
  return before->view();
}

std::shared_ptr<const std::vector<std::uint64_t>> Decoder::own_rows(
    const std::vector<std::uint64_t>& words) const {
  const std::uint64_t of_pe = words.size() / model_.pes;
  const std::uint64_t own = of_pe / model_.parallelism.tensor;
  auto some = std::make_shared<std::vector<std::uint64_t>>();
  for (std::uint64_t pe = 0; pe < model_.pes; ++pe) {
    const auto first = static_cast<std::ptrdiff_t>(pe * of_pe + model_.place.tensor * own);
    some->insert(some->end(), words.begin() + first,
                 words.begin() + first + static_cast<std::ptrdiff_t>(own));
  }
  return some;
}

std::uint32_t Decoder::rank_at(std::uint32_t stage) const {
  return (model_.place.copy * model_.parallelism.pipeline + stage) * model_.parallelism.tensor +
         model_.place.tensor;
}

void Decoder::forward(const std::vector<Activations>& tensors,
                      const std::vector<std::shared_ptr<const std::vector<std::uint64_t>>>& words) {
  BatchTokens tokens = tensors.front().tokens;
  // Works of a key take the same time, so the contexts are part of it.
  std::vector<std::uint64_t> contexts;
  for (std::uint64_t sequence = 0; sequence < model_.room.sequences; ++sequence) {
    contexts.push_back(cache_.tokens(sequence));
    cache_.append(sequence, tokens.count);
  }
  if (std::equal(contexts.begin() + 1, contexts.end(), contexts.begin())) contexts.resize(1);
  tokens.cache = std::make_shared<const KvCache>(cache_);
  std::vector<Part> parts;
  for (const auto& some : words) {
    parts.push_back({tensors[parts.size() % tensors.size()], tokens, some});
    tokens.first_sequence += tokens.sequences;
  }
  const std::string key = fmt::format("layer of {} x {} tokens from {}", tokens.sequences,
                                      tokens.count, fmt::join(contexts, ", "));
  const std::size_t layers = tensors_.layers.size();
  const std::size_t at_once = model_.room.parts_at_once();
  for (std::size_t first = 0; first < parts.size(); first += at_once) {
    for (std::size_t i = first; i < first + at_once; ++i) begin(parts[i]);
    for (std::size_t i = 0; i < layers; ++i) {
      tensor_group_.repeat(key, first / at_once * layers + i, parts.size() / at_once * layers, [&] {
        if (communication_) {
          run_layer(tensors_.layers[i], parts[first], parts[first + 1]);
        } else {
          run_layer(tensors_.layers[i], parts[first]);
        }
      });
    }
    for (std::size_t i = first; i < first + at_once; ++i) end(parts[i]);
  }
}

void Decoder::begin(const Part& part) {
  const auto& [tensors, tokens, words] = part;
  const bool shares = tensors.normed != nullptr;
  const Tensor& x = shares ? tensors.x_rows : tensors.x;
  if (model_.place.stage == 0) {
    worker_.kb().launch("embedding", Embedding{tensors_.embedding->view(), x->view(),
                                               shares ? own_rows(*words) : words});
  } else {
    worker_.receive(x, rank_at(model_.place.stage - 1));
  }
}

void Decoder::end(const Part& part) {
  const auto& [tensors, tokens, words] = part;
  if (!model_.is_last_stage()) {
    worker_.send(tensors.normed ? tensors.x_rows : tensors.x, rank_at(model_.place.stage + 1));
    return;
  }
  const BlockInput input = begin_block(tensors, tensors.x, tensors.x_rows);
  worker_.kb().launch("logits", Linear{input.x,
                                       {tokens.count - 1, tokens.count, tokens.sequences},
                                       input.norm_epsilon,
                                       {{tensors_.output->view(), tensors.logits->view()}},
                                       {},
                                       tokens.first_sequence});
}

void Decoder::run_layer(const LayerTensors& layer, const Part& part) {
  run_attention(layer, part);
  end_attention(part.tensors);
  run_feed_forward(layer, part);
  end_feed_forward(part.tensors);
}

void Decoder::run_layer(const LayerTensors& layer, const Part& first, const Part& second) {
  runtime::Context& kb = worker_.kb();
  // Sums the results of a block after the requests so far, in the stream of communication.
  const auto sum = [&](void (Decoder::*end_of_block)(const Activations&), const Part& part) {
    const runtime::Mark computed = kb.mark();
    runtime::Mark summed;
    kb.in(*communication_, [&] {
      kb.wait_for(computed);
      (this->*end_of_block)(part.tensors);
      summed = kb.mark();
    });
    return summed;
  };
  run_attention(layer, first);
  const runtime::Mark first_attention = sum(&Decoder::end_attention, first);
  run_attention(layer, second);
  const runtime::Mark second_attention = sum(&Decoder::end_attention, second);
  kb.wait_for(first_attention);
  run_feed_forward(layer, first);
  const runtime::Mark first_end = sum(&Decoder::end_feed_forward, first);
  kb.wait_for(second_attention);
  run_feed_forward(layer, second);
  const runtime::Mark second_end = sum(&Decoder::end_feed_forward, second);
  kb.wait_for(first_end);
  kb.wait_for(second_end);
}

void Decoder::run_attention(const LayerTensors& layer, const Part& part) {
  const auto& [tensors, tokens, words] = part;
  runtime::Context& kb = worker_.kb();
  const RowSelection rows{0, 1, tokens.rows()};
  const CachedTensors cached{layer.keys->view(), layer.values->view()};
  const BlockInput before = begin_block(tensors, tensors.x, tensors.x_rows);
  kb.launch("qkv", Linear{before.x,
                          rows,
                          before.norm_epsilon,
                          {{layer.query->view(), tensors.q->view()},
                           {layer.key->view(), tensors.k->view()},
                           {layer.value->view(), tensors.v->view()}},
                          {},
                          0,
                          false,
                          budget_});
  kb.launch("rotate", RotateAndCache{tokens, model_.split.heads, tensors.q->view(),
                                     tensors.k->view(), tensors.v->view(), tensors_.cosines->view(),
                                     tensors_.sines->view(), cached});
  if (tokens.count > 1) {
    kb.launch("attention", PrefillAttention{tokens, model_.split.heads, kQueryBlock,
                                            tensors.q->view(), tensors.attended->view(), cached});
  } else {
    const DecodeAttention attention{
        tokens, model_.split.heads, tensors.q->view(), tensors.parts->view(), tensors.sizes->view(),
        cached};
    kb.launch("attention", attention);
    kb.launch("merge", MergeParts{attention, tensors.attended->view()});
  }
  kb.launch("output", Linear{tensors.attended->view(),
                             rows,
                             {},
                             {{layer.output->view(), tensors.between->view()}},
                             residual(tensors, tensors.x),
                             0,
                             false,
                             budget_});
}

void Decoder::end_attention(const Activations& tensors) {
  end_block(tensors.between, tensors.between_rows, tensors.x_rows);
}

void Decoder::run_feed_forward(const LayerTensors& layer, const Part& part) {
  const auto& [tensors, tokens, words] = part;
  runtime::Context& kb = worker_.kb();
  const RowSelection rows{0, 1, tokens.rows()};
  const BlockInput after = begin_block(tensors, tensors.between, tensors.between_rows);
  if (model_.shape.experts != 0) {
    run_experts(layer, tensors, tokens, after, residual(tensors, tensors.between));
  } else {
    const FeedForwardTensors& weights = layer.feed_forwards.front();
    kb.launch("gate-up",
              GatedLinear{after.x, rows, after.norm_epsilon, weights.gate->view(),
                          weights.up->view(), tensors.hidden->view(), 0, false, budget_});
    kb.launch("down", Linear{tensors.hidden->view(),
                             rows,
                             {},
                             {{weights.down->view(), tensors.x->view()}},
                             residual(tensors, tensors.between),
                             0,
                             false,
                             budget_});
  }
}

void Decoder::end_feed_forward(const Activations& tensors) {
  end_block(tensors.x, tensors.x_rows, tensors.between_rows);
}

void Decoder::run_experts(const LayerTensors& layer, const Activations& tensors,
                          const BatchTokens& tokens, const BlockInput& input,
                          const std::optional<runtime::TensorView>& residual) {
  runtime::Context& kb = worker_.kb();
  const auto view_of = [](const Tensor& tensor) {
    return tensor ? std::optional(tensor->view()) : std::nullopt;
  };
  // All ranks of the group choose the same experts: a collective leaves the same bits in each.
  const Routes routes{tokens,
                      layer.number,
                      model_.routing.first_sequence,
                      model_.held_experts(),
                      model_.routing.choice,
                      view_of(tensors.chosen)};
  std::vector<GatedExperts::Weights> gated;
  std::vector<runtime::TensorView> down;
  for (const FeedForwardTensors& expert : layer.feed_forwards) {
    gated.push_back({expert.gate->view(), expert.up->view()});
    down.push_back(expert.down->view());
  }
  kb.launch("router", Router{input.x, input.norm_epsilon, layer.router->view(), routes,
                             view_of(layer.drawn), tensors.factors->view()});
  kb.launch("dispatch", Dispatch{routes, input.x, tensors.dispatched->view()});
  kb.launch("gate-up", GatedExperts{routes, tensors.dispatched->view(), input.norm_epsilon,
                                    std::move(gated), tensors.hidden->view(), budget_});
  kb.launch("down", LinearExperts{routes, tensors.hidden->view(), std::move(down),
                                  tensors.at_experts->view(), budget_});
  kb.launch("combine", Combine{routes, tensors.hidden->view(), tensors.at_experts->view(),
                               tensors.factors->view(), tensors.x->view(), residual});
}

}  // namespace kernbench::model::bench::transformer
