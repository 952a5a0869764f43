// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/known_failures.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/form_reader.hpp"

namespace kernbench::common {

using sim::KnownFailure;
using sim::KnownFailures;

template <>
const Description<KnownFailure>& description_of() {
  static const auto kAll =
      Description<KnownFailure>()
          .add("suite", &KnownFailure::suite, "suite, or name of one case")
          .optional()
          .add("checker", &KnownFailure::checker, "of the first failure")
          .optional()
          .add("kind", &KnownFailure::kind, "of the first failure")
          .optional()
          .add("reason", &KnownFailure::reason, "such as a ticket")
          .not_empty()
          .add("until", &KnownFailure::until, "last day on which it is known, as YYYY-MM-DD")
          .not_empty();
  return kAll;
}

template <>
const Description<KnownFailures>& description_of() {
  static const auto kAll =
      Description<KnownFailures>()
          .add("known_failures", &KnownFailures::entries, "failures that do not fail a regression")
          .not_empty();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {
namespace {

bool is_day(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const std::string digits = text.substr(0, 4) + text.substr(5, 2) + text.substr(8, 2);
  if (digits.find_first_not_of("0123456789") != std::string::npos) return false;
  const auto number = [&](std::size_t at, std::size_t length) {
    return static_cast<unsigned>(std::stoi(digits.substr(at, length)));
  };
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(number(0, 4))),
                                     std::chrono::month(number(4, 2)),
                                     std::chrono::day(number(6, 2)))
      .ok();
}

bool may_be_known(const CaseResult& one) {
  return one.outcome != common::Outcome::Pass && !one.fault && !one.failures.empty() &&
         one.pattern != kStructurePattern && one.pattern != kCoveragePattern;
}

bool applies(const KnownFailure& entry, const CaseResult& one) {
  const Failure& first = one.failures.front();
  const auto fits = [](const std::string& wanted, const std::string& text) {
    return wanted.empty() || wanted == text;
  };
  return (fits(entry.suite, one.suite) || fits(entry.suite, one.title())) &&
         fits(entry.checker, first.checker) && fits(entry.kind, first.kind);
}

/// Returns what an entry is about, as messages name it.
std::string text_of(const KnownFailure& entry) {
  std::string text;
  for (const std::string* part : {&entry.suite, &entry.checker, &entry.kind}) {
    if (!part->empty()) text += (text.empty() ? "" : " ") + *part;
  }
  return fmt::format("{} ({})", text, entry.reason);
}

}  // namespace

const common::InputKind kKnownFailuresFile = {.name = "known-failures",
                                              .title = "Known failures of kernbench sim (YAML)",
                                              .form = common::form_of<KnownFailures>};

KnownFailures read_known_failures(const std::filesystem::path& path) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::load(path, diagnostics);
  common::Input<KnownFailures> known(document.root(), diagnostics);
  for (std::size_t i = 0; i < known->entries.size(); ++i) {
    const KnownFailure& entry = known->entries[i];
    const std::string at = fmt::format("known_failures[{}]", i);
    if (entry.suite.empty() && entry.checker.empty() && entry.kind.empty()) {
      known.error(at, "names no suite, checker or kind, so every failure would be known");
    }
    if (!entry.until.empty() && !is_day(entry.until)) {
      known.error(at + ".until", fmt::format("'{}' is not a day", entry.until),
                  "such as 2027-01-31");
    }
  }
  diagnostics.throw_if_any();
  return *known;
}

bool is_known(const KnownFailures& known, const std::string& today, const CaseResult& one) {
  return may_be_known(one) &&
         std::any_of(known.entries.begin(), known.entries.end(), [&](const KnownFailure& entry) {
           return applies(entry, one) && entry.until >= today;
         });
}

std::vector<std::string> apply_known_failures(const KnownFailures& known, const std::string& today,
                                              RegressionResult& result) {
  std::vector<std::string> notes;
  for (const KnownFailure& entry : known.entries) {
    bool is_needed = false;
    for (CaseResult& one : result.cases) {
      if (!may_be_known(one) || !applies(entry, one)) continue;
      is_needed = true;
      if (entry.until >= today && one.known.empty()) {
        one.known = fmt::format("{}, until {}", entry.reason, entry.until);
      }
    }
    if (!is_needed) {
      notes.push_back(fmt::format("a known failure did not occur: {}", text_of(entry)));
    } else if (entry.until < today) {
      notes.push_back(
          fmt::format("a failure is no longer known, since {}: {}", entry.until, text_of(entry)));
    }
  }
  if (result.outcome == common::Outcome::Interrupted) return notes;
  common::Outcome outcome = common::Outcome::Pass;
  for (const CaseResult& one : result.cases) {
    if (one.known.empty()) outcome = common::worst(outcome, one.outcome);
  }
  if (!result.cases.empty()) result.outcome = outcome;
  return notes;
}

std::string day_of(std::time_t time) {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(time));
}

}  // namespace kernbench::sim
