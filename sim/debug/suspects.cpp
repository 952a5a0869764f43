// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/suspects.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sim/debug/exchanges.hpp"
#include "sim/debug/port_cone.hpp"
#include "sim/debug/repairs.hpp"
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

// A step that inversions do not make right counts as this many bits.
constexpr std::size_t kBitsOfUnexplained = 2;
// Steps that a condition has to explain for each that it does not.
constexpr std::size_t kStepsOfCondition = 8;
// Values of bits in drawn states.
constexpr std::size_t kMostDrawnBits = 6'000'000;
// Steps of the failure after which a line that explains none is given up.
constexpr std::size_t kMostInVain = 6;

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

class Ranking {
 public:
  Ranking(const Recording& recording, structure::ModuleLogics& logics, const Module& root)
      : recording_(recording),
        sim_(logics, root),
        net_(sim_.netlist()),
        steps_(sim_),
        repairs_(sim_, steps_) {}

  SuspectList run(const std::vector<const Recording*>& drawn) {
    SuspectList list;
    steps_.add(recording_);
    add_narrow_registers(list);
    if (steps_.wrong().empty() && list.lines.empty()) {
      return {{},
              "the elaborated design does not show the difference; it may lie in what the check "
              "of the structure does not simulate"};
    }
    add_other_stages(list);
    for (const Recording* states : drawn) {
      steps_.add_drawn(*states, kMostDrawnBits / net_.bits() / drawn.size());
    }
    find_candidates();
    std::vector<Scored> scored;
    for (const Candidate& block : blocks_) score_condition(block, scored);
    for (const Candidate& candidate : candidates_) score(candidate, scored);
    add_exchanges(scored);
    std::stable_sort(scored.begin(), scored.end(),
                     [](const Scored& a, const Scored& b) { return a.order < b.order; });
    std::set<std::tuple<std::string, unsigned, bool>> seen;
    for (const Suspect& one : list.lines) seen.insert({one.file, one.line, false});
    for (Scored& one : scored) {
      if (list.lines.size() == kMostSuspects) break;
      if (seen.insert({one.suspect.file, one.suspect.line, one.suspect.is_condition}).second) {
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
  struct Scored {
    Order order;
    Suspect suspect;
  };

  /// Adds the declarations of registers that cannot hold what the reference has in them.
  void add_narrow_registers(SuspectList& list) const {
    std::set<const structure::Variable*> known;
    for (std::size_t i = recording_.ports; i < recording_.reference_signals; ++i) {
      const UnitSignal& signal = recording_.signals[i];
      const Simulation::Signal found = sim_.signal(signal.path, signal.name);
      if (found.bits == 0 || found.bits >= signal.bits) continue;
      const structure::Variable* variable = net_.variable(found.base);
      if (!known.insert(variable).second) continue;
      Suspect& one = list.lines.emplace_back();
      one.file = sim_.design().dump().files.at(variable->place.file);
      one.line = variable->place.line;
      one.signal = variable->name;
      one.finding = kNarrow;
      one.explains = true;
      one.missing = 0;
    }
  }

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

  void find_candidates() {
    std::set<BitId> wrong;
    for (const Step& step : steps_.wrong()) wrong.insert(step.wrong.begin(), step.wrong.end());
    // A line of a module that has several instances, or of a loop, drives a bit in each.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string, bool>, Candidate> found;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Candidate> blocks;
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
      Candidate& block = blocks[{cell.place.file, cell.place.line}];
      block.cell = &cell;
      block.bits.push_back(bit);
    }
    for (auto& [place, block] : blocks) blocks_.push_back(std::move(block));
    for (const auto& [bit, distance] : repairs_.cone_of(wrong)) {
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

  /// Returns 0 for lines that explain the failure with few signals more, 1 for those that read all
  /// that they need for a part of it, 2 for others that explain it, 3 for the rest. Where several
  /// lines are wrong, none may explain all.
  static int likelihood(std::size_t explained, std::size_t unexplained, unsigned missing) {
    if (unexplained == 0) return missing < Repairs::kMostMissing ? 0 : 2;
    return missing == 0 && 4 * explained > unexplained ? 1 : 3;
  }

  /// Returns true if no assignment to a register runs in a step that is not of its reset.
  bool is_idle(const Cell& cell, const Step& step, BitId bit) {
    (void)steps_.loaded(cell, step, step.values);
    return sim_.place_of_last(cell, bit) == cell.place;
  }

  /// Scores the condition around the assignments of a process: where it is wrong, either no
  /// assignment runs, or registers that should keep their values do not.
  void score_condition(const Candidate& block, std::vector<Scored>& scored) {
    std::size_t explained = 0;
    std::size_t unexplained = 0;
    std::optional<bool> is_idle_always;
    std::vector<Repairs::Inversion> inversions;
    for (Step& step : steps_.wrong()) {
      const auto flipped = repairs_.repair(block, step);
      const auto fits = [&](BitId bit) {
        const Cell& cell = sim_.registers()[sim_.register_of(bit)];
        const bool idle = is_idle(cell, step, bit);
        const auto value = std::find_if(step.expected.begin(), step.expected.end(),
                                        [&](const auto& one) { return one.first == bit; });
        const bool should_keep = value->second == (step.values[bit] != 0);
        if (idle == should_keep || is_idle_always.value_or(idle) != idle) return false;
        is_idle_always = idle;
        return true;
      };
      if (!flipped || step.reset_behind || !std::all_of(flipped->begin(), flipped->end(), fits)) {
        ++unexplained;
        continue;
      }
      ++explained;
      for (const BitId bit : *flipped) inversions.emplace_back(&step, bit);
    }
    if (explained == 0 || explained < kStepsOfCondition * unexplained) return;
    const Repairs::Missing missing = repairs_.missing_signals(block, inversions);
    const auto& [step, bit] = inversions.front();
    const Cell& cell = sim_.registers()[sim_.register_of(bit)];
    const Place place = places_of(cell, *step, bit).front().first;
    Suspect suspect;
    suspect.file = sim_.design().dump().files.at(place.file);
    suspect.line = place.line;
    suspect.instance = net_.placed()[cell.placed].path;
    suspect.signal = net_.variable(bit)->name;
    suspect.explains = unexplained == 0;
    suspect.is_register = true;
    suspect.missing = missing.count;
    suspect.could_read = missing.names;
    suspect.is_condition = true;
    scored.push_back({{likelihood(explained, 0, missing.count), static_cast<int>(missing.count), 0,
                       std::bit_width(inversions.size() + kBitsOfUnexplained * unexplained),
                       *is_idle_always ? -1 : 1, 0},
                      std::move(suspect)});
  }

  void score(const Candidate& candidate, std::vector<Scored>& scored) {
    std::size_t repaired = 0;
    std::size_t unexplained = 0;
    std::size_t unexplained_drawn = 0;
    std::vector<Repairs::Inversion> inversions;
    for (Step& step : steps_.wrong()) {
      const auto flipped = repairs_.repair(candidate, step);
      if (!flipped) ++(step.is_drawn ? unexplained_drawn : unexplained);
      if (repaired == 0 && unexplained == kMostInVain) return;
      if (!flipped) continue;
      if (!step.is_drawn) ++repaired;
      for (const BitId bit : *flipped) inversions.emplace_back(&step, bit);
    }
    if (repaired == 0) return;
    const Repairs::Missing missing = repairs_.missing_signals(candidate, inversions);
    const BitId bit = inversions.front().second;
    const bool is_explained = unexplained + unexplained_drawn == 0;
    const bool copies = is_copy(candidate) && (candidate.cell->is_register || !is_explained ||
                                               !repairs_.has_substitute(inversions));
    const std::size_t at = candidate.cell->is_register ? sim_.register_of(bit) : sim_.cell_of(bit);
    const Cell& cell = candidate.cell->is_register ? sim_.registers()[at] : sim_.cells()[at];
    for (const auto& [place, rank] : places_of(cell, *inversions.front().first, bit)) {
      Suspect suspect;
      suspect.file = sim_.design().dump().files.at(place.file);
      suspect.line = place.line;
      suspect.instance = net_.placed()[cell.placed].path;
      const structure::Variable* variable = net_.variable(bit);
      suspect.signal = variable == nullptr ? "" : variable->name;
      suspect.explains = unexplained == 0;
      suspect.is_register = cell.is_register;
      suspect.missing = missing.count;
      suspect.could_read = missing.names;
      suspect.keeps_in_reset =
          cell.is_register && inversions.front().first->reset_behind && place == cell.place;
      // A line that only hands a signal on would have to be more than that.
      const int reads = static_cast<int>(missing.count) + (copies ? 1 : 0);
      scored.push_back({{likelihood(repaired, unexplained, missing.count), reads,
                         (copies ? 2 : 0) + (cell.pin != nullptr ? 1 : 0),
                         std::bit_width(inversions.size() +
                                        kBitsOfUnexplained * (unexplained + unexplained_drawn)),
                         rank, candidate.distance},
                        std::move(suspect)});
    }
  }

  /// Adds the lines that two signals together explain: few errors look like an exchange that makes
  /// all steps right and spoils none.
  void add_exchanges(std::vector<Scored>& scored) {
    for (const Exchange& exchange : find_exchanges(sim_, steps_, candidates_)) {
      for (const Place& place : exchange.places) {
        Suspect suspect;
        suspect.file = sim_.design().dump().files.at(place.file);
        suspect.line = place.line;
        suspect.instance = exchange.instance;
        suspect.signal = exchange.signal;
        suspect.finding = exchange.words;
        suspect.explains = true;
        suspect.missing = 0;
        scored.push_back({{0, 0, -1, 0, 0, 0}, std::move(suspect)});
      }
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
  Repairs repairs_;
  std::vector<Candidate> candidates_;
  std::vector<Candidate> blocks_;  ///< the registers of each process
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
