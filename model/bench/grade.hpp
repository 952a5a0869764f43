// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/grade.hpp"
#include "model/bench/runner.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::bench {

/// A way to simulate less than all flits.
enum class Shortcut : std::uint8_t {
  Reuse,     ///< `--reuse`
  Messages,  ///< `--fidelity message`
  Both,
};

/// The largest error of a time of a measured region of a bench, in percent, as a test measures it.
struct ShortcutError {
  std::string_view bench;
  Shortcut shortcut = Shortcut::Messages;
  double percent = 0.0;  ///< rounded up to 0.1
};

/// Returns the errors of all shipped benches with their default parameters on the default system
/// and with the shipped process groups.
[[nodiscard]] std::span<const ShortcutError> shortcut_errors();

/// Returns the grade of times that are simulated in full on this system.
[[nodiscard]] common::Grade grade_of_system(const topology::TopologySpec& spec);

/// Returns the grade of the times of a run. `shipped_groups`: the process groups are those of
/// configs/ccl.yaml, with which shortcut_errors() were measured.
[[nodiscard]] common::Grade grade_of_run(const Bench& bench, const topology::TopologySpec& spec,
                                         const RunOptions& options, const RunResult& result,
                                         bool shipped_groups);

}  // namespace kernbench::model::bench
