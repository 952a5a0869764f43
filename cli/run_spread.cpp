// SPDX-License-Identifier: Apache-2.0
#include "cli/run_spread.hpp"

#include "cli/console.hpp"

namespace kernbench::cli {

using model::bench::Spread;
using model::bench::TimeBand;

void print_spread(const Spread& spread) {
  print(
      "\nspread over {} run{} whose programs start up to {:.3f} us later, each by its own draw "
      "(seed {})\n",
      spread.runs, spread.runs == 1 ? "" : "s", spread.most_delay.ns() / 1000.0, spread.seed);
  for (const TimeBand& band : spread.bands) {
    print("{:<28} median {:.3f} us, {:.3f} to {:.3f} us: differences below {:.2f} % mean nothing\n",
          band.name, band.median.ns() / 1000.0, band.least.ns() / 1000.0, band.most.ns() / 1000.0,
          band.percent());
  }
}

nlohmann::json spread_json(const Spread& spread) {
  nlohmann::json times = nlohmann::json::array();
  for (const TimeBand& band : spread.bands) {
    times.push_back({{"name", band.name},
                     {"undisturbed_ps", band.undisturbed.ps()},
                     {"least_ps", band.least.ps()},
                     {"median_ps", band.median.ps()},
                     {"most_ps", band.most.ps()}});
  }
  return {{"runs", spread.runs},
          {"seed", spread.seed},
          {"least_delay_ps", spread.least_delay.ps()},
          {"most_delay_ps", spread.most_delay.ps()},
          {"times", std::move(times)}};
}

}  // namespace kernbench::cli
