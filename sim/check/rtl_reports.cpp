// SPDX-License-Identifier: Apache-2.0
#include "sim/check/rtl_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/utf8.hpp"
#include "sim/dut/rtl_names.hpp"

namespace kernbench::sim {
namespace {

constexpr std::size_t kLongestMessage = 2000;

const char* kind_of(RtlEventKind kind) {
  switch (kind) {
    case RtlEventKind::Finish:
      return "finish";
    case RtlEventKind::Stop:
      return "stop";
    case RtlEventKind::Error:
      return "error";
    case RtlEventKind::Unique:
      return "unique";
    case RtlEventKind::Broken:
      return "simulation";
  }
  return "";
}

/// Returns the label at the end of a scope of the bench, or the scope.
std::string_view without_top(std::string_view scope) {
  return scope.starts_with("TOP.") ? scope.substr(4) : scope;
}

std::string what(const RtlEvent& event) {
  switch (event.kind) {
    case RtlEventKind::Finish:
      return "the RTL called $finish";
    case RtlEventKind::Stop:
      return "the RTL called $stop";
    case RtlEventKind::Unique:
      return "violated: " + event.message;
    case RtlEventKind::Broken:
      return "the simulation cannot continue: " + event.message;
    case RtlEventKind::Error:
      break;
  }
  return event.message == "'assert' failed." ? "an assertion failed" : event.message;
}

}  // namespace

const char* rtl_checker(const RtlEvent& event, const RtlChecks& checks) {
  if (!checks.checked) return kRtlCalls;
  if (event.kind == RtlEventKind::Error && checks.assertions != 0) return kRtlAssertions;
  if (event.kind == RtlEventKind::Unique && checks.unique != 0) return kRtlUnique;
  return kRtlCalls;
}

Failure rtl_failure(const RtlEvent& event, const RtlChecks& checks) {
  const std::string_view scope = without_top(event.scope);
  return {rtl_checker(event, checks), kind_of(event.kind), event.cycle, std::nullopt,
          common::printable(
              user_text(fmt::format("{}:{}: {}, cycle {}{}{}", event.file, event.line, what(event),
                                    event.cycle, scope.empty() ? "" : ", in ", scope)),
              kLongestMessage)};
}

std::vector<Failure> finished_failures(RtlOutput& rtl) {
  rtl.finish();
  std::vector<Failure> failures;
  const RtlChecks checks = rtl.rtl_checks();
  for (const RtlEvent& event : rtl.take_events()) failures.push_back(rtl_failure(event, checks));
  return failures;
}

bool is_rtl_report(const Failure& failure) {
  return failure.checker == kRtlAssertions || failure.checker == kRtlUnique ||
         failure.checker == kRtlCalls;
}

RtlText rtl_text(const RtlOutput& rtl) {
  RtlText text = rtl.rtl_text();
  text.text = common::without_controls(user_text(std::move(text.text)));
  return text;
}

std::string checks_text(const RtlChecks& checks) {
  if (checks.assertions + checks.unique == 0) return "";
  std::string text;
  if (checks.assertions != 0) {
    text = fmt::format("{} assertion{}", checks.assertions, checks.assertions == 1 ? "" : "s");
  }
  if (checks.unique != 0) {
    text += fmt::format("{}{} unique or priority", text.empty() ? "" : " and ", checks.unique);
  }
  return fmt::format("{} of the RTL {} {}checked", text,
                     checks.assertions + checks.unique == 1 ? "is" : "are",
                     checks.checked ? "" : "not ");
}

std::string shortened(const RtlText& text, std::size_t lines) {
  std::string_view rest = text.text;
  while (rest.ends_with('\n')) rest.remove_suffix(1);
  std::size_t begin = rest.size();
  for (std::size_t n = 0; n < lines && begin != 0; ++n) {
    const std::size_t end = rest.rfind('\n', begin - 1);
    begin = end == std::string_view::npos ? 0 : end;
  }
  const auto before =
      std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  std::string shown(rest.substr(begin));
  if (begin != 0) shown = fmt::format("({} lines before)", before + 1) + shown;
  if (text.left_out != 0) shown += fmt::format("\n({} more bytes left out)", text.left_out);
  return shown;
}

RtlReports::RtlReports(RtlOutput& rtl)
    : rtl_(rtl),
      checks_(rtl.rtl_checks()),
      assertions_(*this, kRtlAssertions),
      unique_(*this, kRtlUnique),
      calls_(*this, kRtlCalls) {}

void RtlReports::add_to(CheckerSet& checkers) {
  if (checks_.checked && checks_.assertions != 0) checkers.add(kRtlAssertions, assertions_);
  if (checks_.checked && checks_.unique != 0) checkers.add(kRtlUnique, unique_);
  checkers.add_silent(kRtlCalls, calls_);
}

void RtlReports::Checker::collect() {
  for (const RtlEvent& event : reports_.rtl_.take_events()) {
    reports_.taken_.push_back(rtl_failure(event, reports_.checks_));
  }
  if (reports_.taken_.empty()) return;
  std::erase_if(reports_.taken_, [&](Failure& failure) {
    if (failure.checker != name_) return false;
    fail(std::move(failure));
    return true;
  });
}

}  // namespace kernbench::sim
