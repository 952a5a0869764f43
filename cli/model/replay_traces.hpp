// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cli/base/command.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Describes the options of `kernbench replay` for execution traces. Returns what replays the files
/// PREFIX.RANK.et on the system that the options name.
[[nodiscard]] std::function<common::Outcome(const std::string& prefix)> describe_replay_of_traces(
    Command& command, const Invocation& invocation);

}  // namespace kernbench::cli
