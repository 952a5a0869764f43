// SPDX-License-Identifier: Apache-2.0
// Parts that several reports about a MAZE have, and where they are described.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/dut/rtl_output.hpp"
#include "sim/dut/shape_form.hpp"
#include "sim/failure.hpp"
#include "sim/harness/ports.hpp"
#include "sim/regression/case_result.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

struct NamedLink {
  LinkEnd end;
  std::string name;
};
struct FailureRow {
  Failure failure;
  std::optional<NamedLink> link;
};
struct FaultRow {
  FaultResult fault;
  std::optional<NamedLink> link;
};
/// Functional coverage, and whether a missed bin fails the run.
struct JudgedCoverage {
  CoverageSummary coverage;
  bool required = false;
};
/// A link and its counts.
struct CountedLink {
  std::string name;
  unsigned depth = 0;
  std::uint64_t packets = 0;
  std::uint64_t stalls = 0;
};
/// The time that a run took on this machine.
struct HostRow {
  double seconds = 0.0;
};

[[nodiscard]] NamedLink named(const Ports& ports, const LinkEnd& end);
[[nodiscard]] std::vector<FailureRow> failure_rows(const Ports& ports,
                                                   const std::vector<Failure>& failures);
/// Returns one count, also of a run that ended before its first case.
[[nodiscard]] std::uint64_t count_at(const std::vector<std::uint64_t>& counts, std::size_t at);
/// Returns the place of a link in counts by [port*nodes + receiving node].
[[nodiscard]] std::size_t place_of(const topology::MazeLinks& links,
                                   const topology::MazeLink& link);
[[nodiscard]] CountedLink counted_link(const topology::MazeLinks& links,
                                       const topology::MazeLink& link,
                                       const std::vector<std::uint64_t>& packets,
                                       const std::vector<std::uint64_t>& stalls);
/// Returns nothing without a fault.
[[nodiscard]] std::optional<FaultRow> fault_row(const Ports& ports,
                                                const std::optional<FaultResult>& fault);
/// Returns nothing for an empty text.
[[nodiscard]] std::optional<std::string> filled(const std::string& text);
/// Returns the text of the RTL, or nothing if it printed none.
[[nodiscard]] std::optional<RtlText> printed(const RtlText& text);

}  // namespace kernbench::sim

namespace kernbench::common {

template <>
const Description<sim::CheckerResult>& description_of();
template <>
const Description<sim::FailureRow>& description_of();
template <>
const Description<sim::FaultRow>& description_of();
template <>
const Description<sim::CoverageSummary>& description_of();
template <>
const Description<sim::JudgedCoverage>& description_of();
template <>
const Description<sim::CountedLink>& description_of();
template <>
const Description<sim::RtlChecks>& description_of();
template <>
const Description<sim::RtlText>& description_of();
template <>
const Description<sim::HostRow>& description_of();

}  // namespace kernbench::common
