// SPDX-License-Identifier: Apache-2.0
#include "farm/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "common/enum_names.hpp"
#include "common/numbers.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "farm/constraint.hpp"
#include "farm/sampling.hpp"
#include "farm/store.hpp"

namespace kernbench::farm {
namespace {

using common::YamlMap;
using common::YamlNode;

enum class SampleKind { Grid, Random, LatinHypercube };

constexpr std::array<common::EnumName<SampleKind>, 3> kSampleKinds = {{
    {"grid", SampleKind::Grid},
    {"random", SampleKind::Random},
    {"latin-hypercube", SampleKind::LatinHypercube},
}};
constexpr std::array<common::EnumName<Direction>, 3> kDirections = {{
    {"min", Direction::Min},
    {"max", Direction::Max},
    {"none", Direction::None},
}};

struct Sample {
  SampleKind kind = SampleKind::Grid;
  std::size_t points = 0;
  std::uint64_t seed = 1;
};

/// The commands that write a report and can be repeated.
constexpr std::array<std::string_view, 5> kCommands = {"run", "traffic", "probe", "evaluate",
                                                       "cosim"};
/// Options of these commands that a sweep sets itself, or that would make points write to one file.
constexpr std::array<std::string_view, 9> kOwnOptions = {
    "json", "html", "trace", "plot", "oplog", "report", "help", "quiet", "verbose"};

std::string option_of(std::string_view word) {
  if (!word.starts_with("--")) return {};
  return std::string(word.substr(2, word.find('=') - 2));
}

std::vector<std::string> read_command(YamlMap& plan) {
  std::vector<std::string> command;
  for (const YamlNode& item : plan.list("command", {.min = 1})) {
    std::string word =
        command.empty() ? std::string(kCommands[item.one_of(kCommands)]) : item.string();
    const std::string option = option_of(word);
    if (std::find(kOwnOptions.begin(), kOwnOptions.end(), option) != kOwnOptions.end()) {
      item.error(fmt::format("a sweep does not take '--{}' of a command", option),
                 "results are in the database of the sweep");
    }
    command.push_back(std::move(word));
  }
  return command;
}

Value read_value(const YamlNode& node) {
  std::string text = node.string("0");
  const auto number = common::parse_double(text);
  return {std::move(text), number};
}

std::vector<Value> read_values(const YamlNode& node) {
  std::vector<Value> values;
  for (const YamlNode& item : node.list({.min = 1})) {
    Value value = read_value(item);
    if (std::find(values.begin(), values.end(), value) != values.end()) {
      item.error(fmt::format("the value '{}' is in the list twice", value.text),
                 "remove one of them");
      continue;
    }
    values.push_back(std::move(value));
  }
  return values;
}

/// Reads `{from: 1, to: 8, step: 1}` and its kin.
void read_span(const YamlNode& node, SampleKind kind, Parameter& parameter) {
  YamlMap map(node);
  NumberSpan span;
  span.from = map.number("from");
  span.to = map.number("to");
  constexpr std::array<std::string_view, 2> kScales = {"linear", "log"};
  span.log = map.one_of("scale", kScales, 0) == 1;
  span.whole = map.boolean("whole", false);
  const bool has_step = map.has("step");
  const bool has_count = map.has("count");
  const double step = map.number("step", {.min = 0, .exclude_min = true}, 1.0);
  const std::size_t count = map.u64("count", {.min = 1, .max = kMaxPoints}, 2);
  if (span.to < span.from) {
    map.error("to", fmt::format("the range is empty: 'to' ({}) is below 'from' ({})",
                                value_of(span.to).text, value_of(span.from).text));
    span.to = span.from;
  }
  if (span.log && span.from <= 0) {
    map.error("from", "a range with 'scale: log' begins above 0");
    span.log = false;
  }
  if (has_step && has_count) map.error("count", "'step' and 'count' cannot be combined");
  if (has_step && span.log) {
    map.error("step", "a range with 'scale: log' takes 'count' instead of 'step'");
    span.log = false;
  }
  if (has_step && (span.to - span.from) / step > static_cast<double>(kMaxPoints)) {
    map.error("step", fmt::format("the range has more than {} values", kMaxPoints));
  } else if (has_step) {
    parameter.values = stepped_values(span, step);
  } else if (has_count) {
    parameter.values = counted_values(span, count);
  } else if (kind == SampleKind::Grid) {
    map.error("to", "a range of a grid needs 'step' or 'count'");
    parameter.values = counted_values(span, 1);
  } else {
    parameter.span = span;
  }
}

Sample read_sample(YamlMap& plan) {
  Sample sample;
  YamlMap map = plan.optional_map("sample");
  sample.kind = map.enumeration("kind", kSampleKinds, sample.kind);
  if (sample.kind == SampleKind::Grid) return sample;
  sample.points = map.u64("points", {.min = 1, .max = kMaxPoints});
  sample.seed = map.u64("seed", {}, 1);
  return sample;
}

/// Refuses names that cannot become an option, and those that the command already has.
void check_name(const std::string& name, const YamlNode& node, const Plan& plan) {
  constexpr std::string_view kRest = ".[]_-";
  const bool spelled = std::all_of(name.begin(), name.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kRest.find(c) != std::string_view::npos;
  });
  const bool prefixed = name.starts_with("bench.") || name.starts_with("topology.");
  if (!spelled || (!prefixed && name.find('.') != std::string::npos)) {
    node.error(fmt::format("'{}' is not a parameter", name),
               "topology.KEY of a topology file, bench.NAME of a bench, or an option without '--'");
    return;
  }
  if (std::find(kOwnOptions.begin(), kOwnOptions.end(), name) != kOwnOptions.end()) {
    node.error(fmt::format("a sweep does not take '--{}' of a command", name),
               "results are in the database of the sweep");
  }
  const std::string set = (name.starts_with("bench.") ? name.substr(6) : name) + "=";
  for (const std::string& word : plan.command) {
    const bool same = prefixed ? word.starts_with(set) || word.starts_with("--set=" + set)
                               : option_of(word) == name;
    if (same) node.error(fmt::format("'{}' is already set in 'command'", name));
  }
}

std::vector<Parameter> read_parameters(YamlMap& plan_map, SampleKind kind, Plan& plan) {
  std::vector<Parameter> parameters;
  YamlMap map = plan_map.map("parameters");
  for (const auto& entry : map.entries()) {
    check_name(entry.first, entry.second, plan);
    Parameter parameter{entry.first};
    if (entry.second.is_map()) {
      read_span(entry.second, kind, parameter);
    } else {
      parameter.values = read_values(entry.second);
    }
    if (parameter.values.empty() && !parameter.span) parameter.values = {{"0", 0.0}};
    parameters.push_back(std::move(parameter));
    plan.parameter_positions.push_back(entry.second.position());
  }
  if (parameters.empty()) plan_map.error("parameters", "'parameters' has no parameter");
  return parameters;
}

/// Reads the points of `list`. The first one says which parameters there are.
void read_points(YamlMap& plan_map, Plan& plan) {
  std::set<std::vector<std::string>> seen;
  for (const YamlNode& item : plan_map.list("list", {.min = 1, .max = kMaxPoints})) {
    YamlMap map(item);
    if (plan.parameters.empty()) {
      for (const auto& entry : map.entries()) {
        check_name(entry.first, entry.second, plan);
        plan.parameters.push_back(entry.first);
        plan.parameter_positions.push_back(entry.second.position());
      }
    }
    PlanPoint point;
    std::vector<std::string> texts;
    for (const std::string& name : plan.parameters) {
      const auto node = map.node(name);
      if (!node) map.error(name, fmt::format("the point has no value for '{}'", name));
      point.push_back(node ? read_value(*node) : Value{"0", 0.0});
      texts.push_back(point.back().text);
    }
    if (!seen.insert(texts).second) item.error("the point is in the list twice");
    plan.points.push_back(std::move(point));
  }
}

std::vector<Constraint> read_constraints(YamlMap& plan_map,
                                         const std::vector<std::string>& parameters) {
  std::vector<Constraint> constraints;
  for (const YamlNode& item : plan_map.optional_list("constraints")) {
    try {
      constraints.emplace_back(item.string("0 == 0"), parameters);
    } catch (const std::invalid_argument& error) {
      item.error(error.what());
    }
  }
  return constraints;
}

std::vector<Target> read_targets(YamlMap& plan_map) {
  std::vector<Target> targets;
  YamlMap map = plan_map.map("targets");
  for (const auto& entry : map.entries()) {
    targets.push_back(
        {entry.first, entry.second.enumeration(kDirections), entry.second.position()});
  }
  if (targets.empty()) plan_map.error("targets", "'targets' has no field of the report");
  return targets;
}

/// Refuses names that would make two columns of the database the same.
void check_columns(const Plan& plan, YamlMap& map) {
  std::vector<std::string> taken = fixed_columns();
  const auto add = [&](const char* key, const std::string& name) {
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      map.error(key, fmt::format("'{}' is already a column of the table of results", name));
    }
    taken.push_back(name);
  };
  for (const std::string& name : plan.parameters) add("parameters", name);
  for (const Target& target : plan.targets) add("targets", target.path);
}

void read_sampled_points(YamlMap& map, Plan& plan) {
  const Sample sample = read_sample(map);
  const std::vector<Parameter> parameters = read_parameters(map, sample.kind, plan);
  for (const Parameter& one : parameters) plan.parameters.push_back(one.name);
  const std::vector<Constraint> constraints = read_constraints(map, plan.parameters);
  const auto accepted = [&](const PlanPoint& point) {
    return std::all_of(constraints.begin(), constraints.end(),
                       [&](const Constraint& one) { return one.holds(point); });
  };
  if (sample.kind == SampleKind::Grid) {
    if (grid_size(parameters, kMaxPoints) > kMaxPoints) {
      map.error("parameters", fmt::format("the grid has more than {} points", kMaxPoints));
      return;
    }
    plan.points = grid(parameters);
    std::erase_if(plan.points, [&](const PlanPoint& point) { return !accepted(point); });
    if (plan.points.empty()) map.error("constraints", "no point satisfies the constraints");
    return;
  }
  const auto draw = sample.kind == SampleKind::Random ? random_sample : latin_hypercube;
  plan.points = draw(parameters, sample.points, sample.seed, accepted);
  if (plan.points.size() < sample.points) {
    map.error("sample", fmt::format("only {} of {} points differ and satisfy the constraints",
                                    plan.points.size(), sample.points));
  }
}

}  // namespace

Plan parse_plan(std::string text, const std::string& file) {
  Plan plan;
  plan.file = file;
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::parse(text, file, diagnostics);
  {
    YamlMap map(document.root());
    plan.command_position = map.position("command");
    plan.command = read_command(map);
    if (map.has("list")) {
      for (const char* const other : {"parameters", "sample", "constraints"}) {
        if (map.node(other))
          map.error(other, fmt::format("'list' and '{}' exclude each other", other));
      }
      read_points(map, plan);
    } else {
      read_sampled_points(map, plan);
    }
    plan.targets = read_targets(map);
    check_columns(plan, map);
  }
  diagnostics.throw_if_any();
  plan.text = std::move(text);
  return plan;
}

Plan read_plan(const std::filesystem::path& path) {
  return parse_plan(common::read_text_file(path, common::kMaxYamlBytes), path.string());
}

std::vector<std::string> words_of(const Plan& plan, const PlanPoint& point) {
  std::vector<std::string> words = plan.command;
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    const std::string& name = plan.parameters[i];
    const std::string& value = point[i].text;
    if (name.starts_with("bench.")) {
      words.push_back(fmt::format("--set={}={}", name.substr(6), value));
    } else if (name.starts_with("topology.")) {
      words.push_back(fmt::format("--set={}={}", name, value));
    } else if (value == "true") {
      words.push_back(fmt::format("--{}", name));
    } else if (value != "false") {
      words.push_back(fmt::format("--{}={}", name, value));
    }
  }
  return words;
}

}  // namespace kernbench::farm
