// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/exchanges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace kernbench::sim {
namespace {

using structure::BitId;
using structure::Place;
using structure::Simulation;
using Cell = Simulation::Cell;
using Values = Simulation::Values;

// Exchanges that are tried, of them of one candidate's parts, and right steps that an exchange
// changes on which it is tried.
constexpr std::size_t kMostTried = 2000;
constexpr std::size_t kMostParts = 8;
constexpr std::size_t kMostRight = 200;

/// Bits, each with the one whose value it takes.
using Permutation = std::vector<std::pair<BitId, BitId>>;

class Search {
 public:
  Search(Simulation& sim, Steps& steps) : sim_(sim), net_(sim.netlist()), steps_(steps) {
    for (const Cell& cell : sim.cells()) {
      if (cell.pin == nullptr) continue;
      pins_[net_.owner(cell.port)].push_back(&cell);
      at_[line_of(cell)].push_back(&cell);
    }
  }

  std::vector<Exchange> run(const std::vector<Candidate>& candidates) {
    for (const Candidate& one : candidates) {
      if (one.cell->is_register) continue;
      std::set<const Cell*> cells;
      for (const BitId bit : one.bits) cells.insert(&sim_.cells()[sim_.cell_of(bit)]);
      try_parts(one, cells);
      std::set<Line> lines;
      for (const Cell* cell : cells) {
        if (cell->pin != nullptr) lines.insert(line_of(*cell));
      }
      for (const Line& line : lines) try_connections(at_.at(line));
    }
    return std::move(found_);
  }

 private:
  /// File, line and port of a connection, the same in all instances.
  using Line = std::tuple<std::uint32_t, std::uint32_t, std::string>;
  [[nodiscard]] static Line line_of(const Cell& cell) {
    return {cell.place.file, cell.place.line, cell.pin->port->name};
  }

  /// Tries the exchange of a connection with each other one of its instances that is as wide.
  void try_connections(const std::vector<const Cell*>& own) {
    for (const Cell* other : pins_.at(net_.owner(own.front()->port))) {
      const std::string& name = other->pin->port->name;
      if (other == own.front() ||
          !known_.insert(std::minmax(line_of(*own.front()), line_of(*other))).second) {
        continue;
      }
      Permutation permutation;
      for (const Cell* cell : own) {
        const std::vector<const Cell*>& pins = pins_.at(net_.owner(cell->port));
        const auto partner = std::find_if(pins.begin(), pins.end(), [&](const Cell* pin) {
          return pin->pin->port->name == name &&
                 pin->pin->port->direction == cell->pin->port->direction &&
                 pin->targets.size() == cell->targets.size();
        });
        if (partner == pins.end()) {
          permutation.clear();
          break;
        }
        for (std::size_t i = 0; i < cell->targets.size(); ++i) {
          permutation.emplace_back(cell->targets[i], (*partner)->targets[i]);
          permutation.emplace_back((*partner)->targets[i], cell->targets[i]);
        }
      }
      if (!explains(permutation)) continue;
      const std::string& port = own.front()->pin->port->name;
      Exchange& one =
          add(*own.front(), port, fmt::format("is right with {} and {} exchanged", port, name));
      if (other->place != own.front()->place) one.places.push_back(other->place);
    }
  }

  /// Tries the exchange of adjacent parts of a signal that come from several others, and of its
  /// halves.
  void try_parts(const Candidate& candidate, const std::set<const Cell*>& cells) {
    std::vector<std::pair<std::vector<BitId>, std::vector<std::size_t>>> signals;
    std::size_t most = 0;
    for (const Cell* cell : cells) {
      std::vector<BitId> bits;
      for (const BitId bit : cell->targets) {
        if (net_.variable(bit) == net_.variable(candidate.bits.front())) bits.push_back(bit);
      }
      if (bits.size() < 2) continue;
      signals.emplace_back(bits, parts_of(bits));
      most = std::max(most, signals.back().second.size());
    }
    // Part number 0 stands for the halves.
    for (std::size_t part = 0; part < std::min(most, kMostParts); ++part) {
      Permutation permutation;
      for (const auto& [bits, starts] : signals) {
        const bool has_part = part == 0 ? bits.size() % 2 == 0 : part + 1 < starts.size();
        if (!has_part) continue;
        const std::size_t begin = part == 0 ? 0 : starts[part - 1];
        const std::size_t middle = part == 0 ? bits.size() / 2 : starts[part];
        const std::size_t end = part == 0 ? bits.size() : starts[part + 1];
        for (std::size_t i = 0; i < end - begin; ++i) {
          permutation.emplace_back(bits[begin + i],
                                   bits[begin + (i + middle - begin) % (end - begin)]);
        }
      }
      if (!explains(permutation)) continue;
      const structure::Variable* variable = net_.variable(candidate.bits.front());
      (void)add(**cells.begin(), variable == nullptr ? "" : variable->name,
                part == 0 ? "is right with its halves exchanged"
                          : "is right with two of its parts exchanged");
      return;
    }
  }

  /// Returns where the parts of a signal begin that are copies of bits of one other signal, and its
  /// end.
  [[nodiscard]] std::vector<std::size_t> parts_of(const std::vector<BitId>& bits) const {
    std::vector<std::size_t> starts;
    const structure::Variable* last = nullptr;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const structure::Variable* from = source_of(bits[i]);
      if (i == 0 || from != last) starts.push_back(i);
      last = from;
    }
    starts.push_back(bits.size());
    return starts;
  }

  /// Returns the signal that a bit is a copy of; null for the result of logic.
  [[nodiscard]] const structure::Variable* source_of(BitId bit) const {
    for (const structure::Driver* driver : net_.drivers(bit)) {
      const structure::BitValue* value =
          driver->target != nullptr ? &driver->target->value : driver->value;
      if (value == nullptr || value->kind != structure::BitValue::Kind::Copy) continue;
      return net_.variable(net_.global(driver->placed, value->source));
    }
    return nullptr;
  }

  /// Returns whether all steps come out right with these values exchanged.
  bool explains(const Permutation& permutation) {
    if (permutation.empty() || steps_.wrong().empty() || tried_ == kMostTried) return false;
    ++tried_;
    for (const Step& step : steps_.wrong()) {
      if (!changes(permutation, step) || !is_right_with(permutation, step)) return false;
    }
    std::size_t tried = 0;
    for (const Step& step : steps_.right()) {
      if (!changes(permutation, step)) continue;
      if (!is_right_with(permutation, step)) return false;
      if (++tried == kMostRight) break;
    }
    return true;
  }
  [[nodiscard]] static bool changes(const Permutation& permutation, const Step& step) {
    return std::any_of(permutation.begin(), permutation.end(), [&](const auto& one) {
      return step.values[one.first] != step.values[one.second];
    });
  }
  bool is_right_with(const Permutation& permutation, const Step& step) {
    Values values = step.values;
    for (const auto& [bit, from] : permutation) sim_.force(values, bit, step.values[from] != 0);
    return steps_.wrong_in(step, values, nullptr).empty();
  }

  Exchange& add(const Cell& cell, std::string signal, std::string words) {
    return found_.emplace_back(Exchange{
        {cell.place}, net_.placed()[cell.placed].path, std::move(signal), std::move(words)});
  }

  Simulation& sim_;
  const structure::Netlist& net_;
  Steps& steps_;
  std::map<std::size_t, std::vector<const Cell*>> pins_;  ///< by connected instance
  std::map<Line, std::vector<const Cell*>> at_;
  std::set<std::pair<Line, Line>> known_;
  std::vector<Exchange> found_;
  std::size_t tried_ = 0;
};

}  // namespace

std::vector<Exchange> find_exchanges(Simulation& sim, Steps& steps,
                                     const std::vector<Candidate>& candidates) {
  return Search(sim, steps).run(candidates);
}

}  // namespace kernbench::sim
