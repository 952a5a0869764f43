// SPDX-License-Identifier: Apache-2.0
#include "farm/expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <deque>
#include <regex>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "common/numbers.hpp"

namespace kernbench::farm {
namespace {

constexpr std::array<std::string_view, 8> kFunctions = {"min", "max", "abs",  "sqrt",
                                                        "exp", "ln",  "log2", "log10"};
constexpr std::array<std::string_view, 6> kComparisons = {"<=", ">=", "==", "!=", "<", ">"};
constexpr std::array<std::string_view, 2> kConnectives = {"&&", "||"};
constexpr std::string_view kArithmetic = "+-*/^,";

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_of_name(char c) {
  return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 ||
         std::string_view(".[]").find(c) != std::string_view::npos;
}

template <std::size_t N>
std::string_view found_in(const std::array<std::string_view, N>& words, std::string_view rest) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](std::string_view word) { return rest.starts_with(word); });
  return found == words.end() ? std::string_view() : *found;
}

/// Returns the name with which `rest` begins: the longest known one, or else any; may be empty.
std::string name_at(std::string_view rest, const std::vector<std::string>& known) {
  std::string longest;
  for (const std::string& name : known) {
    const bool is_whole =
        rest.starts_with(name) && (rest.size() == name.size() || !is_of_name(rest[name.size()]));
    if (is_whole && name.size() > longest.size()) longest = name;
  }
  if (!longest.empty() || !is_letter(rest.front())) return longest;
  return {rest.begin(), std::find_if_not(rest.begin(), rest.end(), is_of_name)};
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument(fmt::format("'{}' is not an expression: {}", text, why));
}

/// Translates an expression for the library, in which the names are v0, v1, ...
class Translator {
 public:
  Translator(const std::string& text, const std::vector<std::string>& known,
             const Expression::Unit& unit)
      : text_(text), known_(known), unit_(unit) {
    while (at_ < text_.size()) take();
  }

  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool compares() const { return compares_; }

 private:
  void pass(std::string_view word) {
    code_ += word;
    at_ += word.size();
  }

  void take() {
    const std::string_view rest = std::string_view(text_).substr(at_);
    const char c = rest.front();
    if (c == ' ') return pass(" ");
    if (c == '(' || c == ')') {
      if (c == '(') has_compared_.push_back(false);
      if (c == ')' && has_compared_.size() > 1) has_compared_.pop_back();
      return pass(rest.substr(0, 1));
    }
    if (const auto word = found_in(kComparisons, rest); !word.empty()) {
      if (has_compared_.back()) refuse(text_, "it compares a comparison; join them with &&");
      has_compared_.back() = compares_ = true;
      return pass(word);
    }
    if (const auto word = found_in(kConnectives, rest); !word.empty()) {
      has_compared_.back() = false;
      return pass(word);
    }
    if (const std::string name = name_at(rest, known_); !name.empty()) return take_name(name);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return take_number(rest);
    if (kArithmetic.find(c) != std::string_view::npos) return pass(rest.substr(0, 1));
    refuse(text_, fmt::format("'{}' is neither a name nor an operator", c));
  }

  void take_name(const std::string& name) {
    at_ += name.size();
    const std::size_t next = text_.find_first_not_of(' ', at_);
    if (next != std::string::npos && text_[next] == '(') {
      if (std::find(kFunctions.begin(), kFunctions.end(), name) == kFunctions.end()) {
        refuse(text_, fmt::format("'{}' is not one of the functions {}", name,
                                  fmt::join(kFunctions, ", ")));
      }
      code_ += name;
      return;
    }
    const auto known = std::find(names_.begin(), names_.end(), name);
    code_ += fmt::format("v{}", known - names_.begin());
    if (known == names_.end()) names_.push_back(name);
  }

  void take_number(std::string_view rest) {
    static const std::regex kNumber(R"(^\d+(\.\d+)?([eE][-+]?\d+)?)");
    std::cmatch match;
    std::regex_search(rest.begin(), rest.end(), match, kNumber);
    double number = common::parse_double(match.str()).value_or(0.0);
    at_ += static_cast<std::size_t>(match.length());
    const std::size_t next = std::min(text_.find_first_not_of(' ', at_), text_.size());
    const auto is_letter_of_unit = [](char c) {
      return std::isalpha(static_cast<unsigned char>(c)) != 0;
    };
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(next);
    const std::string word(begin, std::find_if_not(begin, text_.end(), is_letter_of_unit));
    if (!word.empty()) {
      const std::optional<double> factor = unit_ ? unit_(word) : std::nullopt;
      if (!factor) {
        refuse(text_, fmt::format("'{}' behind a number is not a unit of what it limits", word));
      }
      number *= *factor;
      at_ = next + word.size();
    }
    code_ += fmt::format("{}", number);
  }

  const std::string& text_;
  const std::vector<std::string>& known_;
  const Expression::Unit& unit_;
  std::size_t at_ = 0;
  std::string code_;
  std::vector<std::string> names_;
  bool compares_ = false;
  std::vector<bool> has_compared_ = {false};  ///< by depth of parentheses
};

}  // namespace

struct Expression::Code {
  mu::Parser parser;
  std::deque<double> values;  ///< values of the names, where the parser looks for them
};

Expression::Expression(const std::string& text, const std::vector<std::string>& known,
                       const Unit& unit) {
  read_equality(text, known);
  if (!names_.empty()) return;
  const Translator translator(text, known, unit);
  names_ = translator.names();
  is_comparison_ = translator.compares();
  code_ = std::make_unique<Code>();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    code_->parser.DefineVar(fmt::format("v{}", i), &code_->values.emplace_back());
  }
  try {
    code_->parser.SetExpr(translator.code());
    (void)code_->parser.Eval();
  } catch (...) {  // naming the type of the library would export it to plugins
    refuse(text, "it is not complete, or two values or two operators stand side by side");
  }
  if (code_->parser.GetNumResults() > 1) refuse(text, "it has several values");
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

void Expression::read_equality(const std::string& text, const std::vector<std::string>& known) {
  static const std::regex kEquality(R"(^ *(\S+) *(==|!=) *([A-Za-z_][^\s=!<>()*+^,]*) *$)");
  std::smatch match;
  if (!std::regex_match(text, match, kEquality)) return;
  if (std::find(known.begin(), known.end(), match[1]) == known.end()) return;
  is_comparison_ = true;
  wants_equal_ = match[2] == "==";
  names_ = {match[1]};
  if (std::find(known.begin(), known.end(), match[3]) != known.end()) {
    names_.push_back(match[3]);
  } else {
    word_.text = match[3];
  }
}

std::optional<double> Expression::value(const std::vector<Value>& values) const {
  if (code_) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i].number) return std::nullopt;
      code_->values[i] = *values[i].number;
    }
    const double result = code_->parser.Eval();
    return std::isfinite(result) ? std::optional(result) : std::nullopt;
  }
  const Value& left = values[0];
  const Value& right = values.size() > 1 ? values[1] : word_;
  const bool equal =
      left.number && right.number ? *left.number == *right.number : left.text == right.text;
  return equal == wants_equal_ ? 1.0 : 0.0;
}

}  // namespace kernbench::farm
