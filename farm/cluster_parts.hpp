// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "common/interrupt.hpp"
#include "common/parts.hpp"
#include "farm/cluster_engine.hpp"
#include "farm/local_engine.hpp"

namespace kernbench::farm {

/// Runs the parts of a command as tasks of a cluster. Each task runs the same command with
/// `--part=LOOP.NUMBER:FOLDER`, which leaves the result of the part in the folder.
class ClusterParts final : public common::Parts {
 public:
  /// `work` has the program and the current folder. `command` has the words after `kernbench`.
  /// Files are kept in a folder beside `output` until the end, and logs of parts without a result
  /// until the next run. Throws common::BadInput when
  /// another process uses that folder.
  ClusterParts(Work work, std::vector<std::string> command, ClusterSettings settings,
               const std::filesystem::path& output);
  ~ClusterParts() override;

  /// Throws std::runtime_error for a part that was started kMaxAttempts times without a result,
  /// unless the loop has `give_up`.
  bool run(const common::PartLoop& loop) override;

 private:
  common::InterruptGuard guard_;
  Work work_;
  std::vector<std::string> command_;
  ClusterSettings settings_;
  JobFolder jobs_;
  std::size_t loop_ = 0;  ///< number of the next loop
  bool gave_up_ = false;  ///< a part has no result; its message names a log
};

/// Computes one part of a command, in a task of a cluster.
class OnePart final : public common::Parts {
 public:
  /// `text` is the value of --part. Throws common::BadInput for any other text.
  explicit OnePart(const std::string& text);

  /// Takes the results of all parts of earlier loops. Throws common::PartComputed after the loop of
  /// the part, whose result is written atomically.
  bool run(const common::PartLoop& loop) override;

 private:
  std::size_t wanted_loop_ = 0;
  std::size_t number_ = 0;
  std::filesystem::path folder_;
  std::size_t loop_ = 0;
};

}  // namespace kernbench::farm
