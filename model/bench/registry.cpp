// SPDX-License-Identifier: Apache-2.0
#include "model/bench/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "common/registration.hpp"
#include "common/text_distance.hpp"
#include "model/bench/place_by_name.hpp"

namespace kernbench::model::bench {

namespace {

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

bool is_kebab_case(std::string_view name) {
  if (name.empty() || name.front() == '-' || name.back() == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

Registration::Registration(Bench bench) {
  const auto place = place_by_name(registered(), bench.name, "bench");
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
  const std::vector<Bench>& all = benches();
  for (const Bench& bench : all) {
    if (bench.name == name_or_index) return bench;
  }
  if (!is_whole_number(name_or_index)) {
    std::vector<std::string_view> names;
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

std::map<std::string, std::string> resolve_parameters(
    const Bench& bench, const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> values;
  std::vector<std::string> names;
  for (const Parameter& parameter : bench.parameters) {
    values[parameter.name] = parameter.value;
    names.push_back(parameter.name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::vector<std::string> errors;
  for (const auto& [name, value] : given) {
    const auto known = values.find(name);
    if (known == values.end()) {
      errors.push_back(
          names.empty()
              ? fmt::format("bench '{}' has no parameters; '{}' was given", bench.name, name)
              : fmt::format("bench '{}' has no parameter '{}'; it has {}{}", bench.name, name,
                            fmt::join(names, ", "), common::did_you_mean(name, views)));
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
