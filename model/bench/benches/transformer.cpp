// SPDX-License-Identifier: Apache-2.0
// Prefill and decode of a decoder-only transformer over all ranks.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/transformer/decoder.hpp"
#include "model/bench/transformer/reference.hpp"

namespace kernbench::model::bench::transformer {
namespace {

using runtime::Tensor;
using Words = std::vector<std::uint64_t>;

/// The work of a run.
struct Task {
  ModelShape shape;
  Parallelism parallelism;
  std::uint64_t batch = 0;
  std::uint64_t prompt = 0;
  std::uint64_t steps = 0;  ///< number of steps of decode
  std::uint64_t page_tokens = 0;
  std::uint64_t seed = 0;

  [[nodiscard]] std::uint64_t tokens() const { return prompt + steps; }
  /// Returns the words of a sequence of the batch: those of the prompt and those that follow.
  [[nodiscard]] Words words(std::uint64_t sequence) const {
    common::Rng random = common::Rng::stream(seed, fmt::format("sequence {}", sequence));
    Words list(tokens());
    for (std::uint64_t& word : list) word = random.below(shape.vocabulary);
    return list;
  }
};

/// Returns the logits that a rank expects after `position`, a row for each of its sequences.
runtime::HostData expected_logits(const Task& task, const RankPlace& place, const Share& sequences,
                                  std::uint64_t position) {
  return [=] {
    const std::uint64_t width = task.shape.vocabulary / task.parallelism.tensor;
    MatrixD rows(static_cast<Eigen::Index>(sequences.count), static_cast<Eigen::Index>(width));
    for (std::uint64_t i = 0; i < sequences.count; ++i) {
      Words words = task.words(sequences.first + i);
      words.resize(position + 1);
      const MatrixD logits = reference_logits(task.shape, Weights(task.shape, task.seed), words);
      rows.row(static_cast<Eigen::Index>(i)) =
          logits.row(logits.rows() - 1)
              .middleCols(static_cast<Eigen::Index>(place.tensor * width),
                          static_cast<Eigen::Index>(width));
    }
    return from_doubles(task.shape.type, rows);
  };
}

/// Returns the tolerance of logits, whose variance is 1: some units in the last place for each
/// layer and the roundings in it.
runtime::Tolerance tolerance_of(const ModelShape& shape) {
  const double unit = shape.type == data::DataType::F16    ? 0x1p-11
                      : shape.type == data::DataType::BF16 ? 0x1p-8
                                                           : 0x1p-20;
  return {0.0, 16.0 * unit * std::sqrt(static_cast<double>(shape.layers))};
}

void run_rank(ccl::Worker& worker, const Task& task) {
  runtime::Context& kb = worker.kb();
  const bool idle = worker.rank() >= task.parallelism.ranks();
  const RankPlace place = RankPlace::of(worker.rank(), task.parallelism);
  const Share mine = idle ? Share{} : share_of(task.batch, place.copy, task.parallelism.data);
  std::unique_ptr<Decoder> decoder;
  if (!idle) {
    decoder = std::make_unique<Decoder>(worker, task.shape, task.parallelism,
                                        DecoderRoom{mine.count, task.tokens(), task.page_tokens},
                                        task.seed);
  }
  std::vector<Words> words;
  for (std::uint64_t i = 0; i < mine.count; ++i) words.push_back(task.words(mine.first + i));
  const auto step = [&](const std::string& name, const Activations& tensors, std::uint64_t first) {
    const auto some = std::make_shared<Words>();
    for (const Words& all : words) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      some->insert(some->end(), begin, begin + static_cast<std::ptrdiff_t>(tensors.tokens.count));
    }
    kb.measure(name, [&] {
      if (!idle) decoder->forward(tensors, some);
    });
    if (idle || !decoder->is_last_stage()) return;
    kb.expect(fmt::format("logits of {} at rank {}", name, worker.rank()), kb.read(tensors.logits),
              expected_logits(task, place, mine, first + tensors.tokens.count - 1),
              tolerance_of(task.shape));
  };
  Activations tensors = idle ? Activations{} : decoder->activations(task.prompt);
  step("prefill", tensors, 0);
  if (!idle) decoder->free(tensors);
  if (task.steps == 0) return;
  tensors = idle ? Activations{} : decoder->activations(1);
  for (std::uint64_t i = 0; i < task.steps; ++i) {
    step(fmt::format("decode {}", i + 1), tensors, task.prompt + i);
  }
}

void run(runtime::Context& kb) {
  Task task;
  task.shape = read_model_shape(kb.parameter("model"));
  if (const auto layers = kb.number_or_auto("layers", 1)) task.shape.layers = *layers;
  task.batch = kb.number("batch", 1);
  task.prompt = kb.number("prompt", 1);
  task.steps = kb.number("decode");
  task.page_tokens = kb.number("page", 1);
  task.seed = kb.number("seed");
  task.parallelism.tensor = static_cast<std::uint32_t>(kb.number("tensor", 1));
  task.parallelism.pipeline = static_cast<std::uint32_t>(kb.number("pipeline", 1));
  task.parallelism.data = static_cast<std::uint32_t>(kb.number("data", 1));
  ccl::ProcessGroup world(kb.session(), "ahbm");
  if (task.parallelism.ranks() > world.world_size()) {
    throw runtime::BadParameter(
        fmt::format("'tensor' x 'pipeline' x 'data' are {} ranks, but the system has {}",
                    task.parallelism.ranks(), world.world_size()));
  }
  if (task.parallelism.data > task.batch) {
    throw runtime::BadParameter(fmt::format("'data' is {}, but the batch has {} sequences",
                                            task.parallelism.data, task.batch));
  }
  if (task.parallelism.pipeline > task.shape.layers) {
    throw runtime::BadParameter(fmt::format("'pipeline' is {}, but the model has {} layers",
                                            task.parallelism.pipeline, task.shape.layers));
  }
  ccl::spawn(kb, world, [&](ccl::Worker& worker) { run_rank(worker, task); });
}

const Registration kBench{{"transformer",
                           "prefill and decode of a decoder-only transformer, over all SIPs",
                           {{"model", "configs/models/tiny.yaml", "model file (YAML)", true},
                            {"layers", "auto", "number of layers; auto: all of the model"},
                            {"batch", "2", "sequences"},
                            {"prompt", "32", "tokens of each prompt"},
                            {"decode", "2", "steps of decode, one token of each sequence each"},
                            {"tensor", "1", "ranks that share each layer"},
                            {"pipeline", "1", "stages of layers"},
                            {"data", "1", "copies of the model, which share the batch"},
                            {"page", "16", "tokens of a page of the key-value cache"},
                            {"seed", "1", "seed of weights and words"}},
                           run}};

}  // namespace
}  // namespace kernbench::model::bench::transformer
