// SPDX-License-Identifier: Apache-2.0
#include "sim/report/rtl_forms.hpp"

#include "common/description.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::common {

using sim::CheckerResult;
using sim::CountedLink;
using sim::CoverageGroup;
using sim::CoverageSummary;
using sim::FailureRow;
using sim::FaultRow;
using sim::HostRow;
using sim::JudgedCoverage;
using sim::NamedLink;
using sim::RtlChecks;
using sim::RtlText;

template <>
const Description<CheckerResult>& description_of() {
  static const auto kAll = Description<CheckerResult>()
                               .add("name", &CheckerResult::name)
                               .add("checks", &CheckerResult::checks, "comparisons made")
                               .add("failures", &CheckerResult::failures);
  return kAll;
}

template <>
const Description<NamedLink>& description_of() {
  static const auto kAll =
      Description<NamedLink>()
          .add(
              "node", [](const auto& link) { return link.end.node; }, "the sender")
          .add(
              "port", [](const auto& link) { return link.end.port; }, "its output, X ports first")
          .add("name", &NamedLink::name);
  return kAll;
}

template <>
const Description<FailureRow>& description_of() {
  static const auto kAll =
      Description<FailureRow>()
          .add("checker", [](const auto& row) { return row.failure.checker; })
          .add("kind", [](const auto& row) { return row.failure.kind; })
          .add(
              "cycle", [](const auto& row) { return row.failure.cycle; }, "of detection")
          .add("link", &FailureRow::link, "with the error, if it is a single one")
          .or_null()
          .add("message", [](const auto& row) { return row.failure.message; });
  return kAll;
}

template <>
const Description<FaultRow>& description_of() {
  static const auto kAll =
      Description<FaultRow>()
          .add("kind", [](const auto& row) { return row.fault.kind; })
          .add("link", &FaultRow::link)
          .or_null()
          .add(
              "place", [](const auto& row) { return sim::filled(row.fault.place); },
              "link of a network of any topology, which has no number")
          .or_null()
          .add(
              "injected_at", [](const auto& row) { return row.fault.injected_at; },
              "the first cycle of effect; null when it had none")
          .or_null()
          .add(
              "caught_by", [](const auto& row) { return row.fault.caught_by; },
              "checkers, in the order in which they reported");
  return kAll;
}

template <>
const Description<CoverageGroup>& description_of() {
  static const auto kAll = Description<CoverageGroup>()
                               .add("name", &CoverageGroup::name)
                               .add("hit", &CoverageGroup::hit)
                               .add("total", &CoverageGroup::total)
                               .add("missed", &CoverageGroup::missed, "bins that were not hit");
  return kAll;
}

template <>
const Description<CoverageSummary>& description_of() {
  static const auto kAll =
      Description<CoverageSummary>()
          .add("hit", &CoverageSummary::hit, "bins")
          .add("total", &CoverageSummary::total, "bins")
          .add("groups", &CoverageSummary::groups, "none when no coverage was collected");
  return kAll;
}

template <>
const Description<JudgedCoverage>& description_of() {
  static const auto kAll =
      Description<JudgedCoverage>()
          .add_members(&JudgedCoverage::coverage)
          .add("required", &JudgedCoverage::required, "true if a missed bin fails the run");
  return kAll;
}

template <>
const Description<CountedLink>& description_of() {
  static const auto kAll =
      Description<CountedLink>()
          .add("name", &CountedLink::name)
          .add("depth", &CountedLink::depth, "IRS stages")
          .add("packets", &CountedLink::packets, "delivered")
          .add("stalls", &CountedLink::stalls, "cycles in which a packet waits at the receiver");
  return kAll;
}

template <>
const Description<RtlChecks>& description_of() {
  static const auto kAll =
      Description<RtlChecks>()
          .add("assertions", &RtlChecks::assertions, "`assert` and `assume` in the sources")
          .add("unique", &RtlChecks::unique, "`unique`, `unique0` and `priority` in the sources")
          .add("checked", &RtlChecks::checked, "true if the model evaluates them");
  return kAll;
}

template <>
const Description<RtlText>& description_of() {
  static const auto kAll =
      Description<RtlText>().add("text", &RtlText::text).add("left_out_bytes", &RtlText::left_out);
  return kAll;
}

template <>
const Description<HostRow>& description_of() {
  static const auto kAll =
      Description<HostRow>().add("seconds", &HostRow::seconds, "on this machine").at_least(0);
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {

NamedLink named(const Ports& ports, const LinkEnd& end) {
  return {end, ports.name(end)};
}

std::vector<FailureRow> failure_rows(const Ports& ports, const std::vector<Failure>& failures) {
  std::vector<FailureRow> rows;
  for (const Failure& failure : failures) {
    rows.push_back({failure, {}});
    if (failure.link) rows.back().link = named(ports, *failure.link);
  }
  return rows;
}

std::uint64_t count_at(const std::vector<std::uint64_t>& counts, std::size_t at) {
  return at < counts.size() ? counts[at] : 0;
}

std::size_t place_of(const topology::MazeLinks& links, const topology::MazeLink& link) {
  return std::size_t{link.to.port} * links.nodes() + link.to.node;
}

CountedLink counted_link(const topology::MazeLinks& links, const topology::MazeLink& link,
                         const std::vector<std::uint64_t>& packets,
                         const std::vector<std::uint64_t>& stalls) {
  const std::size_t at = place_of(links, link);
  return {links.link_name(link), link.depth, count_at(packets, at), count_at(stalls, at)};
}

std::optional<FaultRow> fault_row(const Ports& ports, const std::optional<FaultResult>& fault) {
  if (!fault) return std::nullopt;
  FaultRow row{*fault, {}};
  if (fault->place.empty()) row.link = named(ports, fault->link);
  return row;
}

std::optional<std::string> filled(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<RtlText> printed(const RtlText& text) {
  return text.text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace kernbench::sim
