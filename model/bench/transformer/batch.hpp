// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "model/bench/transformer/rank_tensors.hpp"
#include "model/bench/transformer/reference.hpp"
#include "model/runtime/device.hpp"

namespace kernbench::model::bench::transformer {

using Words = std::vector<std::uint64_t>;

/// The work of a run.
struct Task {
  ModelShape shape;
  Parallelism parallelism;
  std::uint64_t batch = 0;
  /// Tokens of each sequence in the cache at the start, without numbers.
  std::vector<std::uint64_t> cached;
  std::uint64_t prompt = 0;
  std::uint64_t steps = 0;  ///< number of steps of decode
  /// Tokens for which the cache has room in each sequence; those of the run if not set.
  std::optional<std::uint64_t> room;
  std::uint64_t page_tokens = 0;
  std::uint64_t seed = 0;
  std::uint32_t microbatches = 1;
  bool overlaps = false;
  bool chooses_experts = false;  ///< by the logits of the routers
  bool chooses_words = false;    ///< by the logits of the model

  /// Returns the largest number of cached tokens.
  [[nodiscard]] std::uint64_t most_cached() const {
    return *std::max_element(cached.begin(), cached.end());
  }
  /// Returns the tokens of the longest sequence.
  [[nodiscard]] std::uint64_t tokens() const { return most_cached() + prompt + steps; }
};

/// Returns the tolerance of logits, whose variance is 1: some units in the last place for each
/// layer and the roundings in it.
[[nodiscard]] double tolerance_of(const ModelShape& shape);

/// The sequences of the batch as the host knows them, for all ranks.
class Batch {
 public:
  /// Draws the words of the prompts, and what the run does not choose itself.
  explicit Batch(const Task& task);

  [[nodiscard]] const Task& task() const { return task_; }
  /// Returns a rank's part of the model, on its device.
  [[nodiscard]] RankModel model_of(std::uint32_t rank, const runtime::Device& device) const;
  /// Returns `count` words of each of some sequences, the first after its cached tokens and
  /// `passed` more.
  [[nodiscard]] std::shared_ptr<const Words> words(const Share& sequences, std::uint64_t passed,
                                                   std::uint64_t count) const;
  /// Makes the word of the largest of some logits, a row for each sequence, the one at `position`,
  /// unless another rank's logit is larger. Of equal ones the first word counts.
  void choose(const Share& sequences, std::uint64_t position, std::uint64_t first_word,
              const data::MatrixF& logits);

  /// Returns the plain computation of a sequence, for the words and experts of the run.
  [[nodiscard]] const ReferencePass& reference(std::uint64_t sequence);
  /// Returns the logits that a rank expects after `position`, a row for each of its sequences.
  [[nodiscard]] data::Array expected_logits(const RankPlace& place, const Share& sequences,
                                            std::uint64_t position);
  /// Returns the check of the words that the run chose.
  [[nodiscard]] runtime::CheckReport check_chosen_words();
  /// Returns the check of the experts that the run chose.
  [[nodiscard]] runtime::CheckReport check_chosen_experts();

 private:
  Task task_;
  std::vector<Words> words_;  ///< by sequence
  std::vector<float> best_;   ///< logit of the last word of each sequence that was chosen
  std::shared_ptr<ExpertChoice> experts_;              ///< null without experts
  std::map<std::uint64_t, ReferencePass> references_;  ///< by sequence
};

}  // namespace kernbench::model::bench::transformer
