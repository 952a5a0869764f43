// SPDX-License-Identifier: Apache-2.0
#include "model/bench/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "common/numbers.hpp"
#include "common/place_by_name.hpp"
#include "common/registration.hpp"
#include "common/text_distance.hpp"
#include "model/bench/bench_file.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

namespace {

constexpr std::string_view kAuto = "auto";

/// Filled before main() by the files of benches, in the linker's order; constant afterwards.
std::vector<Bench>& registered() {
  static std::vector<Bench> all;
  return all;
}

bool is_whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Registration::Registration(Bench bench) {
  const auto place = common::place_by_name(registered(), bench.name, "bench");
  if (!place) return;
  if (!bench.run) {
    common::refuse_registration(fmt::format("the bench '{}' has no function", bench.name));
    return;
  }
  registered().insert(*place, std::move(bench));
}

const std::vector<Bench>& benches() {
  return registered();
}

const Bench& find_bench(std::string_view name_or_index) {
  if (is_bench_file(name_or_index)) return find_bench(bench_of_file(std::string(name_or_index)));
  const std::vector<Bench>& all = benches();
  for (const Bench& bench : all) {
    if (bench.name == name_or_index) return bench;
  }
  if (!is_whole_number(name_or_index)) {
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const Bench& bench : all) names.push_back(bench.name);
    const auto nearest = common::nearest_name(name_or_index, names);
    throw std::invalid_argument(fmt::format(
        "unknown bench '{}'; {}", name_or_index,
        nearest ? fmt::format("did you mean '{}'?", *nearest) : "`kernbench list` shows all"));
  }
  std::size_t index = 0;
  std::from_chars(name_or_index.data(), name_or_index.data() + name_or_index.size(), index);
  if (index >= all.size()) {
    throw std::invalid_argument(
        fmt::format("unknown bench {}; benches are numbered 0 to {}", index, all.size() - 1));
  }
  return all[index];
}

std::string Mapping::name() const {
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const auto& [parameter, value] : values) {
    parts.push_back(fmt::format("{}={}", parameter, value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

const std::vector<Parameter>& common_parameters() {
  static const std::vector<Parameter> kAll = {
      {"cubes", "auto",
       "cubes of each SIP that take part, such as 4 or 4x2; auto: as many as take least time"},
      {"pes", "auto", "PEs of each cube that take part"}};
  return kAll;
}

ParameterValues own_parameters(const Bench& bench, ParameterValues values) {
  std::erase_if(values, [&bench](const auto& value) {
    return std::none_of(bench.parameters.begin(), bench.parameters.end(),
                        [&value](const Parameter& own) { return own.name == value.first; });
  });
  return values;
}

std::string cubes_text(const topology::Grid& cubes) {
  return fmt::format("{}x{}", cubes.nx, cubes.ny);
}

namespace {

/// Returns the rectangle of `count` cubes of a mesh whose sides differ least.
std::optional<topology::Grid> rectangle_of(std::uint64_t count, const topology::Grid& mesh) {
  std::optional<topology::Grid> best;
  for (std::uint32_t ny = 1; ny <= mesh.ny; ++ny) {
    if (count % ny != 0 || count / ny > mesh.nx) continue;
    const topology::Grid grid{static_cast<std::uint32_t>(count / ny), ny};
    const auto unlike = [](const topology::Grid& one) {
      return std::max(one.nx, one.ny) - std::min(one.nx, one.ny);
    };
    if (!best || unlike(grid) < unlike(*best)) best = grid;
  }
  return best;
}

/// Parses "4" or "4x2".
std::optional<topology::Grid> parse_cubes(const std::string& text, const topology::Grid& mesh) {
  const std::size_t by = text.find('x');
  const auto first = common::parse_u64(text.substr(0, by));
  if (!first || *first == 0) return std::nullopt;
  if (by == std::string::npos) return rectangle_of(*first, mesh);
  const auto second = common::parse_u64(text.substr(by + 1));
  if (!second || *second == 0 || *first > mesh.nx || *second > mesh.ny) return std::nullopt;
  return topology::Grid{static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*second)};
}

}  // namespace

runtime::DevicePart part_of(const Bench& bench, const ParameterValues& values,
                            const topology::TopologySpec& spec) {
  const ParameterValues own = own_parameters(bench, values);
  const auto is_common = [&own](const char* name) { return !own.contains(name); };
  const topology::Grid mesh = runtime::DevicePart().grid(spec);
  runtime::DevicePart part;
  if (const std::string& cubes = values.at("cubes"); cubes != kAuto && is_common("cubes")) {
    part.cubes = parse_cubes(cubes, mesh);
    if (!part.cubes) {
      throw runtime::BadParameter(fmt::format(
          "parameter 'cubes' must be auto, a rectangle of the {} cubes of a SIP such as "
          "{}, or a number of cubes that makes one, not '{}'",
          cubes_text(mesh), cubes_text(mesh), cubes));
    }
  }
  if (const std::string& pes = values.at("pes"); pes != kAuto && is_common("pes")) {
    const auto count = common::parse_u64(pes);
    if (!count || *count == 0 || *count > spec.cube.pes()) {
      throw runtime::BadParameter(fmt::format(
          "parameter 'pes' must be auto or a number from 1 to {}, the PEs of a cube, not "
          "'{}'",
          spec.cube.pes(), pes));
    }
    part.pes = static_cast<std::uint32_t>(*count);
  }
  return part;
}

ParameterValues resolve_parameters(const Bench& bench, const ParameterValues& given) {
  ParameterValues values;
  std::vector<std::string> names;
  for (const std::vector<Parameter>* parameters : {&bench.parameters, &common_parameters()}) {
    for (const Parameter& parameter : *parameters) {
      if (values.try_emplace(parameter.name, parameter.value).second) {
        names.push_back(parameter.name);
      }
    }
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::vector<std::string> errors;
  for (const auto& [name, value] : given) {
    const auto known = values.find(name);
    if (known == values.end()) {
      errors.push_back(fmt::format("bench '{}' has no parameter '{}'; it has {}{}", bench.name,
                                   name, fmt::join(names, ", "),
                                   common::did_you_mean(name, views)));
    } else if (is_whole_number(known->second) && !is_whole_number(value)) {
      errors.push_back(fmt::format("parameter '{}' must be a whole number such as {}, not '{}'",
                                   name, known->second, value));
    } else {
      known->second = value;
    }
  }
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "\n")));
  return values;
}

}  // namespace kernbench::model::bench
