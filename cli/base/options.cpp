// SPDX-License-Identifier: Apache-2.0
#include "cli/base/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/numbers.hpp"
#include "common/places.hpp"
#include "common/text_distance.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::cli {

double parse_share(std::string_view what, const std::string& text) {
  const auto value = common::parse_double(text);
  if (value && *value >= 0.0 && *value <= 1.0) return *value;
  throw common::BadInput(fmt::format("{} must be a number from 0 to 1, not '{}'", what, text));
}

std::vector<double> parse_shares(std::string_view option, std::string_view text) {
  std::vector<double> shares;
  for (;;) {
    const std::size_t comma = text.find(',');
    shares.push_back(
        parse_share(fmt::format("each of {}", option), std::string(text.substr(0, comma))));
    if (comma == std::string_view::npos) return shares;
    text.remove_prefix(comma + 1);
  }
}

namespace {

constexpr std::string_view kTopologyPrefix = "topology.";

/// Splits the values of --set at their '='. `of_topology` selects those of a topology or the
/// others.
std::map<std::string, std::string> parse_set(const std::vector<std::string>& set,
                                             bool of_topology) {
  std::map<std::string, std::string> parameters;
  std::vector<std::string> errors;
  for (const std::string& assignment : set) {
    if (assignment.starts_with(kTopologyPrefix) != of_topology) continue;
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      errors.push_back(fmt::format("--set takes NAME=VALUE, not '{}'", assignment));
    } else if (!parameters.emplace(assignment.substr(0, equals), assignment.substr(equals + 1))
                    .second) {
      errors.push_back(fmt::format("--set gives '{}' twice", assignment.substr(0, equals)));
    }
  }
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "\n")));
  return parameters;
}

}  // namespace

std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& set) {
  return parse_set(set, false);
}

std::vector<std::string> topology_settings(const std::vector<std::string>& set) {
  try {
    std::vector<std::string> settings;
    for (const auto& [key, value] : parse_set(set, true)) {
      settings.push_back(fmt::format("{}={}", key.substr(kTopologyPrefix.size()), value));
    }
    return settings;
  } catch (const std::invalid_argument& error) {
    throw common::BadInput(error.what());
  }
}

void add_topology_set_option(Command& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "Key of the topology as topology.KEY=VALUE, such as topology.pe.clock_ghz=2 "
                  "(repeatable)")
      .one_each()
      .check({.problem = [](const std::string& text) {
        return text.starts_with(kTopologyPrefix)
                   ? std::string()
                   : fmt::format("'{}' is not topology.KEY=VALUE", text);
      }});
}

void add_set_option(Command& command, std::vector<std::string>& set, const Invocation& invocation,
                    const std::string& parameters) {
  command
      .add_option("--set", set,
                  parameters +
                      ", or key of the topology as topology.KEY=VALUE, such as "
                      "topology.pe.clock_ghz=2 (repeatable)")
      .check(input_setting(invocation.root))
      .one_each();
}

void add_fabric_option(Command& command, std::vector<std::string>& set) {
  const auto names = common::names_of(topology::kFabricModelNames);
  const auto take = [&set](const Words& texts) {
    for (const char* key : {"sip.maze.fabric", "sip.noc.fabric", "system.noc.fabric"}) {
      set.push_back(fmt::format("{}{}={}", kTopologyPrefix, key, texts.back()));
    }
  };
  command
      .add("--fabric", shorthand(take),
           "How a MAZE or another network is simulated: cycle (exact) or analytic (an estimate)")
      .check(one_of({names.begin(), names.end()}));
}

Option& add_input_option(Command& command, const std::string& name, std::string& path,
                         const Invocation& invocation, const std::string& shipped,
                         const std::string& meaning) {
  path = common::seen_from_here(std::filesystem::path(invocation.root) / shipped);
  return command.add_option(name, path, meaning)
      .check(input_file())
      .found_in(invocation.root)
      .default_text(shipped);
}

void add_topology_option(Command& command, std::string& path, const Invocation& invocation) {
  add_input_option(command, "--topology", path, invocation, "configs/topology.yaml",
                   "Topology file (YAML)");
}

void add_ccl_option(Command& command, std::string& path, const Invocation& invocation) {
  add_input_option(command, "--ccl", path, invocation, "configs/ccl.yaml",
                   "Process-group file (YAML)");
}

void add_base_topology_options(Command& command, std::string& text, std::string& spec,
                               const Invocation& invocation, const std::string& usage) {
  command.add_option("topology", text, "Base topology, such as " + usage)
      .check(not_empty("topology"));
  command.add_option("--spec", spec, "Base topology file (YAML); see configs/zoo/")
      .check(input_file())
      .found_in(invocation.root);
}

void add_plusarg_option(Command& command, std::vector<std::string>& plusargs) {
  command
      .add_option("--plusarg", plusargs,
                  "Plusarg of the RTL, NAME or NAME=VALUE (repeatable): $test$plusargs, "
                  "$value$plusargs")
      .one_each()
      .check({.problem = [](const std::string& text) {
        if (text.empty() || text.front() == '+' || text.front() == '=') {
          return std::string("expected NAME or NAME=VALUE, without the plus sign");
        }
        return text.rfind("verilator+", 0) == 0
                   ? std::string("verilator+... are settings of Verilator, not of the RTL")
                   : std::string();
      }});
}

void add_models_option(Command& command, std::string& folder, const Invocation& invocation) {
  folder = invocation.models;
  command
      .add_option("--models", folder,
                  "Folder of built models; default: build/models of the checkout, or the cache "
                  "folder of the user of an installed program")
      .check(models_folder())
      .default_text("")
      .only(Decides::Host);
}

void add_timeline_options(Command& command, std::string& trace, std::string& detail) {
  command.add_option("--trace", trace, "Write a Perfetto timeline to this file")
      .check(output_file());
  command
      .add_option("--trace-detail", detail,
                  "operations: tracks of cubes and PEs, at most 400 and 20 MB; hops: a track for "
                  "each component, without a limit")
      .check(one_of({"operations", "hops"}))
      .needs("--trace");
}

void add_host_timeout_option(Command& command, double& seconds) {
  command
      .add_option("--timeout-s", seconds,
                  "Host time limit of a bench simulation in seconds; exit code 3 when exceeded")
      .check(real_number(1e-3, 1e7))
      .only(Decides::Host);
}

unsigned all_processors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

void add_jobs_option(Command& command, unsigned& jobs, unsigned most) {
  command.add_option("--jobs", jobs, "Number of parts of the work that run side by side")
      .check(whole_number(1, most))
      .default_text("all processors")
      .only(Decides::Host);
}

std::chrono::milliseconds host_time_limit(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000.0));
}

}  // namespace kernbench::cli
