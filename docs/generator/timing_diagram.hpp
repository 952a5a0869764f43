// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "docs/generator/link_recorder.hpp"

namespace kernbench::docs {

/// Draws the record as a waveform: clock, reset, the sender's and the receiver's end. A dot marks
/// every rising edge at which a packet moves.
[[nodiscard]] std::string timing_diagram(const Scenario& scenario,
                                         const std::vector<LinkSample>& samples);

}  // namespace kernbench::docs
