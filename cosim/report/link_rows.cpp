// SPDX-License-Identifier: Apache-2.0
// The load of the links of a fabric, as reports have it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "common/description.hpp"
#include "cosim/report/report_rows.hpp"

namespace kernbench::cosim {
namespace {

struct WindowsRow {
  const FabricRun& run;
};

/// Returns the utilization of each link to six decimals, which keeps 896 links readable.
std::vector<double> utilization(const LinksRow& row) {
  std::vector<double> shares = link_utilization(row.run, row.place.sip);
  for (double& share : shares) share = std::round(share * 1e6) / 1e6;
  return shares;
}

bool are_counts(std::string_view text) {
  return text.find_first_not_of("0123456789 ") == std::string_view::npos &&
         !text.starts_with(' ') && !text.ends_with(' ') &&
         text.find("  ") == std::string_view::npos;
}
constexpr common::TextRule kCountsRule = {"^([0-9]+( [0-9]+)*)?$", "whole numbers", are_counts};

/// Returns one text per window: a number a line would take six times the space.
std::vector<std::string> window_texts(const WindowsRow& row) {
  std::vector<std::string> texts;
  for (const auto& packets : row.run.clocked->link_windows.packets) {
    texts.push_back(fmt::format("{}", fmt::join(packets, " ")));
  }
  return texts;
}

}  // namespace
}  // namespace kernbench::cosim

namespace kernbench::common {

using cosim::LinksRow;
using cosim::WindowsRow;

template <>
const Description<WindowsRow>& description_of() {
  static const auto kAll =
      Description<WindowsRow>()
          .add(
              "window_cycles", [](const auto& row) { return row.run.clocked->link_windows.cycles; },
              "length of a window: 16, doubled until 40 windows suffice")
          .add(
              "sips", [](const auto& row) { return row.run.mazes; },
              "fabrics whose packets are added up")
          .at_least(1)
          .add("packets", cosim::window_texts,
               "a text for each window from time 0: the packets of every link, flits over routers")
          .rule(cosim::kCountsRule);
  return kAll;
}

template <>
const Description<LinksRow>& description_of() {
  static const auto kAll =
      Description<LinksRow>()
          .add("fabric", [](const auto& row) { return row.run.fabric; })
          .one_of({"cycle", "rtl"})
          .add(
              "complete", [](const auto& row) { return row.run.outcome == Outcome::Pass; },
              "false if the run ended early")
          .add(
              "packets", [](const auto& row) { return row.run.clocked->link_packets; },
              "of each link, by node * ports + port of the sender; by channel without a MAZE")
          .add("utilization", cosim::utilization,
               "packets, or flits, per link and cycle to the last completion")
          .refine([](ValueForm& list) {
            list.items().least = 0;
            list.items().most = 1;
          })
          .add("load", [](const auto& row) { return WindowsRow{row.run}; });
  return kAll;
}

}  // namespace kernbench::common
