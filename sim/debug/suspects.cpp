// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/suspects.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sim/debug/port_cone.hpp"
#include "sim/structure/simulation.hpp"

namespace kernbench::sim {
namespace {

using structure::BitId;
using structure::Design;
using structure::Module;
using structure::Op;
using structure::Place;
using structure::Simulation;
using Cell = Simulation::Cell;
using Values = Simulation::Values;

// Transitions that are tried: of those that come out wrong, and of the others.
constexpr std::size_t kMostWrong = 16;
constexpr std::size_t kMostRight = 240;
// Right transitions with equal operands that are tried for one bit.
constexpr std::size_t kMostEqual = 24;
constexpr std::size_t kMostPairs = 200;
// Bits of a signal that a line may lack: a packet tells any two steps apart.
constexpr unsigned kWidestOperand = 16;

/// Returns the module of an instance, whose path begins with the top module; null if there is none.
const Module* module_at(const Design& design, const std::string& path) {
  const Module* module = &design.top();
  auto at = path.find('.');
  while (module != nullptr && at != std::string::npos) {
    const std::string rest = path.substr(at + 1);
    const Module* next = nullptr;
    std::size_t length = 0;
    for (const structure::Instance& instance : module->instances) {
      const std::string name = source_name(instance.name);
      if (rest != name && !rest.starts_with(name + ".")) continue;
      next = design.module(instance.module);
      length = name.size();
    }
    if (next == nullptr) return nullptr;
    module = next;
    at = length == rest.size() ? std::string::npos : at + 1 + length;
  }
  return module;
}

/// One step of the unit on states of the reference.
struct Step {
  Values values;                                 ///< settled
  std::vector<std::pair<BitId, bool>> expected;  ///< values of registers behind the edge
  std::vector<std::pair<BitId, bool>> outputs;   ///< values of output ports before it
  bool reset_behind = false;                     ///< the next cycle is in reset
  bool is_start = false;                         ///< it leads from random bits into the first cycle
  std::vector<BitId> wrong;                      ///< registers and outputs that come out wrong
  std::map<BitId, unsigned> cone = {};  ///< combinational bits in front of them, once asked
};

/// A line, as a part of the design that drives one variable.
struct Candidate {
  const Cell* cell = nullptr;
  std::vector<BitId> bits;  ///< bits of the variable in the cone of what is wrong
  unsigned distance = 0;    ///< cells between it and what is wrong
};

class Ranking {
 public:
  Ranking(const Recording& recording, structure::ModuleLogics& logics, const Module& root)
      : recording_(recording), sim_(logics, root), net_(sim_.netlist()) {}

  SuspectList run() {
    map_signals();
    make_steps();
    if (wrong_.empty()) {
      return {{},
              "the elaborated design does not show the difference; it may lie in what the check "
              "of the structure does not simulate"};
    }
    SuspectList list;
    add_other_stages(list);
    find_candidates();
    std::vector<Scored> scored;
    for (const Candidate& candidate : candidates_) score(candidate, scored);
    std::stable_sort(scored.begin(), scored.end(),
                     [](const Scored& a, const Scored& b) { return a.order < b.order; });
    std::set<std::pair<std::string, unsigned>> seen;
    for (const Suspect& one : list.lines) seen.insert({one.file, one.line});
    for (Scored& one : scored) {
      if (list.lines.size() == kMostSuspects) break;
      if (seen.insert({one.suspect.file, one.suspect.line}).second) {
        list.lines.push_back(std::move(one.suspect));
      }
    }
    if (list.lines.empty()) list.why_not = "no line drives the first wrong signal";
    return list;
  }

 private:
  /// Lines that explain all come first; then those that would have to read least besides, that do
  /// more than to copy, that would have to differ in the fewest bits.
  using Order = std::tuple<int, int, int, std::size_t, int, unsigned>;
  /// A step that comes out wrong, and one that comes out right with equal operands of a line.
  struct Pair {
    const Step* wrong;
    const Step* right;
    std::size_t placed;  ///< instance of the line
  };
  struct Scored {
    Order order;
    Suspect suspect;
  };

  /// Adds the instance that stands where the reference has a stage with other registers.
  void add_other_stages(SuspectList& list) const {
    const bool are_missing =
        std::any_of(recording_.signals.begin(), recording_.signals.end(), [&](const auto& signal) {
          const auto i = static_cast<std::size_t>(&signal - recording_.signals.data());
          return signal.name == "main_vld_q" && !bits_[i];
        });
    if (!are_missing) return;
    for (const structure::Instance& instance : net_.placed().front().module->instances) {
      list.lines.push_back({sim_.design().dump().files.at(instance.place.file), instance.place.line,
                            "", instance.name, std::string(kOtherStage), true, 0});
      return;
    }
  }

  void map_signals() {
    for (const UnitSignal& signal : recording_.signals) {
      const Simulation::Signal found = sim_.signal(signal.path, signal.name);
      const bool fits = signal.low + signal.bits <= found.bits;
      bits_.push_back(fits ? std::optional<BitId>(found.base + signal.low) : std::nullopt);
    }
    const Simulation::Signal reset = sim_.signal("", "rst_n");
    if (reset.bits == 1) reset_ = reset.base;
  }

  [[nodiscard]] bool is_register(std::size_t signal) const {
    return bits_[signal] && sim_.register_of(*bits_[signal]) != Simulation::kNoCell;
  }

  template <typename Put>
  void each_bit(std::size_t signal, maze::Payload value, Put put) const {
    if (!bits_[signal]) return;
    for (unsigned i = 0; i < recording_.signals[signal].bits; ++i) {
      put(*bits_[signal] + i, (value >> i & 1U) != 0);
    }
  }

  Values values_of(const UnitCycle& cycle) const {
    Values values(net_.bits(), 0);
    for (std::size_t i = 0; i < recording_.signals.size(); ++i) {
      const bool is_input = recording_.signals[i].kind == UnitSignal::Kind::Input;
      // Others than the ports and registers are inputs that do not change, such as the position.
      const bool is_root = i >= recording_.ports && recording_.signals[i].path.empty();
      if (!is_input && !is_root && !is_register(i)) continue;
      each_bit(i, cycle.expected[i].value_or(cycle.seen[i]),
               [&](BitId bit, bool value) { values[bit] = value ? 1 : 0; });
    }
    if (reset_) values[*reset_] = cycle.in_reset ? 0 : 1;
    return values;
  }

  void make_steps() {
    const std::vector<UnitCycle>& cycles = recording_.cycles;
    // Near the first wrong value: before it, and behind it.
    std::size_t middle = 0;
    while (recording_.wrong && middle + 1 < cycles.size() &&
           cycles[middle].cycle < recording_.wrong->cycle) {
      ++middle;
    }
    const std::size_t first = middle > kMostRight ? middle - kMostRight : 0;
    const std::size_t last = std::min(cycles.size(), middle + 60);
    std::size_t wrong = 0;
    if (!cycles.empty() && cycles.front().cycle == 0) add_start(cycles.front());
    for (std::size_t t = first; t < last; ++t) {
      Step step;
      step.values = values_of(cycles[t]);
      sim_.settle(step.values);
      const bool has_next = t + 1 < cycles.size() && cycles[t + 1].cycle == cycles[t].cycle + 1;
      for (std::size_t i = 0; i < recording_.signals.size(); ++i) {
        if (recording_.signals[i].kind == UnitSignal::Kind::Output && cycles[t].expected[i]) {
          each_bit(i, *cycles[t].expected[i],
                   [&](BitId bit, bool value) { step.outputs.emplace_back(bit, value); });
        }
        if (has_next && is_register(i) && cycles[t + 1].expected[i]) {
          each_bit(i, *cycles[t + 1].expected[i],
                   [&](BitId bit, bool value) { step.expected.emplace_back(bit, value); });
        }
      }
      step.reset_behind = has_next && cycles[t + 1].in_reset;
      step.wrong = wrong_in(step, step.values, nullptr);
      if (!step.wrong.empty() && ++wrong > kMostWrong) continue;
      (step.wrong.empty() ? right_ : wrong_).push_back(std::move(step));
    }
  }

  /// Adds the step from the random bits with which registers start into a first cycle in reset.
  void add_start(const UnitCycle& cycle) {
    Step step;
    step.is_start = true;
    step.reset_behind = true;
    UnitCycle before = cycle;
    before.expected.assign(before.expected.size(), std::nullopt);
    before.in_reset = false;
    step.values = values_of(before);
    sim_.settle(step.values);
    for (std::size_t i = 0; i < recording_.signals.size(); ++i) {
      if (!is_register(i) || !cycle.expected[i]) continue;
      each_bit(i, *cycle.expected[i],
               [&](BitId bit, bool value) { step.expected.emplace_back(bit, value); });
    }
    step.wrong = wrong_in(step, step.values, nullptr);
    (step.wrong.empty() ? right_ : wrong_).push_back(std::move(step));
  }

  /// Returns the value of each target of a register behind the edge that ends a step.
  std::vector<std::uint8_t> loaded(const Cell& cell, const Step& step, const Values& values) {
    const bool has_reset = cell.logic->has_reset();
    if (step.is_start && !has_reset) {
      std::vector<std::uint8_t> kept;
      for (const BitId bit : cell.targets) kept.push_back(values[bit]);
      return kept;
    }
    if (!step.reset_behind || !has_reset || !reset_) return sim_.next(cell, values);
    Values in_reset = values;
    sim_.force(in_reset, *reset_, false);
    return sim_.next(cell, in_reset);
  }

  /// Returns what comes out wrong with these values; of the registers in `cells` and the outputs if
  /// it is not null.
  std::vector<BitId> wrong_in(const Step& step, const Values& values,
                              const std::set<std::size_t>* cells) {
    std::vector<BitId> wrong;
    std::map<std::size_t, std::vector<std::uint8_t>> next;
    for (const auto& [bit, value] : step.expected) {
      const std::size_t at = sim_.register_of(bit);
      if (cells != nullptr && cells->count(at) == 0) continue;
      const Cell& cell = sim_.registers()[at];
      auto found = next.find(at);
      if (found == next.end()) found = next.emplace(at, loaded(cell, step, values)).first;
      const auto target = std::lower_bound(cell.targets.begin(), cell.targets.end(), bit);
      const std::uint8_t got =
          found->second[static_cast<std::size_t>(target - cell.targets.begin())];
      if ((got != 0) != value) wrong.push_back(bit);
    }
    for (const auto& [bit, value] : step.outputs) {
      if ((values[bit] != 0) != value) wrong.push_back(bit);
    }
    return wrong;
  }

  std::vector<BitId> inputs_of(BitId bit) const {
    std::vector<BitId> inputs;
    for (const structure::Driver* driver : net_.drivers(bit)) {
      const std::vector<BitId> more = net_.inputs(*driver);
      inputs.insert(inputs.end(), more.begin(), more.end());
    }
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    return inputs;
  }

  void find_candidates() {
    std::set<BitId> wrong;
    for (const Step& step : wrong_) wrong.insert(step.wrong.begin(), step.wrong.end());
    // A line of a module that has several instances, or of a loop, drives a bit in each.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string, bool>, Candidate> found;
    const auto candidate_of = [&](const Cell& cell, BitId bit) -> Candidate& {
      const Place place = cell.is_register ? cell.place : place_of(cell, bit);
      const structure::Variable* variable = net_.variable(bit);
      // Without the block of the loop that it is in.
      const std::string name = variable == nullptr ? "" : variable->name;
      return found[{place.file, place.line, name.substr(name.rfind('.') + 1), cell.is_register}];
    };
    for (const BitId bit : wrong) {
      const std::size_t at = sim_.register_of(bit);
      if (at == Simulation::kNoCell) continue;
      const Cell& cell = sim_.registers()[at];
      Candidate& own = candidate_of(cell, bit);
      own.cell = &cell;
      own.bits.push_back(bit);
    }
    for (const auto& [bit, distance] : cone_of(wrong)) {
      const Cell& cell = sim_.cells()[sim_.cell_of(bit)];
      Candidate& one = candidate_of(cell, bit);
      one.distance = one.cell == nullptr ? distance : std::min(one.distance, distance);
      one.cell = &cell;
      one.bits.push_back(bit);
    }
    for (auto& [key, candidate] : found) candidates_.push_back(std::move(candidate));
    std::stable_sort(
        candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
          return std::tuple(a.distance, a.bits.front()) < std::tuple(b.distance, b.bits.front());
        });
  }

  /// Returns the place of the line that drives a combinational bit.
  [[nodiscard]] Place place_of(const Cell& cell, BitId bit) const {
    for (const structure::Driver* driver : net_.drivers(bit)) {
      if (driver->target != nullptr) return driver->place;
    }
    return cell.place;
  }

  /// Returns the combinational bits in front of what is wrong, each with the number of cells
  /// between.
  std::map<BitId, unsigned> cone_of(const std::set<BitId>& wrong) const {
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
    }
    return cone;
  }

  /// Returns the cells of registers that a change of a bit may reach.
  const std::set<std::size_t>& registers_behind(BitId first) {
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
  std::vector<BitId> wrong_with(const Step& step, const Values& values, BitId bit,
                                const std::vector<BitId>& before) {
    const std::set<std::size_t>& cells = registers_behind(bit);
    std::vector<BitId> wrong = wrong_in(step, values, &cells);
    for (const BitId one : before) {  // registers that the bit does not reach
      const std::size_t at = sim_.register_of(one);
      if (at != Simulation::kNoCell && cells.count(at) == 0) wrong.push_back(one);
    }
    return wrong;
  }

  /// Returns the bits of a combinational candidate whose inversion makes a step right; nothing if
  /// none does.
  std::optional<std::vector<BitId>> repair(const Candidate& candidate, Step& step) {
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
    Values values = step.values;
    std::vector<BitId> wrong = step.wrong;
    for (const BitId bit : candidate.bits) {
      if (step.cone.count(bit) == 0) continue;
      Values tried = values;
      sim_.force(tried, bit, values[bit] == 0);
      std::vector<BitId> left = wrong_with(step, tried, bit, wrong);
      if (left.size() >= wrong.size()) continue;
      wrong = std::move(left);
      values = std::move(tried);
      flipped.push_back(bit);
      if (wrong.empty()) return flipped;
    }
    return std::nullopt;
  }

  /// Returns true if the inversion of a bit would spoil a step that comes out right.
  bool spoils(const Candidate& candidate, BitId bit, const Step& step) {
    if (candidate.cell->is_register) {
      return std::any_of(step.expected.begin(), step.expected.end(),
                         [&](const auto& one) { return one.first == bit; });
    }
    Values values = step.values;
    sim_.force(values, bit, values[bit] == 0);
    return !wrong_with(step, values, bit, step.wrong).empty();
  }

  /// Returns how many signals besides its own a bit's line would have to read so that one function
  /// inverts it in the step `wrong` and not in the right steps where that would spoil them.
  unsigned missing_signals(const Candidate& candidate,
                           const std::vector<std::pair<const Step*, BitId>>& repairs) {
    std::vector<Pair> pairs;
    for (const auto& repair : repairs) {
      const Step* const wrong = repair.first;
      const BitId bit = repair.second;
      if (pairs.size() > kMostPairs) break;
      const std::vector<BitId> inputs = inputs_of(bit);
      std::size_t tried = 0;
      for (const Step& right : right_) {
        const bool equal = right.reset_behind == wrong->reset_behind &&
                           std::all_of(inputs.begin(), inputs.end(), [&](BitId input) {
                             return right.values[input] == wrong->values[input];
                           });
        if (!equal) continue;
        if (++tried > kMostEqual) break;
        if (spoils(candidate, bit, right)) pairs.push_back({wrong, &right, net_.owner(bit)});
      }
    }
    if (pairs.empty()) return 0;
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
    for (const structure::Variable* variable : others) {
      const auto count = static_cast<std::size_t>(std::count_if(
          pairs.begin(), pairs.end(), [&](const Pair& pair) { return separates(variable, pair); }));
      if (count > most) {
        most = count;
        best = variable;
      }
    }
    if (most == pairs.size()) return 1;
    if (best == nullptr) return 3;
    std::erase_if(pairs, [&](const Pair& pair) { return separates(best, pair); });
    const bool two = std::any_of(others.begin(), others.end(), [&](const auto* variable) {
      return std::all_of(pairs.begin(), pairs.end(),
                         [&](const Pair& pair) { return separates(variable, pair); });
    });
    return two ? 2 : 3;
  }

  void score(const Candidate& candidate, std::vector<Scored>& scored) {
    std::size_t repaired = 0;
    std::vector<std::pair<const Step*, BitId>> repairs;
    for (Step& step : wrong_) {
      const auto flipped = repair(candidate, step);
      if (!flipped) continue;
      ++repaired;
      for (const BitId bit : *flipped) repairs.emplace_back(&step, bit);
    }
    if (repaired == 0) return;
    const bool explains = repaired == wrong_.size();
    const unsigned missing = missing_signals(candidate, repairs);
    const BitId bit = repairs.front().second;
    const bool copies = is_copy(candidate);
    const std::size_t at = candidate.cell->is_register ? sim_.register_of(bit) : sim_.cell_of(bit);
    const Cell& cell = candidate.cell->is_register ? sim_.registers()[at] : sim_.cells()[at];
    for (const auto& [place, rank] : places_of(cell, *repairs.front().first, bit)) {
      Suspect suspect;
      suspect.file = sim_.design().dump().files.at(place.file);
      suspect.line = place.line;
      suspect.instance = net_.placed()[cell.placed].path;
      const structure::Variable* variable = net_.variable(bit);
      suspect.signal = variable == nullptr ? "" : variable->name;
      suspect.explains = explains;
      suspect.missing = missing;
      suspect.keeps_in_reset =
          cell.is_register && repairs.front().first->reset_behind && place == cell.place;
      // A line that only hands a signal on would have to be more than that.
      scored.push_back({{explains ? 0 : 1, static_cast<int>(missing) + (copies ? 1 : 0),
                         (copies ? 2 : 0) + (cell.pin != nullptr ? 1 : 0), repairs.size(), rank,
                         candidate.distance},
                        std::move(suspect)});
    }
  }

  /// Returns whether a candidate hands on the bits of another signal in their order.
  [[nodiscard]] bool is_copy(const Candidate& candidate) const {
    std::optional<BitId> distance;
    for (const BitId bit : candidate.bits) {
      for (const structure::Driver* driver : net_.drivers(bit)) {
        const structure::BitValue* value =
            driver->target != nullptr ? &driver->target->value : driver->value;
        if (value == nullptr) continue;  // an output of an instance
        if (value->kind != structure::BitValue::Kind::Copy || value->inverted) return false;
        const BitId from = net_.global(driver->placed, value->source);
        if (distance.value_or(bit - from) != bit - from) return false;
        distance = bit - from;
      }
    }
    return true;
  }

  /// Returns the lines of a candidate, the one that was executed first.
  std::vector<std::pair<Place, int>> places_of(const Cell& cell, const Step& step, BitId bit) {
    if (cell.process == nullptr) return {{cell.place, 0}};
    std::vector<std::pair<Place, int>> places;
    const auto add = [&](const Place& place, int rank) {
      const bool known = std::any_of(places.begin(), places.end(),
                                     [&](const auto& one) { return one.first == place; });
      if (!known) places.emplace_back(place, rank);
    };
    if (cell.is_register) {
      if (step.reset_behind && !cell.logic->has_reset()) add(cell.place, 0);
      (void)loaded(cell, step, step.values);
    } else {
      (void)sim_.next(cell, step.values);
    }
    // Where no assignment ran, one that should have is at fault, or the process without one.
    const Place last = sim_.place_of_last(cell, bit);
    const bool has_run = last != cell.place || step.reset_behind || !cell.is_register;
    if (has_run) add(last, 0);
    const structure::Variable* variable = net_.variable(bit);
    std::vector<Place> others;
    for (const structure::Node* statement : cell.process->statements) {
      add_assignments(*statement, variable, others);
    }
    std::sort(others.begin(), others.end(),
              [](const Place& a, const Place& b) { return a.line < b.line; });
    for (const Place& place : others) add(place, 1);
    if (!has_run) add(last, 2);
    return places;
  }

  /// Appends the places of the assignments to a variable.
  void add_assignments(const structure::Node& node, const structure::Variable* variable,
                       std::vector<Place>& places) const {
    const Op op = sim_.design().op(node);
    if (op == Op::Assign || op == Op::AssignDelayed) {
      if (variable != nullptr && names(node.children[1], variable->name)) {
        places.push_back(node.place);
      }
      return;
    }
    for (const structure::Node& child : node.children) add_assignments(child, variable, places);
  }
  [[nodiscard]] bool names(const structure::Node& node, const std::string& name) const {
    if (sim_.design().op(node) == Op::Variable) return sim_.design().text(node.name) == name;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const structure::Node& child) { return names(child, name); });
  }

  const Recording& recording_;
  Simulation sim_;
  const structure::Netlist& net_;
  std::vector<std::optional<BitId>> bits_;  ///< first bit of each signal
  std::optional<BitId> reset_;
  std::vector<Step> right_, wrong_;
  std::vector<Candidate> candidates_;
  std::map<BitId, std::set<std::size_t>> behind_;
  std::vector<std::vector<std::size_t>> readers_, register_readers_;
};

}  // namespace

SuspectList rank_suspects(const Recording& recording, const structure::Design& design) {
  if (!recording.wrong) return {{}, "no signal of the unit differs from the reference"};
  if (recording.instance.empty()) return cone_of_port(recording, design);
  const Module* root = module_at(design, recording.instance);
  if (root == nullptr) return {{}, "the elaborated design has no " + recording.instance};
  structure::ModuleLogics logics(design);
  try {
    return Ranking(recording, logics, *root).run();
  } catch (const structure::NotUnderstood& error) {
    return {{}, error.what()};
  }
}

}  // namespace kernbench::sim
