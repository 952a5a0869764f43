// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::cli {

/// Says what decides the result of a command, without running the command.
class PointInputs {
 public:
  explicit PointInputs(const Invocation& invocation);

  /// Returns a hash of the program, the words after `kernbench`, and the content of every file that
  /// these words name or that their options read by default. Throws std::invalid_argument for words
  /// that are not a command, and common::BadInput for a file that cannot be read.
  [[nodiscard]] std::string key(const Words& words);
  /// Returns the existing files of the command, by which key() tells its results apart.
  [[nodiscard]] std::vector<std::filesystem::path> input_files(const Words& words);
  /// Returns what `kernbench run` and others refuse of a bench and of --set, by the same checks.
  /// The file of a position is "--set NAME=VALUE". Throws std::invalid_argument if the words do not
  /// parse.
  [[nodiscard]] std::vector<common::Diagnostic> wrong_settings(const Words& words);
  /// Returns the topology of the command, with all its settings, as JSON; nothing if it has none.
  /// Throws as load_topology_spec() does, and as the others for words that do not parse.
  [[nodiscard]] std::optional<nlohmann::json> topology(const Words& words);

 private:
  [[nodiscard]] Words files_of(const Words& words);
  /// Returns the files that parameters of the parsed command's benches name by default.
  [[nodiscard]] Words parameter_files() const;
  /// Returns the files that the base topology of the parsed command names, itself included.
  [[nodiscard]] Words imported_files();
  [[nodiscard]] std::filesystem::path found(const std::string& path) const;
  [[nodiscard]] std::uint64_t hash_of_file(const std::string& path);
  [[nodiscard]] std::uint64_t hash_of_rtl();

  Invocation invocation_;
  Command commands_{"kernbench", ""};
  Words set_;        ///< values of --set of the parsed command
  Words topology_;   ///< value of --topology, if the command has it
  Words bench_;      ///< name of the bench, if the command has one
  Words ccl_;        ///< file of the process group, if the command has one
  Words workloads_;  ///< values of --workload, if the command has it
  Words spec_;       ///< value of --spec, if the command has it
  Words rtl_;        ///< value of --rtl-dir, if the command has it
  std::uint64_t program_ = 0;
  std::map<std::string, std::uint64_t> hashes_;
  std::map<std::string, Words> imported_;  ///< by the path of the spec
};

}  // namespace kernbench::cli
