// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/line/check.hpp"

namespace kernbench::cli {

enum class PathUse { Input, Output, Folder };

/// A way in which the value of an option names files.
struct PathKind {
  std::string_view name;
  PathUse use;
  /// Returns the files that a value stands for. `names` are those of its check.
  std::vector<std::string> (*files)(const std::string& value, const std::string& names);
};

// Every option that takes a path has one of these checks. They refuse an empty path.

[[nodiscard]] Check input_file();
/// Checks the prefix of the trace files PREFIX.NUMBER.et.
[[nodiscard]] Check input_prefix();
/// Checks a file, or with PREFIX.et the files PREFIX.NUMBER.et.
[[nodiscard]] Check input_replay();
/// Checks NAME=VALUE, where a file that exists here or in the data folder is an input.
[[nodiscard]] Check input_setting(const std::string& data_folder);
/// Checks the name of a bench, or FILE.py with :NAME behind it if the file has several.
[[nodiscard]] Check input_bench();
/// Checks a name, a file that ends in .csv or .json, or bench: with what input_bench() takes.
[[nodiscard]] Check input_workload();
/// Checks the name of an engine, or a file that ends in .yaml, and the settings behind it.
[[nodiscard]] Check input_engine();
/// Checks the text of a base topology, or a file that ends in .yaml or .yml.
[[nodiscard]] Check input_topology();
/// Checks a folder whose files the command reads and does not write.
[[nodiscard]] Check input_folder();
/// Checks a file to write; "-" is standard output.
[[nodiscard]] Check output_file();
/// Checks a file to write that cannot be standard output.
[[nodiscard]] Check output_database();
/// Checks the prefix of trace files to write, PREFIX.NUMBER.et.
[[nodiscard]] Check output_prefix();
/// Checks a folder in which the command writes files of these names, such as "*.svg".
[[nodiscard]] Check output_folder(const std::vector<std::string>& names);
/// Checks the folder of built models, whose files only this program names.
[[nodiscard]] Check models_folder();

/// The path that stands for standard output.
inline constexpr std::string_view kStandardOutput = "-";

/// Returns PREFIX for the traces PREFIX.et or one of them, PREFIX.NUMBER.et, and nothing for
/// another file.
[[nodiscard]] std::optional<std::string> prefix_of_traces(const std::string& text);

/// Returns the name or the file of `--engine NAME[:KEY=VALUE,...]`.
[[nodiscard]] std::string engine_name(const std::string& text);

/// Returns true if a value is a folder that the command creates.
[[nodiscard]] bool is_folder_to_create(const PathKind& kind);
/// Returns true if a value is a prefix of files that the command writes.
[[nodiscard]] bool is_prefix_to_write(const PathKind& kind);

}  // namespace kernbench::cli
