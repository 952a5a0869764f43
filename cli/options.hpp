// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace kernbench::cli {

// Options that several commands share, and the parsing of their values.

/// Returns a validator for an integer option. It checks the text before CLI11 converts it, because
/// CLI11 accepts -1 as 2^64-1, clamps numbers that are too large and reads a leading 0 as octal.
[[nodiscard]] CLI::Validator whole_number(
    std::uint64_t min, std::uint64_t max = std::numeric_limits<std::uint64_t>::max());

/// Returns a validator for an option with these values.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string_view> names);

/// Returns a validator for a real option, which checks the whole text: CLI11 accepts blanks, signs
/// and "nan".
[[nodiscard]] CLI::Validator real_number(double min, double max);

/// Parses a number from 0 to 1. Throws common::BadInput whose message begins with `what`.
[[nodiscard]] double parse_share(std::string_view what, const std::string& text);

/// Parses the comma-separated numbers from 0 to 1 of `option`. Throws common::BadInput.
[[nodiscard]] std::vector<double> parse_shares(std::string_view option, std::string_view text);

/// Parses the values of --set ("m=512") into bench parameters, without those of a topology. Throws
/// std::invalid_argument with one line for each malformed or repeated one.
[[nodiscard]] std::map<std::string, std::string> parse_parameters(
    const std::vector<std::string>& set);

/// Returns the values of --set that begin with "topology.", without this prefix. Throws
/// common::BadInput with one line for each malformed or repeated one.
[[nodiscard]] std::vector<std::string> topology_settings(const std::vector<std::string>& set);

/// Adds `--set` to a command that has a topology and no bench parameters.
void add_topology_set_option(CLI::App& command, std::vector<std::string>& set);

/// Adds `--fabric NAME` to a command that simulates a system, after --set: the same as
/// `--set topology.sip.maze.fabric=NAME`.
void add_fabric_option(CLI::App& command, std::vector<std::string>& set);

/// Adds `--hf FILE` to a command that runs a bench: the same as `--set model=FILE`.
void add_hugging_face_option(CLI::App& command, std::vector<std::string>& set);

/// Adds an option that names an input file. The default is the file `shipped` of the data folder. A
/// relative path that does not exist in the current folder is looked for in the data folder.
CLI::Option* add_input_option(CLI::App& command, const std::string& name, std::string& path,
                              const Invocation& invocation, const std::string& shipped,
                              const std::string& description);

/// Returns an input path that does not exist as that of a file of the data folder, if there is one,
/// and any other path as it is.
[[nodiscard]] std::string path_in_data(const Invocation& invocation, const std::string& text);
/// Returns a transformation of an input path that does not exist by path_in_data().
[[nodiscard]] CLI::Validator found_in_data(const Invocation& invocation);

/// Adds `--models`, the folder of built models.
void add_models_option(CLI::App& command, std::string& folder, const Invocation& invocation);

/// Adds `--timeout-s`, the host time limit of a command that simulates benches.
void add_host_timeout_option(CLI::App& command, double& seconds);

/// Adds `--plugin`, whose values are appended to `paths`.
void add_plugin_option(CLI::App& command, const std::shared_ptr<std::vector<std::string>>& paths);

/// Throws CLI::RequiredError or common::BadInput if the parsed command names nothing to run on,
/// where it takes one of two options.
void require_subject(const CLI::App& command);

/// Converts the value of `--timeout-s`.
[[nodiscard]] std::chrono::milliseconds host_time_limit(double seconds);

/// Adds --plusarg, the plusargs of the RTL.
void add_plusarg_option(CLI::App& command, std::vector<std::string>& plusargs);

}  // namespace kernbench::cli
