// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "common/temporary_files.hpp"

namespace kernbench::sim {

/// A waveform that appears complete or not at all. A model writes it in a temporary folder beside
/// its place, and commit() moves it there.
class WaveFile {
 public:
  /// Throws BadInput naming `path` when the folder cannot be created.
  explicit WaveFile(std::filesystem::path path);

  /// Returns the path for the model to write to.
  [[nodiscard]] std::string written_path() const;
  /// Checks the closed file and moves it to its place. Throws BadInput with the reason when it is
  /// incomplete, as on a full disk; a former file stays.
  void commit();

 private:
  std::filesystem::path path_;
  common::TemporaryFolder folder_;
};

/// Returns true if an FST has all of its parts and ends where its last part does.
[[nodiscard]] bool is_whole_fst(const std::filesystem::path& path);

}  // namespace kernbench::sim
