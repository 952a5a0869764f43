// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "model/runtime/context.hpp"

namespace kernbench::model::runtime {

std::string text_of(const std::map<std::string, std::string>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  }
  return text.empty() ? "no parameters" : text;
}

const std::string& Context::parameter(const std::string& name) const {
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    throw std::out_of_range(fmt::format("the bench has no parameter '{}'", name));
  }
  return found->second;
}

std::uint64_t Context::number(const std::string& name, std::uint64_t least) const {
  const std::string& text = parameter(name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw BadParameter(fmt::format("parameter '{}' must be a whole number, not '{}'", name, text));
  }
  if (number < least) {
    throw BadParameter(
        fmt::format("parameter '{}' must be at least {}, not {}", name, least, text));
  }
  return number;
}

std::string Context::choice(const std::string& name,
                            const std::vector<std::string_view>& values) const {
  const std::string& text = parameter(name);
  if (std::find(values.begin(), values.end(), text) == values.end()) {
    throw BadParameter(fmt::format("parameter '{}' must be one of {}, not '{}'", name,
                                   fmt::join(values, ", "), text));
  }
  return text;
}

data::DataType Context::type(const std::string& name) const {
  std::vector<std::string_view> names;
  names.reserve(std::size(data::kDataTypes));
  for (const data::DataTypeInfo& type : data::kDataTypes) names.push_back(type.name);
  return data::data_type_of(choice(name, names)).value();
}

std::optional<std::uint64_t> Context::number_or_auto(const std::string& name,
                                                     std::uint64_t least) const {
  if (parameter(name) == "auto") return std::nullopt;
  try {
    return number(name, least);
  } catch (const BadParameter& error) {
    throw BadParameter(fmt::format("{} (or auto)", error.what()));
  }
}

DpPolicy Context::policy(const std::string& name, const std::optional<DpPolicy>& automatic) const {
  std::vector<std::string_view> names;
  if (automatic) names.emplace_back("auto");
  for (const NamedPolicy& one : kNamedPolicies) names.push_back(one.name);
  const std::string text = choice(name, names);
  if (text == "auto") return *automatic;
  return policy_of(text).value();
}

}  // namespace kernbench::model::runtime
