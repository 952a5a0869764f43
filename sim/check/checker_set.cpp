// SPDX-License-Identifier: Apache-2.0
#include "sim/check/checker_set.hpp"

#include <algorithm>
#include <utility>

namespace kernbench::sim {

void CheckerSet::add(std::string name, Extension& checker) {
  entries_.push_back({std::move(name), &checker});
}

void CheckerSet::add_silent(std::string name, Extension& checker) {
  entries_.push_back({std::move(name), &checker, true});
}

bool CheckerSet::empty() const {
  return std::all_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.silent; });
}

bool CheckerSet::contains(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.name == name; });
}

std::vector<CheckerResult> CheckerSet::results() const {
  std::vector<CheckerResult> results;
  for (const auto& [name, checker, silent] : entries_) {
    if (silent && checker->failure_count() == 0) continue;
    results.push_back({name, checker->checks(), checker->failure_count()});
  }
  return results;
}

std::vector<Failure> CheckerSet::failures() const {
  std::vector<Failure> failures;
  for (const Entry& entry : entries_) {
    const std::vector<Failure>& kept = entry.checker->failures();
    failures.insert(failures.end(), kept.begin(), kept.end());
  }
  std::stable_sort(failures.begin(), failures.end(),
                   [](const Failure& a, const Failure& b) { return a.cycle < b.cycle; });
  return failures;
}

const CheckerResult* first_idle(std::span<const CheckerResult> checkers) {
  const auto idle = std::find_if(checkers.begin(), checkers.end(), [](const CheckerResult& c) {
    return c.checks == 0 && c.name != "watchdog";
  });
  return idle == checkers.end() ? nullptr : &*idle;
}

}  // namespace kernbench::sim
