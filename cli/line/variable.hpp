// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/line/check.hpp"
#include "common/numbers.hpp"

namespace kernbench::cli {

using Words = std::vector<std::string>;

/// The texts of a type of value. Specialized by types of other folders.
template <class T>
struct ValueText;

template <>
struct ValueText<std::string> {
  static constexpr const char* kType = "TEXT";
  static Check check() { return {}; }
  static std::string parse(const std::string& text) { return text; }
  static std::string print(const std::string& value) { return value; }
};

template <>
struct ValueText<std::filesystem::path> {
  static constexpr const char* kType = "TEXT";
  static Check check() { return {}; }
  static std::filesystem::path parse(const std::string& text) { return text; }
  static std::string print(const std::filesystem::path& value) { return value.string(); }
};

template <std::unsigned_integral T>
struct ValueText<T> {
  static constexpr const char* kType = "UINT";
  static Check check() { return whole_number(0, std::numeric_limits<T>::max()); }
  static T parse(const std::string& text) {
    return static_cast<T>(common::parse_u64(text).value());
  }
  static std::string print(T value) { return fmt::format("{}", value); }
};

template <>
struct ValueText<double> {
  static constexpr const char* kType = "FLOAT";
  static Check check() { return real_number(0.0, std::numeric_limits<double>::max()); }
  static double parse(const std::string& text) { return common::parse_double(text).value(); }
  static std::string print(double value) { return fmt::format("{}", value); }
};

/// A variable that an option sets.
struct Variable {
  std::string type;      ///< "TEXT", "UINT" or "FLOAT"; empty for a flag
  bool is_list = false;  ///< takes several values
  Check check{};         ///< condition of the type; without a problem if any text will do
  std::function<void(const Words& texts)> set;
  /// Returns the texts of the value: none for an optional value that is missing, and for a flag
  /// that is not set.
  std::function<Words()> texts;
  std::function<void()> reset;  ///< restores the value that it had at first
};

/// Returns the variable `value`, which must outlive it.
template <class T>
[[nodiscard]] Variable variable(T& value) {
  using Text = ValueText<T>;
  return {.type = Text::kType,
          .check = Text::check(),
          .set = [&value](const Words& texts) { value = Text::parse(texts.back()); },
          .texts = [&value] { return Words{Text::print(value)}; },
          .reset = [&value, first = value] { value = first; }};
}

template <class T>
[[nodiscard]] Variable variable(std::optional<T>& value) {
  using Text = ValueText<T>;
  return {.type = Text::kType,
          .check = Text::check(),
          .set = [&value](const Words& texts) { value = Text::parse(texts.back()); },
          .texts = [&value] { return value ? Words{Text::print(*value)} : Words{}; },
          .reset = [&value, first = value] { value = first; }};
}

template <class T>
[[nodiscard]] Variable variable(std::vector<T>& value) {
  using Text = ValueText<T>;
  return {.type = Text::kType,
          .is_list = true,
          .check = Text::check(),
          .set =
              [&value](const Words& texts) {
                value.clear();
                for (const std::string& text : texts) value.push_back(Text::parse(text));
              },
          .texts =
              [&value] {
                Words texts;
                for (const T& element : value) texts.push_back(Text::print(element));
                return texts;
              },
          .reset = [&value, first = value] { value = first; }};
}

/// Returns a flag, which makes `value` the opposite of what it is.
[[nodiscard]] inline Variable flag(bool& value) {
  return {.type = "",
          .set = [&value, first = value](const Words& /*texts*/) { value = !first; },
          .texts = [&value, first = value] { return value == first ? Words{} : Words{""}; },
          .reset = [&value, first = value] { value = first; }};
}

/// Returns what `take` does with the texts, for an option that is short for another.
[[nodiscard]] inline Variable shorthand(std::function<void(const Words& texts)> take,
                                        std::string type = "TEXT") {
  return {.type = std::move(type),
          .set = std::move(take),
          .texts = [] { return Words{}; },
          .reset = [] {}};
}

}  // namespace kernbench::cli
