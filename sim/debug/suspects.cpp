// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/suspects.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sim/debug/port_cone.hpp"
#include "sim/debug/steps.hpp"
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

// Right transitions with equal operands that are tried for one bit.
constexpr std::size_t kMostEqual = 24;
constexpr std::size_t kMostPairs = 200;
// A step that inversions do not make right counts as this many bits.
constexpr std::size_t kBitsOfUnexplained = 2;
// Signals that a right line would read besides: so many or more.
constexpr unsigned kMostMissing = 3;
// Values of bits in drawn states.
constexpr std::size_t kMostDrawnBits = 6'000'000;
// Steps of the failure after which a line that explains none is given up.
constexpr std::size_t kMostInVain = 6;
// Most bits among which pairs are inverted.
constexpr std::size_t kMostOfTwo = 24;
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

/// A line, as a part of the design that drives one variable.
struct Candidate {
  const Cell* cell = nullptr;
  std::vector<BitId> bits;  ///< bits of the variable in the cone of what is wrong
  unsigned distance = 0;    ///< cells between it and what is wrong
};

class Ranking {
 public:
  Ranking(const Recording& recording, structure::ModuleLogics& logics, const Module& root)
      : recording_(recording), sim_(logics, root), net_(sim_.netlist()), steps_(sim_) {}

  SuspectList run(const std::vector<const Recording*>& drawn) {
    steps_.add(recording_);
    if (steps_.wrong().empty()) {
      return {{},
              "the elaborated design does not show the difference; it may lie in what the check "
              "of the structure does not simulate"};
    }
    SuspectList list;
    add_other_stages(list);
    for (const Recording* states : drawn) {
      steps_.add_drawn(*states, kMostDrawnBits / net_.bits() / drawn.size());
    }
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
  /// likelihood(), then how many signals a line would have to read besides, whether it only copies,
  /// in how many bits it would have to differ (the order of magnitude), and the distance.
  using Order = std::tuple<int, int, int, int, int, unsigned>;
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
          return signal.name == "main_vld_q" && !steps_.has(i);
        });
    if (!are_missing) return;
    for (const structure::Instance& instance : net_.placed().front().module->instances) {
      Suspect& one = list.lines.emplace_back();
      one.file = sim_.design().dump().files.at(instance.place.file);
      one.line = instance.place.line;
      one.signal = instance.name;
      one.finding = kOtherStage;
      one.explains = true;
      one.missing = 0;
      return;
    }
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
    for (const Step& step : steps_.wrong()) wrong.insert(step.wrong.begin(), step.wrong.end());
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
    std::vector<BitId> wrong = steps_.wrong_in(step, values, &cells);
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
  bool invert_one_by_one(const Step& step, const std::vector<BitId>& bits, Values& values,
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
  bool invert_two(const Step& step, const std::vector<BitId>& bits, Values& values,
                  std::vector<BitId>& wrong, std::vector<BitId>& flipped) {
    if (bits.size() > kMostOfTwo) return false;
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
        if (second <= first || is_flipped(second) ||
            net_.variable(first) != net_.variable(second) ||
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
  bool spoils(const Candidate& candidate, BitId bit, const Step& step) {
    if (candidate.cell->is_register) {
      return std::any_of(step.expected.begin(), step.expected.end(),
                         [&](const auto& one) { return one.first == bit; });
    }
    Values values = step.values;
    sim_.force(values, bit, values[bit] == 0);
    return !wrong_with(step, values, bit, step.wrong).empty();
  }

  /// Returns the instance that has the line: for a connection, the one around that of the port.
  [[nodiscard]] std::size_t place_of_line(const Candidate& candidate, BitId bit) const {
    return candidate.cell->is_register ? net_.owner(bit) : sim_.cells()[sim_.cell_of(bit)].placed;
  }

  /// Returns how many signals besides its own a bit's line would have to read so that one function
  /// inverts it in the step `wrong` and not in the right steps where that would spoil them.
  unsigned missing_signals(const Candidate& candidate,
                           const std::vector<std::pair<const Step*, BitId>>& repairs) {
    std::vector<Pair> pairs;
    std::map<std::pair<const Step*, BitId>, bool> spoiled;
    for (const auto& repair : repairs) {
      const Step* const wrong = repair.first;
      const BitId bit = repair.second;
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

  /// Returns 0 for lines that explain the failure with few signals more, 1 for those that read all
  /// that they need for a part of it, 2 for others that explain it, 3 for the rest. Where several
  /// lines are wrong, none may explain all.
  static int likelihood(std::size_t explained, std::size_t unexplained, unsigned missing) {
    if (unexplained == 0) return missing < kMostMissing ? 0 : 2;
    return missing == 0 && 4 * explained > unexplained ? 1 : 3;
  }

  void score(const Candidate& candidate, std::vector<Scored>& scored) {
    std::size_t repaired = 0;
    std::size_t unexplained = 0;
    std::size_t unexplained_drawn = 0;
    std::vector<std::pair<const Step*, BitId>> repairs;
    for (Step& step : steps_.wrong()) {
      const auto flipped = repair(candidate, step);
      if (!flipped) ++(step.is_drawn ? unexplained_drawn : unexplained);
      if (repaired == 0 && unexplained == kMostInVain) return;
      if (!flipped) continue;
      if (!step.is_drawn) ++repaired;
      for (const BitId bit : *flipped) repairs.emplace_back(&step, bit);
    }
    if (repaired == 0) return;
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
      suspect.explains = unexplained == 0;
      suspect.is_register = cell.is_register;
      suspect.missing = missing;
      suspect.keeps_in_reset =
          cell.is_register && repairs.front().first->reset_behind && place == cell.place;
      // A line that only hands a signal on would have to be more than that.
      const int reads = static_cast<int>(missing) + (copies ? 1 : 0);
      scored.push_back(
          {{likelihood(repaired, unexplained, missing), reads,
            (copies ? 2 : 0) + (cell.pin != nullptr ? 1 : 0),
            std::bit_width(repairs.size() + kBitsOfUnexplained * (unexplained + unexplained_drawn)),
            rank, candidate.distance},
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
        if (value == nullptr && candidate.cell->pin != nullptr) continue;  // an output
        if (value == nullptr) return false;
        if (value->kind != structure::BitValue::Kind::Copy || value->inverted) return false;
        const BitId from = net_.global(driver->placed, value->source);
        if (distance.value_or(bit - from) != bit - from) return false;
        distance = bit - from;
      }
    }
    return distance || candidate.cell->pin != nullptr;
  }

  /// Returns the lines of a candidate, the one that was executed first.
  std::vector<std::pair<Place, int>> places_of(const Cell& cell, const Step& step, BitId bit) {
    if (cell.process == nullptr) return {{cell.place, 0}};
    std::vector<std::pair<Place, int>> places;
    std::optional<Place> of_reset;  // where the step is none
    const auto add = [&](const Place& place, int rank) {
      const bool known = std::any_of(places.begin(), places.end(),
                                     [&](const auto& one) { return one.first == place; });
      if (!known) places.emplace_back(place, rank);
    };
    if (cell.is_register) {
      if (step.reset_behind && !cell.logic->has_reset()) add(cell.place, 0);
      if (!step.reset_behind && cell.logic->has_reset()) {
        Step in_reset = step;
        in_reset.reset_behind = true;
        (void)steps_.loaded(cell, in_reset, step.values);
        of_reset = sim_.place_of_last(cell, bit);
      }
      (void)steps_.loaded(cell, step, step.values);
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
    for (const Place& place : others) {
      if (place != of_reset) add(place, 1);
    }
    if (!has_run) add(last, 2);
    if (of_reset) add(*of_reset, 3);
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
  Steps steps_;
  std::vector<Candidate> candidates_;
  std::map<BitId, std::set<std::size_t>> behind_;
  std::vector<std::vector<std::size_t>> readers_, register_readers_;
};

}  // namespace

SuspectList rank_suspects(const Recording& recording, const std::vector<Recording>& drawn,
                          const structure::Design& design) {
  if (!recording.wrong) return {{}, "no signal of the unit differs from the reference"};
  if (recording.instance.empty()) return cone_of_port(recording, design);
  const Module* root = module_at(design, recording.instance);
  if (root == nullptr) return {{}, "the elaborated design has no " + recording.instance};
  std::vector<const Recording*> of_module;
  for (const Recording& states : drawn) {
    if (module_at(design, states.instance) == root) of_module.push_back(&states);
  }
  structure::ModuleLogics logics(design);
  try {
    return Ranking(recording, logics, *root).run(of_module);
  } catch (const structure::NotUnderstood& error) {
    return {{}, error.what()};
  }
}

}  // namespace kernbench::sim
