// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/bench/launch_figures.hpp"
#include "model/bench/runner.hpp"

namespace kernbench::model::chakra {

/// Writes the requests of a run as traces PREFIX.RANK.et, one for each rank, and returns their
/// number. Each node depends on the one before it. Launches are computations with their exact time
/// in `duration_ps`, and the operations and bytes of their figures. Other requests and pauses of
/// the host are computations on the host. Copies between host and device are stores and loads. The
/// run must have had `requests`. Throws common::BadInput for a collective that the format does not
/// have, blocks of different sizes, and a file that cannot be written.
std::size_t export_traces(const bench::RunResult& result,
                          const std::vector<bench::LaunchFigures>& figures,
                          const std::string& prefix);

}  // namespace kernbench::model::chakra
