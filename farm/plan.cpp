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
#include "farm/quantity.hpp"
#include "farm/sampling.hpp"
#include "farm/store.hpp"

namespace kernbench::farm {
namespace {

/// Options of these commands that a sweep sets itself, or that would make points write to one file.
constexpr std::array<std::string_view, 10> kOwnOptions = {
    "watch", "json", "html", "trace", "plot", "oplog", "report", "help", "quiet", "verbose"};

/// The command that writes its reports to a folder.
constexpr std::string_view kSim = "sim";

/// The argument of `run`, which a plan sets as it does an option.
constexpr std::string_view kBench = "bench";

bool is_own_option(std::string_view name) {
  return std::find(kOwnOptions.begin(), kOwnOptions.end(), name) != kOwnOptions.end();
}

std::string option_of(std::string_view word) {
  if (!word.starts_with("--")) return {};
  return std::string(word.substr(2, word.find('=') - 2));
}

/// Appends the words that set a parameter.
void add_words(const std::string& name, const std::string& value, std::vector<std::string>& words) {
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

/// Reads a plan from a file whose form is right, and reports what its form does not say.
class PlanReader {
 public:
  explicit PlanReader(common::Input<PlanFile>& file) : file_(file) {}

  [[nodiscard]] Plan read() {
    plan_.command_position = file_.places().position("command");
    read_command();
    for (const std::string& name : file_.in_file_order("targets", file_->targets)) {
      add_target(name, file_->targets.at(name));
    }
    if (file_.has("list")) {
      read_points();
    } else if (file_->parameters) {
      read_sampled_points();
    }
    check_columns();
    read_search();
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
    } else if (is_grid()) {
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
        if (span->scale == Scale::Log) plan_.log_parameters.push_back(name);
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
    keep_allowed(read_constraints());
  }

  /// Returns whether the points are all combinations of values; a search looks among them.
  [[nodiscard]] bool is_grid() const {
    const SampleKind kind = file_->sample.kind;
    return kind == SampleKind::Grid || kind == SampleKind::Search;
  }

  /// Removes the points that do not satisfy constraints of parameters alone.
  void keep_allowed(const std::vector<Constraint>& constraints) {
    std::erase_if(plan_.points, [&](const PlanPoint& point) {
      return std::any_of(constraints.begin(), constraints.end(),
                         [&](const Constraint& one) { return !one.holds(point); });
    });
    if (plan_.points.empty()) file_.error("constraints", "no point satisfies the constraints");
  }

  void add_target(const std::string& name, const std::variant<Direction, TargetFile>& given) {
    Target& target = plan_.targets.emplace_back();
    target.name = name;
    target.position = file_.places().position("targets." + name);
    if (const auto* const direction = std::get_if<Direction>(&given)) {
      target.direction = *direction;
      return;
    }
    const auto& more = std::get<TargetFile>(given);
    target.direction = more.goal;
    target.of = more.of;
    target.unit = more.unit;
  }

  /// Leaves the points that satisfy the constraints that are known before they run.
  [[nodiscard]] std::vector<Constraint> read_constraints() {
    std::vector<Constraint> before;
    for (std::size_t i = 0; i < file_->constraints.size(); ++i) {
      const std::string& text = file_->constraints[i];
      try {
        Constraint constraint(text, plan_.parameters, plan_.targets);
        if (constraint.is_of_parameters()) {
          before.push_back(std::move(constraint));
        } else {
          plan_.limits.push_back(text);
        }
      } catch (const std::invalid_argument& error) {
        file_.error(fmt::format("constraints[{}]", i), error.what());
      }
    }
    return before;
  }

  /// Refuses expressions that cannot be parsed.
  void check_target(const Target& target) {
    if (target.of.empty() || target.of.starts_with('/')) return;
    try {
      (void)Expression(target.of, plan_.parameters);
    } catch (const std::invalid_argument& error) {
      file_.error(fmt::format("targets.{}.of", target.name), error.what());
    }
  }

  void read_search() {
    const SampleFile& sample = file_->sample;
    if (sample.kind != SampleKind::Search) return;
    Search& search = plan_.search.emplace();
    search.most_points = sample.points;
    for (const std::string& name : file_.in_file_order("sample.screen", sample.screen)) {
      const std::string place = "sample.screen." + name;
      check_name(name, place);
      const auto& known = plan_.parameters;
      if (std::find(known.begin(), known.end(), name) != known.end()) {
        file_.error(place, fmt::format("'{}' is a parameter of the plan", name));
      }
      add_words(name, sample.screen.at(name).text, search.screen);
    }
    if (search.screen.empty() && plan_.command.front() == "run") {
      search.screen = {"--fidelity=message"};
    }
    const bool has_goal =
        std::any_of(plan_.targets.begin(), plan_.targets.end(),
                    [](const Target& target) { return target.direction != Direction::None; });
    if (!has_goal) file_.error("targets", "a search needs a target that is to be small or large");
    if (search.screen.empty()) {
      file_.error("sample", fmt::format("a search of '{}' needs 'screen'", plan_.command.front()),
                  "options that make a run a cheap estimate, such as {seconds: 0.01} of serve");
    }
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
    for (const Target& target : plan_.targets) {
      add("targets", target.name);
      check_target(target);
    }
  }

  void read_sampled_points() {
    const SampleFile& sample = file_->sample;
    const std::vector<Parameter> parameters = read_parameters();
    const std::vector<Constraint> constraints = read_constraints();
    const auto accepted = [&](const PlanPoint& point) {
      return std::all_of(constraints.begin(), constraints.end(),
                         [&](const Constraint& constraint) { return constraint.holds(point); });
    };
    if (is_grid()) {
      if (grid_size(parameters, kMaxPoints) > kMaxPoints) {
        file_.error("parameters", fmt::format("the grid has more than {} points", kMaxPoints));
        return;
      }
      plan_.points = grid(parameters);
      return keep_allowed(constraints);
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

std::string Target::time_unit() const {
  if (!unit.empty()) return seconds_of(unit) ? unit : std::string();
  if (!of.empty()) return {};
  const std::size_t line = name.rfind('_');
  const std::string ending = line == std::string::npos ? "" : name.substr(line + 1);
  return seconds_of(ending) ? ending : std::string();
}

Value value_of_text(const std::string& text) {
  return {text, common::parse_double(text)};
}

std::string report_folder(const Plan& plan, const PlanPoint& point) {
  if (plan.command.front() != kSim) return {};
  std::string name;
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    name += fmt::format("{}{}={}", i == 0 ? "" : ",", plan.parameters[i], point[i].text);
  }
  std::replace(name.begin(), name.end(), '/', '_');
  return fmt::format("{}.reports/{}", std::filesystem::path(plan.file).stem().string(), name);
}

std::vector<std::string> words_of(const Plan& plan, const PlanPoint& point) {
  std::vector<std::string> words = plan.command;
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    add_words(plan.parameters[i], point[i].text, words);
  }
  if (const std::string folder = report_folder(plan, point); !folder.empty()) {
    words.push_back("--report=" + folder);
  }
  return words;
}

Plan screening_of(const Plan& plan) {
  Plan cheap = plan;
  const std::vector<std::string>& words = plan.search.value().screen;
  cheap.command.insert(cheap.command.end(), words.begin(), words.end());
  cheap.search.reset();
  return cheap;
}

}  // namespace kernbench::farm
