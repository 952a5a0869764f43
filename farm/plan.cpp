// SPDX-License-Identifier: Apache-2.0
#include "farm/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "common/description.hpp"
#include "common/form_reader.hpp"
#include "common/numbers.hpp"
#include "common/text_file.hpp"
#include "farm/constraint.hpp"
#include "farm/plan_form.hpp"
#include "farm/sampling.hpp"
#include "farm/store.hpp"

namespace kernbench::farm {
namespace {

/// Options of these commands that a sweep sets itself, or that would make points write to one file.
constexpr std::array<std::string_view, 9> kOwnOptions = {
    "json", "html", "trace", "plot", "oplog", "report", "help", "quiet", "verbose"};

/// The argument of `run`, which a plan sets as it does an option.
constexpr std::string_view kBench = "bench";

bool is_own_option(std::string_view name) {
  return std::find(kOwnOptions.begin(), kOwnOptions.end(), name) != kOwnOptions.end();
}

Value value_of_text(const std::string& text) {
  return {text, common::parse_double(text)};
}

std::string option_of(std::string_view word) {
  if (!word.starts_with("--")) return {};
  return std::string(word.substr(2, word.find('=') - 2));
}

/// Reads a plan from a file whose form is right, and reports what its form does not say.
class PlanReader {
 public:
  explicit PlanReader(common::Input<PlanFile>& file) : file_(file) {}

  [[nodiscard]] Plan read() {
    plan_.command_position = file_.places().position("command");
    read_command();
    if (file_.has("list")) {
      read_points();
    } else if (file_->parameters) {
      read_sampled_points();
    }
    for (const std::string& name : file_.in_file_order("targets", file_->targets)) {
      plan_.targets.push_back(
          {name, file_->targets.at(name), file_.places().position("targets." + name)});
    }
    check_columns();
    return std::move(plan_);
  }

 private:
  void read_command() {
    for (std::size_t i = 0; i < file_->command.size(); ++i) {
      const std::string& word = file_->command[i].text;
      plan_.command.push_back(word);
      const std::string option = option_of(word);
      if (is_own_option(option)) refuse_own(fmt::format("command[{}]", i), option);
    }
  }

  void refuse_own(const std::string& place, const std::string& option) {
    file_.error(place, fmt::format("a sweep does not take '--{}' of a command", option),
                "results are in the database of the sweep");
  }

  /// Refuses options of the sweep itself, and names that the command already has.
  void check_name(const std::string& name, const std::string& place) {
    if (is_own_option(name)) refuse_own(place, name);
    const bool prefixed = name.starts_with("bench.") || name.starts_with("topology.");
    const std::string set = (name.starts_with("bench.") ? name.substr(6) : name) + "=";
    for (const std::string& word : plan_.command) {
      const bool same = prefixed ? word.starts_with(set) || word.starts_with("--set=" + set)
                                 : option_of(word) == name;
      if (same) file_.error(place, fmt::format("'{}' is already set in 'command'", name));
    }
    if (name == kBench && plan_.command.size() > 1 && !plan_.command[1].starts_with('-')) {
      file_.error(place, fmt::format("'{}' is already set in 'command'", name));
    }
  }

  void add_parameter(const std::string& name, const std::string& place) {
    check_name(name, place);
    plan_.parameters.push_back(name);
    plan_.parameter_positions.push_back(file_.places().position(place));
  }

  [[nodiscard]] std::vector<Value> values_of(const std::vector<common::ScalarText>& items,
                                             const std::string& place) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < items.size(); ++i) {
      Value value = value_of_text(items[i].text);
      if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(std::move(value));
        continue;
      }
      file_.error(fmt::format("{}[{}]", place, i),
                  fmt::format("the value '{}' is in the list twice", value.text),
                  "remove one of them");
    }
    return values;
  }

  void read_span(const SpanFile& given, const std::string& place, Parameter& parameter) {
    const auto error = [&](const char* key, std::string message) {
      file_.error(fmt::format("{}.{}", place, key), std::move(message));
    };
    NumberSpan span{given.from, given.to, given.scale == Scale::Log, given.whole};
    if (span.to < span.from) {
      error("to", fmt::format("the range is empty: 'to' ({}) is below 'from' ({})",
                              value_of(span.to).text, value_of(span.from).text));
      span.to = span.from;
    }
    if (span.log && span.from <= 0) {
      error("from", "a range with 'scale: log' begins above 0");
      span.log = false;
    }
    if (given.step && span.log) {
      error("step", "a range with 'scale: log' takes 'count' instead of 'step'");
      span.log = false;
    }
    const bool is_wrong = (file_.has(place + ".step") && !given.step) ||
                          (file_.has(place + ".count") && !given.count);
    if (is_wrong) {
      parameter.values = counted_values(span, 1);
    } else if (given.step &&
               (span.to - span.from) / *given.step > static_cast<double>(kMaxPoints)) {
      error("step", fmt::format("the range has more than {} values", kMaxPoints));
    } else if (given.step) {
      parameter.values = stepped_values(span, *given.step);
    } else if (given.count) {
      parameter.values = counted_values(span, *given.count);
    } else if (file_->sample.kind == SampleKind::Grid) {
      error("to", "a range of a grid needs 'step' or 'count'");
      parameter.values = counted_values(span, 1);
    } else {
      parameter.span = span;
    }
  }

  [[nodiscard]] std::vector<Parameter> read_parameters() {
    std::vector<Parameter> parameters;
    for (const std::string& name : file_.in_file_order("parameters", *file_->parameters)) {
      const std::string place = "parameters." + name;
      add_parameter(name, place);
      Parameter& parameter = parameters.emplace_back(Parameter{name});
      const auto& given = file_->parameters->at(name);
      if (const auto* const span = std::get_if<SpanFile>(&given)) {
        read_span(*span, place, parameter);
      } else {
        parameter.values = values_of(std::get<std::vector<common::ScalarText>>(given), place);
      }
      if (parameter.values.empty() && !parameter.span) parameter.values = {{"0", 0.0}};
    }
    return parameters;
  }

  /// Reads the points of `list`. The first one says which parameters there are.
  void read_points() {
    std::set<std::vector<std::string>> seen;
    for (std::size_t i = 0; i < file_->list.size(); ++i) {
      const std::string place = fmt::format("list[{}]", i);
      const auto& given = file_->list[i];
      if (i == 0) {
        for (const std::string& name : file_.in_file_order(place, given)) {
          add_parameter(name, fmt::format("{}.{}", place, name));
        }
      }
      for (const auto& [name, value] : given) {
        const auto& known = plan_.parameters;
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        file_.error(fmt::format("{}.{}", place, name),
                    fmt::format("the first point has no value for '{}'", name));
      }
      PlanPoint point;
      std::vector<std::string> texts;
      for (const std::string& name : plan_.parameters) {
        const auto found = given.find(name);
        if (found == given.end()) {
          file_.error(place, fmt::format("the point has no value for '{}'", name));
        }
        point.push_back(value_of_text(found == given.end() ? "0" : found->second.text));
        texts.push_back(point.back().text);
      }
      if (!seen.insert(texts).second) file_.error(place, "the point is in the list twice");
      plan_.points.push_back(std::move(point));
    }
  }

  [[nodiscard]] std::vector<Constraint> read_constraints() {
    std::vector<Constraint> constraints;
    for (std::size_t i = 0; i < file_->constraints.size(); ++i) {
      try {
        constraints.emplace_back(file_->constraints[i], plan_.parameters);
      } catch (const std::invalid_argument& error) {
        file_.error(fmt::format("constraints[{}]", i), error.what());
      }
    }
    return constraints;
  }

  /// Refuses names that would make two columns of the database the same.
  void check_columns() {
    std::vector<std::string> taken = fixed_columns();
    const auto add = [&](const char* key, const std::string& name) {
      if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
        file_.error(key, fmt::format("'{}' is already a column of the table of results", name));
      }
      taken.push_back(name);
    };
    for (const std::string& name : plan_.parameters) add("parameters", name);
    for (const Target& target : plan_.targets) add("targets", target.path);
  }

  void read_sampled_points() {
    const SampleFile& sample = file_->sample;
    const std::vector<Parameter> parameters = read_parameters();
    const std::vector<Constraint> constraints = read_constraints();
    const auto accepted = [&](const PlanPoint& point) {
      return std::all_of(constraints.begin(), constraints.end(),
                         [&](const Constraint& constraint) { return constraint.holds(point); });
    };
    if (sample.kind == SampleKind::Grid) {
      if (grid_size(parameters, kMaxPoints) > kMaxPoints) {
        file_.error("parameters", fmt::format("the grid has more than {} points", kMaxPoints));
        return;
      }
      plan_.points = grid(parameters);
      std::erase_if(plan_.points, [&](const PlanPoint& point) { return !accepted(point); });
      if (plan_.points.empty()) file_.error("constraints", "no point satisfies the constraints");
      return;
    }
    const auto draw = sample.kind == SampleKind::Random ? random_sample : latin_hypercube;
    plan_.points = draw(parameters, sample.points, sample.seed, accepted);
    if (plan_.points.size() < sample.points) {
      file_.error("sample", fmt::format("only {} of {} points differ and satisfy the constraints",
                                        plan_.points.size(), sample.points));
    }
  }

  common::Input<PlanFile>& file_;
  Plan plan_;
};

}  // namespace

const common::InputKind kPlanFile = {.name = "sweep-plan",
                                     .title = "A plan of kernbench sweep (YAML)",
                                     .form = common::form_of<PlanFile>};

Plan parse_plan(std::string text, const std::string& file) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::parse(text, file, diagnostics);
  common::Input<PlanFile> input(document.root(), diagnostics);
  Plan plan = PlanReader(input).read();
  diagnostics.throw_if_any();
  plan.file = file;
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
    } else if (name == kBench) {
      words.push_back(value);
    } else if (value == "true") {
      words.push_back(fmt::format("--{}", name));
    } else if (value != "false") {
      words.push_back(fmt::format("--{}={}", name, value));
    }
  }
  return words;
}

}  // namespace kernbench::farm
