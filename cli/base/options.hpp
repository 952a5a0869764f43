// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/command.hpp"

namespace kernbench::cli {

// Options that several commands share, and the parsing of their values.

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
void add_topology_set_option(Command& command, std::vector<std::string>& set);

/// Adds `--set` to a command that runs benches. `parameters` says which parameters it sets.
void add_set_option(Command& command, std::vector<std::string>& set, const Invocation& invocation,
                    const std::string& parameters = "Bench parameter as NAME=VALUE");

/// Adds `--fabric NAME` to a command that simulates a system, after --set: the same as
/// `--set topology.sip.maze.fabric=NAME`, and so for `sip.noc` and `system.noc`.
void add_fabric_option(Command& command, std::vector<std::string>& set);

/// Adds an option that names an input file. The default is the file `shipped` of the data folder. A
/// relative path that does not exist in the current folder is looked for in the data folder.
Option& add_input_option(Command& command, const std::string& name, std::string& path,
                         const Invocation& invocation, const std::string& shipped,
                         const std::string& meaning);

/// Adds `--topology FILE`.
void add_topology_option(Command& command, std::string& path, const Invocation& invocation);

/// Adds `--ccl FILE`.
void add_ccl_option(Command& command, std::string& path, const Invocation& invocation);

/// Adds the argument `topology`, a base topology, and `--spec`, the file of one. `usage` follows
/// the meaning of the argument.
void add_base_topology_options(Command& command, std::string& text, std::string& spec,
                               const Invocation& invocation, const std::string& usage);

/// Adds `--models`, the folder of built models.
void add_models_option(Command& command, std::string& folder, const Invocation& invocation);

/// Adds `--trace`, a Perfetto timeline, and `--trace-detail`.
void add_timeline_options(Command& command, std::string& trace, std::string& detail);

/// Adds `--timeout-s`, the host time limit of a command that simulates benches.
void add_host_timeout_option(Command& command, double& seconds);

/// Returns the number of processors of this machine.
[[nodiscard]] unsigned all_processors();

/// Adds `--jobs`, the number of threads or processes.
void add_jobs_option(Command& command, unsigned& jobs, unsigned most = 1024);

/// Converts the value of `--timeout-s`.
[[nodiscard]] std::chrono::milliseconds host_time_limit(double seconds);

/// Adds --plusarg, the plusargs of the RTL.
void add_plusarg_option(Command& command, std::vector<std::string>& plusargs);

}  // namespace kernbench::cli
