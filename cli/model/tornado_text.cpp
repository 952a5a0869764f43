// SPDX-License-Identifier: Apache-2.0
#include "cli/model/tornado_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>

#include "cli/base/console.hpp"
#include "cli/base/text_table.hpp"

namespace kernbench::cli {

using model::bench::Change;
using model::bench::TornadoRow;

namespace {

constexpr std::size_t kKeyWidth = 55;
constexpr std::size_t kBarWidth = 16;

std::string keys_of(const TornadoRow& row) {
  return fmt::format("{}", fmt::join(row.keys, " + "));
}

/// Prints words in lines; all but the first begin with two blanks.
void print_wrapped(const std::string& text) {
  print("{}\n", wrapped(text, 2));
}

std::string percent_text(const std::optional<Change>& change) {
  if (!change) return "-";
  const std::string percent = fmt::format("{:+.1f}", change->whole.percent());
  return change->whole.is_difference() ? percent : fmt::format("({})", percent);
}

/// A scale of bars, in percent.
class Bars {
 public:
  explicit Bars(const std::vector<TornadoRow>& rows) {
    std::tie(least_, most_) = model::bench::range_of(rows);
  }

  [[nodiscard]] std::string heading() const {
    return fmt::format("{:.0f} to {:+.0f} %", least_, most_);
  }
  /// Returns a bar over the changes of a row, with a line at none.
  [[nodiscard]] std::string bar(const TornadoRow& row) const {
    const auto [from, to] = row.range();
    std::string bar(kBarWidth, ' ');
    for (std::size_t i = cell(from); i <= cell(to); ++i) bar[i] = '=';
    bar[cell(0.0)] = '|';
    return bar.substr(0, bar.find_last_not_of(' ') + 1);
  }

 private:
  [[nodiscard]] std::size_t cell(double percent) const {
    if (most_ == least_) return 0;
    const double share = (percent - least_) / (most_ - least_);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(kBarWidth - 1)));
  }

  double least_ = 0.0;
  double most_ = 0.0;
};

void print_names(const std::string& what, const std::vector<std::string>& names) {
  if (!names.empty()) print_wrapped(fmt::format("{}: {}", what, fmt::join(names, ", ")));
}

/// Says which changes of a row were not simulated, and why.
void print_left_out(const TornadoRow& row) {
  const auto say = [&](const char* what, std::string reason) {
    for (auto at = reason.find('\n'); at != std::string::npos; at = reason.find('\n')) {
      reason.replace(at, 1, "; ");
    }
    if (!reason.empty())
      print_wrapped(fmt::format("left out: {}{}: {}", what, keys_of(row), reason));
  };
  if (row.no_half == row.no_twice) return say("", row.no_half);
  say("half of ", row.no_half);
  say("twice ", row.no_twice);
}

}  // namespace

void print_tornado(const std::vector<TornadoRow>& rows) {
  const Bars bars(rows);
  std::vector<std::string> within;
  std::vector<std::string> without;
  print("\n{:<{}}{:>10}{:>9}{:>9} {}\n", "tornado, % of time (less than the band in brackets)",
        kKeyWidth, "value", "half", "twice", bars.heading());
  for (const TornadoRow& row : rows) {
    if (!row.is_difference()) {
      if (row.reach() >= 0.0) (row.is_without_effect() ? without : within).push_back(keys_of(row));
      continue;
    }
    for (std::size_t i = 0; i + 1 < row.keys.size(); ++i) print("{} +\n", row.keys[i]);
    print("{:<{}}{:>10}{:>9}{:>9} {}\n", row.keys.back(), kKeyWidth, row.value.value(),
          percent_text(row.half), percent_text(row.twice), bars.bar(row));
  }
  print_names("within the band", within);
  print_names("without any effect", without);
  for (const TornadoRow& row : rows) print_left_out(row);
}

}  // namespace kernbench::cli
