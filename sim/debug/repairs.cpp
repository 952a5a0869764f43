// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/repairs.hpp"

#include <algorithm>

namespace kernbench::sim {
namespace {

using structure::BitId;
using structure::Module;
using structure::Simulation;

// Right transitions with equal operands that are tried for one bit.
constexpr std::size_t kMostEqual = 24;
constexpr std::size_t kMostPairs = 200;
// Most bits among which pairs are inverted; more in a loop, whose variables have few pairs each.
constexpr std::size_t kMostOfTwo = 24;
constexpr std::size_t kMostPairsOfTwo = 64;
// Bits of a signal that a line may lack: a packet tells any two steps apart.
constexpr unsigned kWidestOperand = 16;
// Right steps on which a substitute is tried.
constexpr std::size_t kMostSubstituted = 24;

}  // namespace

std::vector<BitId> Repairs::inputs_of(BitId bit) const {
  std::vector<BitId> inputs;
  for (const structure::Driver* driver : net_.drivers(bit)) {
    const std::vector<BitId> more = net_.inputs(*driver);
    inputs.insert(inputs.end(), more.begin(), more.end());
  }
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

std::map<BitId, unsigned> Repairs::cone_of(const std::set<BitId>& wrong) const {
  std::map<BitId, unsigned> cone;
  std::vector<BitId> todo;
  const auto reach = [&](BitId bit, unsigned distance) {
    if (sim_.cell_of(bit) == Simulation::kNoCell) return;
    if (cone.emplace(bit, distance).second) todo.push_back(bit);
  };
  for (const BitId bit : wrong) {
    if (sim_.register_of(bit) == Simulation::kNoCell) {
      reach(bit, 0);
    } else {
      for (const BitId input : inputs_of(bit)) reach(input, 1);
    }
  }
  while (!todo.empty()) {
    const BitId bit = todo.back();
    todo.pop_back();
    for (const BitId input : inputs_of(bit)) reach(input, cone[bit] + 1);
    for (const BitId other : sim_.computed_with(bit)) reach(other, cone[bit] + 1);
  }
  return cone;
}

/// Returns the cells of registers that a change of a bit may reach.
const std::set<std::size_t>& Repairs::registers_behind(BitId first) {
  const auto [entry, added] = behind_.try_emplace(first);
  if (!added) return entry->second;
  if (readers_.empty()) {
    readers_.resize(net_.bits());
    for (std::size_t i = 0; i < sim_.cells().size(); ++i) {
      for (const BitId bit : sim_.cells()[i].reads) readers_[bit].push_back(i);
    }
    register_readers_.resize(net_.bits());
    for (std::size_t i = 0; i < sim_.registers().size(); ++i) {
      for (const BitId bit : sim_.registers()[i].reads) register_readers_[bit].push_back(i);
    }
  }
  std::set<BitId> seen{first};
  std::vector<BitId> todo{first};
  for (const BitId other : sim_.computed_with(first)) {
    if (seen.insert(other).second) todo.push_back(other);
  }
  while (!todo.empty()) {
    const BitId bit = todo.back();
    todo.pop_back();
    entry->second.insert(register_readers_[bit].begin(), register_readers_[bit].end());
    for (const std::size_t reader : readers_[bit]) {
      for (const BitId target : sim_.cells()[reader].targets) {
        if (seen.insert(target).second) todo.push_back(target);
      }
    }
  }
  return entry->second;
}

/// Returns what is wrong in a step with these values, which differ in `bit` and what depends on
/// it from values with which `before` is wrong.
std::vector<BitId> Repairs::wrong_with(const Step& step, const Values& values, BitId bit,
                                       const std::vector<BitId>& before) {
  const std::set<std::size_t>& cells = registers_behind(bit);
  std::vector<BitId> wrong = steps_.wrong_in(step, values, &cells);
  for (const BitId one : before) {  // registers that the bit does not reach
    const std::size_t at = sim_.register_of(one);
    if (at != Simulation::kNoCell && cells.count(at) == 0) wrong.push_back(one);
  }
  return wrong;
}

std::optional<std::vector<BitId>> Repairs::repair(const Candidate& candidate, Step& step) {
  std::vector<BitId> flipped;
  if (candidate.cell->is_register) {
    const std::set<BitId> own(candidate.bits.begin(), candidate.bits.end());
    for (const BitId bit : step.wrong) {
      if (own.count(bit) == 0) return std::nullopt;
      flipped.push_back(bit);
    }
    return flipped;
  }
  if (step.cone.empty()) step.cone = cone_of({step.wrong.begin(), step.wrong.end()});
  std::vector<BitId> bits;
  for (const BitId bit : candidate.bits) {
    if (step.cone.count(bit) != 0) bits.push_back(bit);
  }
  for (const bool pairs_first : {false, true}) {
    if (pairs_first && step.is_drawn) break;
    Values values = step.values;
    std::vector<BitId> wrong = step.wrong;
    flipped.clear();
    if (pairs_first) (void)invert_two(step, bits, values, wrong, flipped);
    for (bool goes_on = true; goes_on && !wrong.empty();) {
      goes_on = invert_one_by_one(step, bits, values, wrong, flipped) ||
                invert_two(step, bits, values, wrong, flipped);
    }
    if (wrong.empty()) return flipped;
  }
  return std::nullopt;
}

/// Inverts each bit that leaves less wrong. Returns false if none does.
bool Repairs::invert_one_by_one(const Step& step, const std::vector<BitId>& bits, Values& values,
                                std::vector<BitId>& wrong, std::vector<BitId>& flipped) {
  const std::size_t before = wrong.size();
  for (const BitId bit : bits) {
    if (wrong.empty()) break;
    Values tried = values;
    sim_.force(tried, bit, values[bit] == 0);
    std::vector<BitId> left = wrong_with(step, tried, bit, wrong);
    if (left.size() >= wrong.size()) continue;
    wrong = std::move(left);
    values = std::move(tried);
    flipped.push_back(bit);
  }
  return wrong.size() < before;
}

/// Inverts two bits of a variable where one does not make less wrong: a request of one output in
/// place of another is wrong in two. Takes those that leave the fewest wrong, also as many as
/// before, but no bit twice. Returns false if there are none.
bool Repairs::invert_two(const Step& step, const std::vector<BitId>& bits, Values& values,
                         std::vector<BitId>& wrong, std::vector<BitId>& flipped) {
  std::map<std::pair<std::size_t, const structure::Variable*>, std::size_t> widths;
  std::size_t pairs = 0;
  for (const BitId bit : bits) pairs += widths[{net_.owner(bit), net_.variable(bit)}]++;
  if (bits.size() > kMostOfTwo && pairs > kMostPairsOfTwo) return false;
  const auto is_flipped = [&](BitId bit) {
    return std::find(flipped.begin(), flipped.end(), bit) != flipped.end();
  };
  std::optional<std::pair<BitId, BitId>> best;
  std::vector<BitId> least;
  for (const BitId first : bits) {
    if (is_flipped(first)) continue;
    Values once = values;
    sim_.force(once, first, values[first] == 0);
    for (const BitId second : bits) {
      if (second <= first || is_flipped(second) || net_.variable(first) != net_.variable(second) ||
          net_.owner(first) != net_.owner(second)) {
        continue;
      }
      Values twice = once;
      sim_.force(twice, second, once[second] == 0);
      std::vector<BitId> left = steps_.wrong_in(step, twice, nullptr);
      if (left.size() > wrong.size() || (best && left.size() >= least.size())) continue;
      best = {first, second};
      least = std::move(left);
    }
  }
  if (!best) return false;
  for (const BitId bit : {best->first, best->second}) {
    sim_.force(values, bit, values[bit] == 0);
    flipped.push_back(bit);
  }
  wrong = steps_.wrong_in(step, values, nullptr);
  return true;
}

/// Returns true if the inversion of a bit would spoil a step that comes out right.
bool Repairs::spoils(const Candidate& candidate, BitId bit, const Step& step) {
  if (candidate.cell->is_register) {
    return std::any_of(step.expected.begin(), step.expected.end(),
                       [&](const auto& one) { return one.first == bit; });
  }
  Values values = step.values;
  sim_.force(values, bit, values[bit] == 0);
  return !wrong_with(step, values, bit, step.wrong).empty();
}

/// Returns the instance that has the line: for a connection, the one around that of the port.
std::size_t Repairs::place_of_line(const Candidate& candidate, BitId bit) const {
  return candidate.cell->is_register ? net_.owner(bit) : sim_.cells()[sim_.cell_of(bit)].placed;
}

Repairs::Missing Repairs::missing_signals(const Candidate& candidate,
                                          const std::vector<Inversion>& inversions) {
  std::vector<Pair> pairs;
  std::map<std::pair<const Step*, BitId>, bool> spoiled;
  for (const Inversion& inversion : inversions) {
    const Step* const wrong = inversion.first;
    const BitId bit = inversion.second;
    if (pairs.size() > kMostPairs) break;
    const std::vector<BitId> inputs = inputs_of(bit);
    std::size_t tried = 0;
    for (const Step& right : steps_.right()) {
      const bool equal = right.reset_behind == wrong->reset_behind &&
                         std::all_of(inputs.begin(), inputs.end(), [&](BitId input) {
                           return right.values[input] == wrong->values[input];
                         });
      if (!equal) continue;
      if (++tried > kMostEqual) break;
      const auto [known, added] = spoiled.try_emplace({&right, bit});
      if (added) known->second = spoils(candidate, bit, right);
      if (known->second) pairs.push_back({wrong, &right, place_of_line(candidate, bit)});
    }
  }
  if (pairs.empty()) return {};
  // Signals of the module that tell the steps of every pair apart.
  const structure::Variable* driven = net_.variable(candidate.bits.front());
  const Module& module = *net_.placed()[pairs.front().placed].module;
  // A register may read its own old value.
  std::vector<const structure::Variable*> others;
  for (const structure::Variable& variable : module.variables) {
    const bool is_own = &variable == driven && !candidate.cell->is_register;
    if (!is_own && !variable.transient && variable.type.bits() <= kWidestOperand) {
      others.push_back(&variable);
    }
  }
  std::erase_if(pairs, [&](const Pair& pair) {
    return net_.placed()[pair.placed].module->orig != module.orig ||
           net_.placed()[pair.placed].module->bits != module.bits;
  });
  const auto separates = [this](const structure::Variable* variable, const Pair& pair) {
    for (BitId local = variable->base; local < variable->base + variable->type.bits(); ++local) {
      const BitId bit = net_.global(pair.placed, local);
      if (pair.wrong->values[bit] != pair.right->values[bit]) return true;
    }
    return false;
  };
  const structure::Variable* best = nullptr;
  std::size_t most = 0;
  Missing one{.count = 1};
  for (const structure::Variable* variable : others) {
    const auto count = static_cast<std::size_t>(std::count_if(
        pairs.begin(), pairs.end(), [&](const Pair& pair) { return separates(variable, pair); }));
    if (count == pairs.size()) one.names.push_back(variable->name);
    if (count > most) {
      most = count;
      best = variable;
    }
  }
  if (!one.names.empty()) return one;
  if (best == nullptr) return {kMostMissing};
  std::erase_if(pairs, [&](const Pair& pair) { return separates(best, pair); });
  const bool two = std::any_of(others.begin(), others.end(), [&](const auto* variable) {
    return std::all_of(pairs.begin(), pairs.end(),
                       [&](const Pair& pair) { return separates(variable, pair); });
  });
  return {two ? 2 : kMostMissing};
}

/// Returns the first bits of the signals that are as wide as what a combinational cell drives, by
/// name. Names of the cell's own block of a loop begin with a dot.
std::map<std::string, BitId> Repairs::substitutes_of(std::size_t cell) const {
  const Simulation::Cell& own = sim_.cells()[cell];
  const structure::Variable* driven = net_.variable(own.targets.front());
  const std::string name =
      own.pin != nullptr && own.pin->port->direction == structure::Direction::Input
          ? net_.placed()[net_.owner(own.port)].instance->name
          : (driven == nullptr ? "" : driven->name);
  const auto dot = name.rfind('.');
  const std::string block = dot == std::string::npos ? "" : name.substr(0, dot);
  std::map<std::string, BitId> found;
  for (const structure::Variable& variable : net_.placed()[own.placed].module->variables) {
    if (&variable == driven || variable.transient || variable.type.bits() != own.targets.size()) {
      continue;
    }
    const auto end = variable.name.rfind('.');
    const bool is_inside = end != std::string::npos;
    if (is_inside && variable.name.substr(0, end) != block) continue;
    found[is_inside ? variable.name.substr(end) : variable.name] =
        net_.global(own.placed, variable.base);
  }
  return found;
}

/// Returns true if a step comes out right where each of these cells drives the signal of this name.
bool Repairs::is_right_with(const std::string& name, const std::set<std::size_t>& cells,
                            const Step& step) {
  Values values = step.values;
  std::vector<std::pair<BitId, BitId>> forced;  // with the bits that they take their values from
  for (const std::size_t cell : cells) {
    const auto substitutes = substitutes_of(cell);
    const auto found = substitutes.find(name);
    if (found == substitutes.end()) return false;
    const std::vector<BitId>& targets = sim_.cells()[cell].targets;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      forced.emplace_back(targets[i], found->second + static_cast<BitId>(i));
    }
  }
  for (const auto& [bit, from] : forced) sim_.force(values, bit, step.values[from] != 0);
  const bool holds = std::all_of(forced.begin(), forced.end(), [&](const auto& one) {
    return values[one.second] == step.values[one.second];  // else it depends on itself
  });
  return holds && steps_.wrong_in(step, values, nullptr).empty();
}

bool Repairs::has_substitute(const std::vector<Inversion>& inversions) {
  std::map<const Step*, std::set<std::size_t>> cells;
  std::set<std::size_t> all;
  for (const auto& [step, bit] : inversions) {
    cells[step].insert(sim_.cell_of(bit));
    all.insert(sim_.cell_of(bit));
  }
  std::set<std::string> names;
  for (const auto& [name, bit] : substitutes_of(*all.begin())) names.insert(name);
  for (const auto& entry : cells) {
    std::erase_if(names, [&](const std::string& name) {
      return !is_right_with(name, entry.second, *entry.first);
    });
  }
  std::size_t tried = 0;
  for (const Step& step : steps_.right()) {
    if (names.empty() || ++tried > kMostSubstituted) break;
    std::erase_if(names, [&](const std::string& name) { return !is_right_with(name, all, step); });
  }
  return !names.empty();
}

}  // namespace kernbench::sim
