// SPDX-License-Identifier: Apache-2.0
#include "farm/plan_form.hpp"

#include <algorithm>
#include <string_view>

#include "common/description.hpp"

namespace kernbench::common {

using farm::PlanFile;
using farm::SampleFile;
using farm::SampleKind;
using farm::Scale;
using farm::SpanFile;
using farm::TargetFile;

namespace {

constexpr std::array<EnumName<SampleKind>, 4> kSampleKinds = {{
    {"grid", SampleKind::Grid},
    {"random", SampleKind::Random},
    {"latin-hypercube", SampleKind::LatinHypercube},
    {"search", SampleKind::Search},
}};
constexpr std::array<EnumName<Scale>, 2> kScales = {
    {{"linear", Scale::Linear}, {"log", Scale::Log}}};

bool is_parameter(std::string_view name) {
  constexpr std::string_view kRest = ".[]_-";
  const bool prefixed = name.starts_with("bench.") || name.starts_with("topology.");
  const auto is_spelled = [kRest](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kRest.find(c) != std::string_view::npos;
  };
  if (prefixed) {
    name.remove_prefix(name.find('.') + 1);
  } else if (name.find_first_of(".[]") != std::string_view::npos) {
    return false;
  }
  return !name.empty() && std::all_of(name.begin(), name.end(), is_spelled);
}

constexpr TextRule kParameterRule = {
    R"(^((bench|topology)\.[A-Za-z0-9.\[\]_-]+|[A-Za-z0-9_-]+)$)", "a parameter", is_parameter,
    "topology.KEY of a topology file, bench.NAME of a bench, or an option without '--'"};

}  // namespace

template <>
const Description<SampleFile>& description_of() {
  static const auto kAll =
      Description<SampleFile>()
          .add_named("kind", &SampleFile::kind, kSampleKinds)
          .optional()
          .add("points", &SampleFile::points, "number of points; of a search, at most")
          .within(1, farm::kMaxPoints)
          .only_if("kind", {"random", "latin-hypercube", "search"})
          .add("seed", &SampleFile::seed)
          .optional()
          .only_if("kind", {"random", "latin-hypercube"})
          .add("screen", &SampleFile::screen,
               "options that make a run a cheap estimate; default of run: fidelity: message")
          .rule(kParameterRule)
          .optional()
          .only_if("kind", {"search"});
  return kAll;
}

template <>
const Description<SpanFile>& description_of() {
  static const auto kAll = Description<SpanFile>()
                               .add("from", &SpanFile::from)
                               .add("to", &SpanFile::to)
                               .add("step", &SpanFile::step, "difference of two values")
                               .above(0)
                               .add("count", &SpanFile::count, "number of values")
                               .within(1, farm::kMaxPoints)
                               .add_named("scale", &SpanFile::scale, kScales)
                               .add("whole", &SpanFile::whole, "values are whole numbers")
                               .optional_from("step")
                               .at_most_one("step", "count");
  return kAll;
}

template <>
const Description<TargetFile>& description_of() {
  static const auto kAll =
      Description<TargetFile>()
          .add("of", &TargetFile::of,
               "expression of parameters, keys of the topology and fields of the report")
          .add("goal", &TargetFile::goal)
          .optional()
          .add("unit", &TargetFile::unit, "unit of the value")
          .optional();
  return kAll;
}

template <>
const Description<PlanFile>& description_of() {
  static const auto kAll =
      Description<PlanFile>()
          .add("command", &PlanFile::command, "words after kernbench that all points share")
          .not_empty()
          .refine([](ValueForm& command) {
            ValueForm& first = command.parts.emplace_back();
            first.kind = ValueForm::Kind::Text;
            first.choices = {"run", "serve", "traffic", "probe", "evaluate", "cosim", "sim"};
          })
          .add("parameters", &PlanFile::parameters, "values of each parameter, or their range")
          .not_empty()
          .rule(kParameterRule)
          .refine([](ValueForm& names) { names.items().parts.at(0).least = 1; })  // of a list
          .optional()
          .add("list", &PlanFile::list, "points, each with a value for every parameter")
          .within(1, farm::kMaxPoints)
          .items_at_least(1)
          .refine([](ValueForm& points) { points.items().names = &kParameterRule; })
          .optional()
          .add("sample", &PlanFile::sample, "how points are chosen")
          .optional()
          .add("constraints", &PlanFile::constraints,
               "comparisons of parameters and targets that points have to satisfy")
          .optional()
          .add("targets", &PlanFile::targets,
               "values that each row has, and which of them are to be small or large: a field of "
               "the "
               "report, or a name with what it is")
          .not_empty()
          .either({"parameters", "list"})
          .at_most_one("list", "sample");
  return kAll;
}

}  // namespace kernbench::common
