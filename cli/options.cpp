// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "cli/paths.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/numbers.hpp"
#include "common/places.hpp"
#include "common/text_distance.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::cli {

CLI::Validator whole_number(std::uint64_t min, std::uint64_t max) {
  return {[=](const std::string& text) {
            const auto value = common::parse_u64(text);
            if (value && *value >= min && *value <= max) return std::string();
            return fmt::format("must be an integer from {} to {}, not '{}'", min, max, text);
          },
          max == std::numeric_limits<std::uint64_t>::max() ? std::string()
                                                           : fmt::format("[{} - {}]", min, max)};
}

CLI::Validator one_of(std::vector<std::string_view> names) {
  const std::string all = fmt::format("{}", fmt::join(names, ", "));
  const std::string type = fmt::format("{{{}}}", fmt::join(names, ","));
  return {[names = std::move(names), all](const std::string& text) {
            if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
            return fmt::format("'{}' is not one of {}{}", text, all,
                               common::did_you_mean(text, names));
          },
          type};
}

CLI::Validator real_number(double min, double max) {
  return {[=](const std::string& text) {
            const auto value = common::parse_double(text);
            if (value && *value >= min && *value <= max) return std::string();
            return fmt::format("must be a number from {:g} to {:g}, not '{}'", min, max, text);
          },
          fmt::format("[{:g} - {:g}]", min, max)};
}

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

void add_topology_set_option(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "Key of the topology as topology.KEY=VALUE, such as topology.pe.clock_ghz=2 "
                  "(repeatable)")
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& text) {
            return text.starts_with(kTopologyPrefix)
                       ? std::string()
                       : fmt::format("'{}' is not topology.KEY=VALUE", text);
          },
          {}));
}

std::string path_in_data(const Invocation& invocation, const std::string& text) {
  const std::filesystem::path path = text;
  std::error_code unreadable;
  if (path.empty() || path.is_absolute() || std::filesystem::exists(path, unreadable) ||
      *path.lexically_normal().begin() == "..") {
    return text;
  }
  const std::filesystem::path shipped = std::filesystem::path(invocation.root) / path;
  return std::filesystem::is_regular_file(shipped, unreadable) ? shipped.string() : text;
}

CLI::Validator found_in_data(const Invocation& invocation) {
  return {[invocation](std::string& text) {
            text = path_in_data(invocation, text);
            return std::string();
          },
          std::string()};
}

void add_fabric_option(CLI::App& command, std::vector<std::string>& set) {
  const auto names = common::names_of(topology::kMazeFabricNames);
  command
      .add_option_function<std::string>(
          "--fabric",
          [&set](const std::string& name) {
            set.push_back(std::string(kTopologyPrefix) + "sip.maze.fabric=" + name);
          },
          "How a MAZE is simulated: cycle (exact) or analytic (an estimate)")
      ->check(one_of({names.begin(), names.end()}));
}

void add_hugging_face_option(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option_function<std::string>(
          "--hf", [&set](const std::string& file) { set.push_back("model=" + file); },
          "Shape of the model of bench transformer: a config.json of Hugging Face")
      ->check(input_file())
      ->check(CLI::Validator(
          [](const std::string& file) {
            return file.ends_with(".json")
                       ? std::string()
                       : fmt::format("'{}' is not a config.json; --set model=FILE reads YAML",
                                     file);
          },
          {}));
}

CLI::Option* add_input_option(CLI::App& command, const std::string& name, std::string& path,
                              const Invocation& invocation, const std::string& shipped,
                              const std::string& description) {
  path = common::seen_from_here(std::filesystem::path(invocation.root) / shipped);
  return command.add_option(name, path, description)
      ->check(input_file())
      ->transform(found_in_data(invocation))
      ->default_str(shipped);
}

void add_plusarg_option(CLI::App& command, std::vector<std::string>& plusargs) {
  command
      .add_option("--plusarg", plusargs,
                  "Plusarg of the RTL, NAME or NAME=VALUE (repeatable): $test$plusargs, "
                  "$value$plusargs")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check([](const std::string& text) {
        if (text.empty() || text.front() == '+' || text.front() == '=') {
          return std::string("expected NAME or NAME=VALUE, without the plus sign");
        }
        return text.rfind("verilator+", 0) == 0
                   ? std::string("verilator+... are settings of Verilator, not of the RTL")
                   : std::string();
      });
}

void add_models_option(CLI::App& command, std::string& folder, const Invocation& invocation) {
  folder = invocation.models;
  command
      .add_option("--models", folder,
                  "Folder of built models; default: build/models of the checkout, or the cache "
                  "folder of the user of an installed program")
      ->check(models_folder());
}

void add_host_timeout_option(CLI::App& command, double& seconds) {
  command
      .add_option("--timeout-s", seconds,
                  "Host time limit of a bench simulation in seconds; exit code 3 when exceeded")
      ->check(real_number(1e-3, 1e7))
      ->capture_default_str();
}

void add_plugin_option(CLI::App& command, const std::shared_ptr<std::vector<std::string>>& paths) {
  using Paths = std::vector<std::string>;
  command
      .add_option_function<Paths>(
          "--plugin",
          [paths](const Paths& given) { paths->insert(paths->end(), given.begin(), given.end()); },
          "Load a library with further benches, collectives, components and traffic (repeatable)")
      ->allow_extra_args(false)
      ->check(input_file())
      ->group("Common options");
}

void require_subject(const CLI::App& command) {
  const std::string& name = command.get_name();
  if (name == "run" && command.count("bench") == 0 && command.count("--chakra") == 0) {
    throw CLI::RequiredError("bench or --chakra");
  }
  if (name == "traffic" && (command.count("topology") > 0) == (command.count("--spec") > 0)) {
    throw common::BadInput("give either a topology, such as 'Mesh2D(4,4)', or a --spec file");
  }
}

std::chrono::milliseconds host_time_limit(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000.0));
}

}  // namespace kernbench::cli
