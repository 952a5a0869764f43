// SPDX-License-Identifier: Apache-2.0
#include "model/bench/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "model/fabric/analytic/stated_errors.hpp"
#include "model/fabric/noc/noc_fabric.hpp"
#include "topology/spec/noc_topologies.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

using common::Grade;

namespace {

// tests/model/bench/grade_test.cpp measures each row; docs/lab/benches.md shows them.
constexpr std::array<ShortcutError, 18> kErrors = {{
    {"all-reduce", Shortcut::Messages, 0.3},
    {"all-to-all", Shortcut::Messages, 0.1},
    {"attention", Shortcut::Messages, 0.7},
    {"attention-grouped", Shortcut::Messages, 0.1},
    {"collective", Shortcut::Messages, 1.2},
    {"copy-bandwidth", Shortcut::Messages, 2.4},
    {"gemm", Shortcut::Messages, 0.3},
    {"gemm-batched", Shortcut::Messages, 0.1},
    {"gemm-epilogue", Shortcut::Messages, 0.2},
    {"gemm-quantized", Shortcut::Messages, 0.6},
    {"layernorm", Shortcut::Messages, 0.7},
    {"mlp", Shortcut::Messages, 0.5},
    {"rmsnorm", Shortcut::Messages, 0.9},
    {"softmax", Shortcut::Messages, 1.0},
    {"transformer", Shortcut::Reuse, 0.1},
    {"transformer", Shortcut::Messages, 0.8},
    {"transformer", Shortcut::Both, 0.7},
    {"vector-add", Shortcut::Messages, 2.0},
}};

/// Hash of configs/models/tiny.yaml, the default file of the bench `transformer`. A changed file
/// is another bench.
constexpr std::uint64_t kDefaultModel = 0x63378e17f668a895;

/// Returns whether a run is one whose error is in kErrors.
bool is_measured(const Bench& bench, const topology::TopologySpec& spec, const RunOptions& options,
                 bool shipped_groups) {
  const std::map<std::string, std::string> set = resolve_parameters(bench, options.parameters);
  const auto is_default = [&](const Parameter& parameter) {
    const std::string& value = set.at(parameter.name);
    return parameter.is_file ? common::hash_bytes(common::read_text_file(value)) == kDefaultModel
                             : value == parameter.value;
  };
  return shipped_groups && spec == topology::TopologySpec() && options.device == 0 &&
         !options.upload && options.addresses == RunOptions().addresses && !options.make_fabric &&
         !options.delays && options.sample_seed == RunOptions().sample_seed &&
         std::all_of(bench.parameters.begin(), bench.parameters.end(), is_default);
}

const char* text_of(Shortcut shortcut) {
  switch (shortcut) {
    case Shortcut::Reuse:
      return "equal work has the time of one that was simulated";
    case Shortcut::Messages:
      return "messages move as wholes";
    case Shortcut::Both:
      break;
  }
  return "equal work has the time of one that was simulated, and messages move as wholes";
}

}  // namespace

std::span<const ShortcutError> shortcut_errors() {
  return kErrors;
}

Grade grade_of_system(const topology::TopologySpec& spec) {
  using topology::FabricModel;
  Grade grade;
  if (spec.sip.inter_cube == topology::InterCube::Maze &&
      spec.sip.maze.fabric == FabricModel::Analytic) {
    grade.add(fabric::analytic_grade());
  }
  if (topology::has_estimated_noc(spec)) {
    grade.add(fabric::analytic_noc_grade());
  }
  return grade;
}

Grade grade_of_run(const Bench& bench, const topology::TopologySpec& spec,
                   const RunOptions& options, const RunResult& result, bool shipped_groups) {
  Grade grade = grade_of_system(spec);
  for (const std::string& reason : result.estimates) grade.add(Grade::estimate(reason));
  const bool repeats = options.reuse && result.repeats && result.repeats->repeated != 0;
  if (!repeats && !options.whole_messages) return grade;
  const Shortcut shortcut = !options.whole_messages ? Shortcut::Reuse
                            : repeats               ? Shortcut::Both
                                                    : Shortcut::Messages;
  const auto error = std::find_if(kErrors.begin(), kErrors.end(), [&](const ShortcutError& one) {
    return one.bench == bench.name && one.shortcut == shortcut;
  });
  if (error != kErrors.end() && is_measured(bench, spec, options, shipped_groups)) {
    grade.add(Grade::within(error->percent, text_of(shortcut)));
  } else {
    grade.add(Grade::estimate(
        fmt::format("{}, which no test compares with these settings", text_of(shortcut))));
  }
  return grade;
}

}  // namespace kernbench::model::bench
