// SPDX-License-Identifier: Apache-2.0
#include "cli/run_races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/console.hpp"
#include "model/data/races.hpp"

namespace kernbench::cli {
namespace {

constexpr std::size_t kShownRaces = 10;

}  // namespace

void print_races(const model::bench::Bench& bench, const topology::TopologyGraph& graph,
                 const model::bench::RunResult& result) {
  const model::data::RaceReport& found = result.races;
  const model::data::OpLog& log = result.recorder->log();
  const std::size_t count = found.races.size();
  print("{}  races: {} between {} accesses of {} PEs\n",
        found.accesses == 0 ? "VACUOUS"
        : count == 0        ? "PASS"
                            : "FAIL",
        count, found.accesses, found.pes);
  for (std::size_t i = 0; i < std::min(count, kShownRaces); ++i) {
    const model::data::Race& race = found.races[i];
    print_error(
        fmt::format("bench '{}': race {} of {}: two PEs access the same {} bytes without an order\n"
                    "  {}\n  {}\n  {}{}",
                    bench.name, i + 1, count, race.bytes, text_of(race.earlier, log, graph),
                    text_of(race.later, log, graph),
                    race.bytes == race.first.bytes ? "" : "the first are ", place_of(race, log)));
  }
  if (count > kShownRaces) {
    print_error(
        fmt::format("bench '{}': {} more races are not shown", bench.name, count - kShownRaces));
  }
}

nlohmann::json json_of_races(const topology::TopologyGraph& graph,
                             const model::bench::RunResult& result) {
  const model::data::OpLog& log = result.recorder->log();
  nlohmann::json shown = nlohmann::json::array();
  for (const model::data::Race& race : result.races.races) {
    if (shown.size() == kShownRaces) break;
    shown.push_back({{"bytes", race.bytes},
                     {"place", place_of(race, log)},
                     {"earlier", text_of(race.earlier, log, graph)},
                     {"later", text_of(race.later, log, graph)}});
  }
  return {{"accesses", result.races.accesses},
          {"pes", result.races.pes},
          {"count", result.races.races.size()},
          {"shown", std::move(shown)}};
}

}  // namespace kernbench::cli
