// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/bisect_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/rtl/judge_case.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/numbers.hpp"
#include "common/temporary_files.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using common::Outcome;

constexpr std::uint64_t kMostSeeds = 1000;

/// An option and its values.
struct Range {
  std::string option;  ///< "--cycles"
  std::vector<std::string> values;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool halves = false;  ///< from `first` to `last`, in place of the values
};

Range parse_range(const std::string& over) {
  const auto equals = over.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == over.size()) {
    throw BadInput(fmt::format(
        "--over: '{}' is neither NAME=A,B,C nor NAME=FIRST..LAST, such as cycles=100..20000",
        over));
  }
  Range range;
  range.option = "--" + over.substr(0, equals);
  const std::string text = over.substr(equals + 1);
  const auto dots = text.find("..");
  if (dots == std::string::npos) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      range.values.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return range;
  }
  const auto first = common::parse_u64(text.substr(0, dots));
  const auto last = common::parse_u64(text.substr(dots + 2));
  if (!first || !last || *first >= *last) {
    throw BadInput(
        fmt::format("--over: '{}' is not a range of whole numbers, such as 1..40", text));
  }
  range.first = *first;
  range.last = *last;
  range.halves = range.option != "--seed";
  if (range.halves) return range;
  if (range.last - range.first >= kMostSeeds) {
    throw BadInput(fmt::format("--over: at most {} seeds can be tried", sim::grouped(kMostSeeds)));
  }
  for (std::uint64_t seed = *first; seed <= *last; ++seed) {
    range.values.push_back(std::to_string(seed));
  }
  return range;
}

class OptionSearch {
 public:
  OptionSearch(const FailureFile& failure, const std::string& path, Range range,
               const Invocation& invocation)
      : failure_(failure),
        path_(path),
        range_(std::move(range)),
        invocation_(invocation),
        scratch_(fs::temp_directory_path() / "kernbench-bisect") {
    for (const std::string& value : range_.values) check(value);
    if (range_.halves) {
      check(std::to_string(range_.first));
      check(std::to_string(range_.last));
    }
  }

  Outcome run() { return range_.halves ? halve() : try_all(); }

 private:
  /// Returns the command of the failure with another value of the option.
  [[nodiscard]] FailureFile with(const std::string& value) const {
    FailureFile changed = failure_;
    const auto at = std::find(changed.words.begin(), changed.words.end(), range_.option);
    if (at != changed.words.end() && at + 1 != changed.words.end()) {
      *(at + 1) = value;
    } else {
      changed.words.push_back(range_.option);
      changed.words.push_back(value);
    }
    return changed;
  }
  void check(const std::string& value) const { (void)options_of(with(value), path_, invocation_); }

  Verdict judge_at(const std::string& value) {
    const Verdict verdict = judge(with(value).words, invocation_, fs::current_path(), scratch_);
    print("{:<10}  {} {}\n", text_of(verdict), range_.option, value);
    std::fflush(stdout);
    return verdict;
  }

  Outcome try_all() {
    std::vector<std::string> failing;
    std::size_t judged = 0;
    for (const std::string& value : range_.values) {
      if (common::interrupted()) return Outcome::Interrupted;
      const Verdict verdict = judge_at(value);
      judged += verdict == Verdict::Unknown ? 0 : 1;
      if (verdict == Verdict::Bad) failing.push_back(value);
    }
    if (judged == 0) {
      print("no value could be judged\n");
      return Outcome::Vacuous;
    }
    print("fails with {} of {}{}\n", failing.size(), sim::counted(judged, "value"),
          failing.empty() ? "" : fmt::format(": {} {}", range_.option, fmt::join(failing, ", ")));
    return Outcome::Pass;
  }

  void require(std::uint64_t value, Verdict wanted) {
    if (judge_at(std::to_string(value)) == wanted) return;
    throw BadInput(fmt::format("--over: the case has to be one that {} with {} {}, and is not",
                               text_of(wanted), range_.option, value));
  }

  Outcome halve() {
    std::uint64_t good = range_.first;
    std::uint64_t bad = range_.last;
    require(good, Verdict::Good);
    require(bad, Verdict::Bad);
    while (bad - good > 1) {
      if (common::interrupted()) return Outcome::Interrupted;
      const std::uint64_t middle = good + (bad - good) / 2;
      const Verdict verdict = judge_at(std::to_string(middle));
      if (verdict == Verdict::Unknown) {
        print("{} {} cannot be judged: the least that fails is above {} and at most {}\n",
              range_.option, middle, good, bad);
        return Outcome::Vacuous;
      }
      (verdict == Verdict::Good ? good : bad) = middle;
    }
    print("fails from {} {} on\n", range_.option, bad);
    return Outcome::Pass;
  }

  const FailureFile& failure_;
  const std::string& path_;
  Range range_;
  const Invocation& invocation_;
  common::TemporaryFolder scratch_;
};

}  // namespace

Outcome bisect_over(const FailureFile& failure, const std::string& path, const std::string& over,
                    const Invocation& invocation) {
  const common::InterruptGuard guard;
  return OptionSearch(failure, path, parse_range(over), invocation).run();
}

}  // namespace kernbench::cli
