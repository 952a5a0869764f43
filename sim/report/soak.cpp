// SPDX-License-Identifier: Apache-2.0
#include "sim/report/soak.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/member_html.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/rtl_forms.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::common {

using sim::Soak;
using sim::SoakFailure;

template <>
const Description<SoakFailure>& description_of() {
  static const auto kAll = Description<SoakFailure>()
                               .add("seed", &SoakFailure::seed)
                               .add("suite", &SoakFailure::suite)
                               .add("reason", &SoakFailure::reason)
                               .add("command", &SoakFailure::command, "runs this case again");
  return kAll;
}

template <>
const Description<Soak>& description_of() {
  static const auto kAll =
      Description<Soak>()
          .add("config", &Soak::config, "path of the regression file as given")
          .add("config_hash", &Soak::config_hash)
          .add("model_hash", &Soak::model_hash)
          .add("shape", &Soak::shape)
          .absent_unless("the design is a MAZE")
          .add("topology", &Soak::topology)
          .absent_unless("the design is a network of any topology")
          .add("channels", &Soak::channels, "names")
          .absent_unless("the design is a network of any topology")
          .add("first_seed", &Soak::first_seed)
          .add("chunks", &Soak::chunks, "regressions, each with a seed of its own")
          .add("cases", &Soak::cases)
          .add("cycles", &Soak::cycles)
          .add("packets", &Soak::packets, "delivered")
          .add("failing_cases", &Soak::failing_cases)
          .add("failures", &Soak::failures, "the first failing cases")
          .add("link_packets", &Soak::link_packets,
               "by receiving port, then by receiving node; of a network of any topology flits, by "
               "channel")
          .add("link_longest_stalls", &Soak::link_longest_stalls,
               "in cycles, in the same order; of a MAZE");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {

using common::BadInput;

namespace {

constexpr std::array<std::string_view, 3> kDrawnOfSoak = {"channels", "link_packets",
                                                          "link_longest_stalls"};

/// A link, its packets and its longest stall in cycles.
struct LinkOfSoak {
  std::string name;
  std::uint64_t packets = 0;
  std::uint64_t longest_stall = 0;
};

/// Returns all links in the order of MazeLinks, or all channels.
std::vector<LinkOfSoak> links_of(const Soak& soak) {
  std::vector<LinkOfSoak> rows;
  if (!soak.shape) {
    for (std::size_t i = 0; i < soak.channels.size(); ++i) {
      rows.push_back({soak.channels[i], soak.link_packets.at(i), 0});
    }
    return rows;
  }
  const topology::MazeLinks links(soak.shape->nx, soak.shape->ny);
  for (const topology::MazeLink& link : links.links()) {
    const std::size_t at = place_of(links, link);
    rows.push_back(
        {links.link_name(link), soak.link_packets.at(at), soak.link_longest_stalls.at(at)});
  }
  return rows;
}

/// Returns a table of the channels of a network of any topology with the fewest flits.
plot::ReportSection channels_section(std::vector<LinkOfSoak> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LinkOfSoak& a, const LinkOfSoak& b) { return a.packets < b.packets; });
  rows.resize(std::min(plot::kMostRows, rows.size()));
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>channel</th><th class=\"n\">flits</th></tr>"
      "</thead>\n<tbody>\n";
  for (const LinkOfSoak& row : rows) {
    plot::print(table, "<tr><td>{}</td><td class=\"n\">{}</td></tr>\n",
                common::escape_markup(row.name), grouped(row.packets));
  }
  return {"Channels with the fewest flits",
          plot::scroll_box("Channels", table + "</tbody>\n</table>\n") +
              "<p class=\"dim\">links.txt and the JSON report have all channels</p>\n"};
}

/// Returns a map of the links, and a table of those with the longest stalls.
std::vector<plot::ReportSection> links_sections(const nlohmann::json& data) {
  const auto soak = common::value_of<Soak>(data, "the report");
  std::vector<LinkOfSoak> rows = links_of(soak);
  if (!soak.shape) return {channels_section(std::move(rows))};
  std::stable_sort(rows.begin(), rows.end(), [](const LinkOfSoak& a, const LinkOfSoak& b) {
    return a.longest_stall > b.longest_stall;
  });
  rows.resize(std::min(plot::kMostRows, rows.size()));
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>link</th><th class=\"n\">packets</th>"
      "<th class=\"n\">longest stall, cycles</th></tr></thead>\n<tbody>\n";
  for (const LinkOfSoak& row : rows) {
    plot::print(table, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                common::escape_markup(row.name), grouped(row.packets), grouped(row.longest_stall));
  }
  const LinkCounts counts{soak.link_packets, soak.link_longest_stalls, "longest stall", "cycle"};
  return {heat_map_section(counts, topology::MazeLinks(soak.shape->nx, soak.shape->ny)),
          {"Links with the longest stalls",
           plot::scroll_box("Links", table + "</tbody>\n</table>\n") +
               "<p class=\"dim\">links.txt and the JSON report have all links</p>\n"}};
}

}  // namespace

const plot::ReportKind kSoakReport = {.name = "soak",
                                      .command = "sim --packets",
                                      .about = "A regression with seed after seed",
                                      .envelope = {.grade = false},
                                      .form = common::form_of<Soak>,
                                      .parts = links_sections,
                                      .drawn = kDrawnOfSoak};

void Soak::add(const RegressionResult& chunk) {
  ++chunks;
  link_packets.resize(links());
  for (std::size_t i = 0; i < link_packets.size(); ++i) link_packets[i] += chunk.link_packets[i];
  link_longest_stalls.resize(shape ? links() : 0);
  for (std::size_t i = 0; i < link_longest_stalls.size(); ++i) {
    link_longest_stalls[i] = std::max(link_longest_stalls[i], chunk.link_longest_stalls[i]);
  }
  for (const CaseResult& result : chunk.cases) {
    ++cases;
    cycles += result.cycles;
    packets += result.delivered;
    if (result.outcome == common::Outcome::Pass) continue;
    ++failing_cases;
    if (failures.size() < kKeptFailures) {
      failures.push_back({result.seed, result.suite, result.reason, result.command});
    }
  }
}

common::Outcome outcome_of(const Soak& soak) {
  if (soak.failing_cases != 0) return common::Outcome::Mismatch;
  return soak.packets == 0 ? common::Outcome::Vacuous : common::Outcome::Pass;
}

common::ReportEnvelope soak_report(const Soak& soak, common::ReportEnvelope header) {
  header.kind = kSoakReport.name;
  header.outcome = outcome_of(soak);
  header.seed = soak.first_seed;
  header.config_hash = soak.config_hash;
  header.data = common::to_json(soak);
  return header;
}

Soak read_soak(const std::filesystem::path& path) {
  const common::ReportEnvelope report = common::read_report(path, kSoakReport.name);
  auto soak = common::value_of<Soak>(report.data, path.string());
  const auto links = soak.links();
  if (soak.link_packets.size() != links ||
      soak.link_longest_stalls.size() != (soak.shape ? links : 0)) {
    throw BadInput(fmt::format("{}: damaged: it must have {} links", path.string(), links));
  }
  return soak;
}

std::string soak_summary(const Soak& soak, std::uint64_t goal) {
  std::string text = fmt::format("{} in {} and {} cycles; {} of {} packets\n",
                                 counted(soak.chunks, "chunk"), counted(soak.cases, "case"),
                                 grouped(soak.cycles), grouped(soak.packets), grouped(goal));
  if (!soak.link_packets.empty()) {
    const auto [few, many] = std::ranges::minmax(soak.link_packets);
    text += fmt::format("each link: {} to {} {}s", grouped(few), grouped(many), soak.noun());
    if (soak.shape) {
      const auto [brief, longest] = std::ranges::minmax(soak.link_longest_stalls);
      text += fmt::format("; longest stall {} to {} cycles", grouped(brief), grouped(longest));
    }
    text += '\n';
  }
  for (const SoakFailure& failure : soak.failures) {
    text += fmt::format("failed: {} seed {}: {}\n  run again: {}\n", failure.suite, failure.seed,
                        failure.reason, failure.command);
  }
  if (soak.failing_cases > soak.failures.size()) {
    text += fmt::format("{} in all\n", counted(soak.failing_cases, "failing case"));
  }
  return text;
}

std::string soak_links(const Soak& soak) {
  std::string text = fmt::format("{:<28} {:>18}", "link", fmt::format("{}s", soak.noun()));
  text += soak.shape ? fmt::format(" {:>14}\n", "longest stall") : "\n";
  for (const LinkOfSoak& row : links_of(soak)) {
    text += fmt::format("{:<28} {:>18}", row.name, grouped(row.packets));
    text += soak.shape ? fmt::format(" {:>14}\n", grouped(row.longest_stall)) : "\n";
  }
  return text;
}

}  // namespace kernbench::sim
