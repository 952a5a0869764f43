// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/steps.hpp"

#include <algorithm>

namespace kernbench::sim {
namespace {

using structure::BitId;
using structure::Simulation;

// Steps that are kept: of the run that failed, those that come out wrong and the others; of drawn
// states, the wrong ones, and those of them in which the same registers are wrong.
constexpr std::size_t kMostWrong = 16;
constexpr std::size_t kMostRight = 240;
constexpr std::size_t kBehindWrong = 60;
constexpr std::size_t kMostDrawnWrong = 24;
constexpr std::size_t kMostAlike = 3;

}  // namespace

void Steps::map_signals(const Recording& recording) {
  bits_.clear();
  for (const UnitSignal& signal : recording.signals) {
    const Simulation::Signal found = sim_.signal(signal.path, signal.name);
    const bool fits = signal.low + signal.bits <= found.bits;
    bits_.push_back(fits ? std::optional<BitId>(found.base + signal.low) : std::nullopt);
  }
  const Simulation::Signal reset = sim_.signal("", "rst_n");
  if (reset.bits == 1) reset_ = reset.base;
}

bool Steps::is_register(std::size_t signal) const {
  return bits_[signal] && sim_.register_of(*bits_[signal]) != Simulation::kNoCell;
}

template <typename Put>
void Steps::each_bit(const Recording& recording, std::size_t signal, maze::Payload value,
                     Put put) const {
  if (!bits_[signal]) return;
  for (unsigned i = 0; i < recording.signals[signal].bits; ++i) {
    put(*bits_[signal] + i, (value >> i & 1U) != 0);
  }
}

Simulation::Values Steps::values_of(const Recording& recording, const UnitCycle& cycle) const {
  Simulation::Values values(sim_.netlist().bits(), 0);
  for (std::size_t i = 0; i < recording.signals.size(); ++i) {
    const bool is_input = recording.signals[i].kind == UnitSignal::Kind::Input;
    if (!is_input && !is_register(i)) continue;
    each_bit(recording, i, cycle.expected[i].value_or(cycle.seen[i]),
             [&](BitId bit, bool value) { values[bit] = value ? 1 : 0; });
  }
  for (const UnitConstant& one : recording.constants) {
    const Simulation::Signal input = sim_.signal("", one.port);
    const unsigned end = std::min(input.bits, one.low + one.bits);
    for (unsigned i = one.low; i < end; ++i) {
      values[input.base + i] = one.value >> (i - one.low) & 1U;
    }
  }
  if (reset_) values[*reset_] = cycle.in_reset ? 0 : 1;
  return values;
}

Step Steps::step_at(const Recording& recording, std::size_t at) {
  const std::vector<UnitCycle>& cycles = recording.cycles;
  Step step;
  step.values = values_of(recording, cycles[at]);
  sim_.settle(step.values);
  const bool has_next = at + 1 < cycles.size() && cycles[at + 1].cycle == cycles[at].cycle + 1;
  for (std::size_t i = 0; i < recording.signals.size(); ++i) {
    if (recording.signals[i].kind == UnitSignal::Kind::Output && cycles[at].expected[i]) {
      each_bit(recording, i, *cycles[at].expected[i],
               [&](BitId bit, bool value) { step.outputs.emplace_back(bit, value); });
    }
    if (has_next && is_register(i) && cycles[at + 1].expected[i]) {
      each_bit(recording, i, *cycles[at + 1].expected[i],
               [&](BitId bit, bool value) { step.expected.emplace_back(bit, value); });
    }
  }
  step.reset_behind = has_next && cycles[at + 1].in_reset;
  step.wrong = wrong_in(step, step.values, nullptr);
  return step;
}

void Steps::add(const Recording& recording) {
  map_signals(recording);
  const std::vector<UnitCycle>& cycles = recording.cycles;
  std::size_t middle = 0;
  while (recording.wrong && middle + 1 < cycles.size() &&
         cycles[middle].cycle < recording.wrong->cycle) {
    ++middle;
  }
  const std::size_t first = middle > kMostRight ? middle - kMostRight : 0;
  const std::size_t last = std::min(cycles.size(), middle + kBehindWrong);
  std::size_t wrong = 0;
  if (!cycles.empty() && cycles.front().cycle == 0) add_start(recording);
  for (std::size_t t = first; t < last; ++t) {
    Step step = step_at(recording, t);
    if (!step.wrong.empty() && ++wrong > kMostWrong) continue;
    (step.wrong.empty() ? right_ : wrong_).push_back(std::move(step));
  }
}

void Steps::add_drawn(const Recording& recording, std::size_t most) {
  map_signals(recording);
  // The state of registers that the reference does not have is unknown.
  std::set<BitId> known;
  for (std::size_t i = recording.ports; i < recording.reference_signals; ++i) {
    each_bit(recording, i, 0, [&](BitId bit, bool /*value*/) { known.insert(bit); });
  }
  for (const Simulation::Cell& cell : sim_.registers()) {
    for (const BitId bit : cell.targets) {
      if (known.count(bit) == 0) return;
    }
  }
  const std::size_t stride = 1 + recording.cycles.size() / std::max<std::size_t>(1, most);
  for (std::size_t t = 0; t < recording.cycles.size(); t += stride) {
    Step step = step_at(recording, t);
    step.is_drawn = true;
    if (step.wrong.empty()) {
      right_.push_back(std::move(step));
      continue;
    }
    std::set<const structure::Variable*> variables;
    for (const BitId bit : step.wrong) variables.insert(sim_.netlist().variable(bit));
    if (drawn_wrong_.size() < kMostDrawnWrong && drawn_wrong_.count(variables) < kMostAlike) {
      drawn_wrong_.insert(std::move(variables));
      wrong_.push_back(std::move(step));
    }
  }
}

/// Adds the step from the random bits with which registers start into a first cycle in reset.
void Steps::add_start(const Recording& recording) {
  const UnitCycle& cycle = recording.cycles.front();
  Step step;
  step.is_start = true;
  step.reset_behind = true;
  UnitCycle before = cycle;
  before.expected.assign(before.expected.size(), std::nullopt);
  before.in_reset = false;
  step.values = values_of(recording, before);
  sim_.settle(step.values);
  for (std::size_t i = 0; i < recording.signals.size(); ++i) {
    if (!is_register(i) || !cycle.expected[i]) continue;
    each_bit(recording, i, *cycle.expected[i],
             [&](BitId bit, bool value) { step.expected.emplace_back(bit, value); });
  }
  step.wrong = wrong_in(step, step.values, nullptr);
  (step.wrong.empty() ? right_ : wrong_).push_back(std::move(step));
}

std::vector<std::uint8_t> Steps::loaded(const Simulation::Cell& cell, const Step& step,
                                        const Simulation::Values& values) {
  const bool has_reset = cell.logic->has_reset();
  if (step.is_start && !has_reset) {
    std::vector<std::uint8_t> kept;
    for (const BitId bit : cell.targets) kept.push_back(values[bit]);
    return kept;
  }
  if (!step.reset_behind || !has_reset || !reset_) return sim_.next(cell, values);
  Simulation::Values in_reset = values;
  sim_.force(in_reset, *reset_, false);
  return sim_.next(cell, in_reset);
}

std::vector<BitId> Steps::wrong_in(const Step& step, const Simulation::Values& values,
                                   const std::set<std::size_t>* cells) {
  std::vector<BitId> wrong;
  std::map<std::size_t, std::vector<std::uint8_t>> next;
  for (const auto& [bit, value] : step.expected) {
    const std::size_t at = sim_.register_of(bit);
    if (cells != nullptr && cells->count(at) == 0) continue;
    const Simulation::Cell& cell = sim_.registers()[at];
    auto found = next.find(at);
    if (found == next.end()) found = next.emplace(at, loaded(cell, step, values)).first;
    const auto target = std::lower_bound(cell.targets.begin(), cell.targets.end(), bit);
    const std::uint8_t got = found->second[static_cast<std::size_t>(target - cell.targets.begin())];
    if ((got != 0) != value) wrong.push_back(bit);
  }
  for (const auto& [bit, value] : step.outputs) {
    if ((values[bit] != 0) != value) wrong.push_back(bit);
  }
  return wrong;
}

}  // namespace kernbench::sim
