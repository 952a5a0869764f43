// SPDX-License-Identifier: Apache-2.0
#include "cli/model/spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "common/numbers.hpp"

namespace kernbench::cli {

using model::bench::Spread;
using model::bench::TimeBand;

namespace {

void print_draws(std::uint64_t runs, common::SimTime most_delay, std::uint64_t seed) {
  print(
      "\nspread over {} run{} whose programs start up to {:.3f} us later, each by its own draw "
      "(seed {})\n",
      runs, runs == 1 ? "" : "s", most_delay.ns() / 1000.0, seed);
}

}  // namespace

void add_spread_option(Command& command, std::uint64_t& runs) {
  command
      .add_option(
          "--spread", runs,
          "Run this often more, 9 times without a number or where it is needed, with programs that "
          "start later by draws of --seed, and print median and band of each time")
      .check(whole_number(1, 1000))
      .alone_means(std::to_string(model::bench::SpreadChoice::kUsual))
      .default_text("");
}

void add_evaluation_spread(Command& command, model::bench::SpreadChoice& choice) {
  add_spread_option(command, choice.runs);
  command.add_option("--seed", choice.seed, "Seed of the draws of --spread").needs("--spread");
}

void print_spread(const Spread& spread) {
  print_draws(spread.runs, spread.most_delay, spread.seed);
  for (const TimeBand& band : spread.bands) {
    print("{:<28} median {:.3f} us, {:.3f} to {:.3f} us: differences below {:.2f} % mean nothing\n",
          band.name, band.median.ns() / 1000.0, band.least.ns() / 1000.0, band.most.ns() / 1000.0,
          band.percent());
  }
}

void print_fastest(const std::vector<model::bench::Contender>& contenders) {
  if (contenders.empty()) return;
  common::SimTime most_delay;
  for (const auto& one : contenders) most_delay = std::max(most_delay, one.spread->most_delay);
  const Spread& draws = *contenders.front().spread;
  print_draws(draws.runs, most_delay, draws.seed);
  for (const model::bench::Fastest& fastest : fastest_of(contenders)) {
    print("{}: {} takes least, median {:.3f} us, {:.3f} to {:.3f} us\n", fastest.work, fastest.name,
          fastest.time.median.ns() / 1000.0, fastest.time.least.ns() / 1000.0,
          fastest.time.most.ns() / 1000.0);
    for (const auto& [name, difference] : fastest.equals) print("    {}: {}\n", name, difference);
  }
}

}  // namespace kernbench::cli
