// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/batch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "common/random.hpp"

namespace kernbench::model::bench::transformer {

double tolerance_of(const ModelShape& shape) {
  const double unit = shape.type == data::DataType::F16    ? 0x1p-11
                      : shape.type == data::DataType::BF16 ? 0x1p-8
                                                           : 0x1p-20;
  return 16.0 * unit * std::sqrt(static_cast<double>(shape.layers));
}

Batch::Batch(const Task& task) : task_(task), words_(task.batch), best_(task.batch) {
  for (std::uint64_t sequence = 0; sequence < task.batch; ++sequence) {
    common::Rng random = common::Rng::stream(task.seed, fmt::format("sequence {}", sequence));
    words_[sequence].resize(task.chooses_words ? task.prompt : task.tokens());
    for (std::uint64_t& word : words_[sequence]) word = random.below(task.shape.vocabulary);
  }
  if (task.shape.experts == 0) return;
  experts_ =
      std::make_shared<ExpertChoice>(task.shape, task.batch, task.room.value_or(task.tokens()));
  if (!task.chooses_experts) experts_->draw(task.seed);
}

RankModel Batch::model_of(std::uint32_t rank, const runtime::Device& device) const {
  const Share mine =
      share_of(task_.batch, RankPlace::of(rank, task_.parallelism).copy, task_.parallelism.data);
  return {task_.shape,
          task_.parallelism,
          rank,
          {mine.count,
           task_.room.value_or(task_.tokens()),
           task_.page_tokens,
           {task_.cached.begin() + static_cast<std::ptrdiff_t>(mine.first),
            task_.cached.begin() + static_cast<std::ptrdiff_t>(mine.first + mine.count)},
           task_.room.has_value(),
           task_.microbatches,
           task_.overlaps},
          {experts_, task_.chooses_experts, mine.first},
          static_cast<std::uint32_t>(device.cubes.size()),
          static_cast<std::uint32_t>(device.pes.size())};
}

std::shared_ptr<const Words> Batch::words(const Share& sequences, std::uint64_t passed,
                                          std::uint64_t count) const {
  const auto some = std::make_shared<Words>();
  for (std::uint64_t i = 0; i < sequences.count; ++i) {
    const std::uint64_t sequence = sequences.first + i;
    const auto begin =
        words_[sequence].begin() + static_cast<std::ptrdiff_t>(task_.cached[sequence] + passed);
    some->insert(some->end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return some;
}

void Batch::choose(const Share& sequences, std::uint64_t position, std::uint64_t first_word,
                   const data::MatrixF& logits) {
  for (std::uint64_t i = 0; i < sequences.count; ++i) {
    Eigen::Index column = 0;
    const float logit = logits.row(static_cast<Eigen::Index>(i)).maxCoeff(&column);
    const std::uint64_t word = first_word + static_cast<std::uint64_t>(column);
    Words& words = words_[sequences.first + i];
    float& best = best_[sequences.first + i];
    if (words.size() == position) {
      words.push_back(word);
    } else if (logit > best || (logit == best && word < words.back())) {
      words.back() = word;
    } else {
      continue;
    }
    best = logit;
  }
}

const ReferencePass& Batch::reference(std::uint64_t sequence) {
  const auto [place, is_new] = references_.try_emplace(sequence);
  if (is_new) {
    Words passed = words_[sequence];
    passed.resize(task_.tokens());
    place->second = reference_pass(task_.shape, Weights(task_.shape, task_.seed), passed,
                                   {experts_.get(), sequence});
  }
  return place->second;
}

data::Array Batch::expected_logits(const RankPlace& place, const Share& sequences,
                                   std::uint64_t position) {
  const auto width = static_cast<Eigen::Index>(task_.shape.vocabulary / task_.parallelism.tensor);
  MatrixD rows(static_cast<Eigen::Index>(sequences.count), width);
  for (std::uint64_t i = 0; i < sequences.count; ++i) {
    rows.row(static_cast<Eigen::Index>(i)) =
        reference(sequences.first + i)
            .logits.row(static_cast<Eigen::Index>(position))
            .middleCols(static_cast<Eigen::Index>(place.tensor) * width, width);
  }
  return from_doubles(task_.shape.type, rows);
}

runtime::CheckReport Batch::check_chosen_words() {
  std::vector<ChosenWords> all;
  for (std::uint64_t sequence = 0; sequence < task_.batch; ++sequence) {
    const auto first = static_cast<std::ptrdiff_t>(task_.prompt);
    all.push_back(
        {reference(sequence).logits.bottomRows(static_cast<Eigen::Index>(task_.steps + 1)),
         {words_[sequence].begin() + first, words_[sequence].end()}});
  }
  // Two of 1000 logits are often closer to each other than the roundings of bf16.
  const double others = task_.shape.type == data::DataType::BF16 ? 1.0 : 0.05;
  return check_words(all, tolerance_of(task_.shape), others);
}

runtime::CheckReport Batch::check_chosen_experts() {
  runtime::CheckReport report;
  for (std::uint64_t sequence = 0; sequence < task_.batch; ++sequence) {
    check_experts(report, reference(sequence).excess, tolerance_of(task_.shape));
  }
  return report;
}

}  // namespace kernbench::model::bench::transformer
