// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/line/command.hpp"
#include "model/bench/fastest.hpp"
#include "model/bench/spread.hpp"

namespace kernbench::cli {

/// Adds --spread, whose draws follow from --seed.
void add_spread_option(Command& command, std::uint64_t& runs);

/// Adds --spread, and --seed for its draws, to a command without other draws.
void add_evaluation_spread(Command& command, model::bench::SpreadChoice& choice);

/// Prints the median and the band of each time.
void print_spread(const model::bench::Spread& spread);

/// Prints how the draws of `contenders` were made, and for each work the contender with the least
/// median, and those whose medians differ from it by no more than the band. Prints nothing without
/// contenders.
void print_fastest(const std::vector<model::bench::Contender>& contenders);

}  // namespace kernbench::cli
