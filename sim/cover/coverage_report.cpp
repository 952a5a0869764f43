// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/coverage_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace kernbench::sim {

namespace {

/// Formats a percentage with one decimal, rounded down: "100.0 %" means every bin.
std::string percent(std::uint64_t hit, std::uint64_t total) {
  if (total == 0) return "-";
  const std::uint64_t tenths = hit * 1000 / total;
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

}  // namespace

std::string coverage_report(const CoverageData& coverage, std::size_t max_missed) {
  const CoverageSummary summary = coverage.summary();
  std::size_t width = 0;
  for (const CoverageGroup& group : summary.groups) width = std::max(width, group.name.size());

  const maze::Shape& shape = coverage.shape();
  std::string text = fmt::format("functional coverage of {}x{} nodes, {} data bits\n\n", shape.nx,
                                 shape.ny, shape.flit_w);
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<{}}  {:>7}  {:>7}  {:>8}\n", "group", width, "hit", "total", "percent");
  const auto row = [&](const std::string& name, std::uint64_t hit, std::uint64_t total) {
    fmt::format_to(out, "{:<{}}  {:>7}  {:>7}  {:>8}\n", name, width, hit, total,
                   percent(hit, total));
  };
  for (const CoverageGroup& group : summary.groups) row(group.name, group.hit, group.total);
  row("all", summary.hit(), summary.total());

  const std::uint64_t missed = summary.total() - summary.hit();
  if (missed == 0 || max_missed == 0) return text;
  fmt::format_to(out, "\nmissed bins\n");
  std::size_t shown = 0;
  for (const CoverageGroup& group : summary.groups) {
    for (const std::string& name : group.missed) {
      if (shown == max_missed) break;
      fmt::format_to(out, "  {}\n", name);
      ++shown;
    }
  }
  if (missed > shown) fmt::format_to(out, "  ... and {} more\n", missed - shown);
  return text;
}

}  // namespace kernbench::sim
