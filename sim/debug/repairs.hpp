// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/debug/steps.hpp"
#include "sim/structure/simulation.hpp"

namespace kernbench::sim {

/// A line, as a part of the design that drives one variable.
struct Candidate {
  const structure::Simulation::Cell* cell = nullptr;
  std::vector<structure::BitId> bits;  ///< bits of the variable in the cone of what is wrong
  unsigned distance = 0;               ///< cells between it and what is wrong
};

/// Makes wrong steps right by inverting bits that a line drives, and tells what the line would have
/// to read for that.
class Repairs {
 public:
  /// A wrong step, and a bit whose inversion takes part in making it right.
  using Inversion = std::pair<const Step*, structure::BitId>;
  /// Signals that a line does not read.
  struct Missing {
    unsigned count = 0;                   ///< how many it would have to read; kMostMissing for more
    std::vector<std::string> names = {};  ///< with a count of 1: each of these would do
  };
  /// Missing::count for that many or more.
  static constexpr unsigned kMostMissing = 3;

  Repairs(structure::Simulation& sim, Steps& steps)
      : sim_(sim), net_(sim.netlist()), steps_(steps) {}

  /// Returns the bits that the drivers of a bit read.
  [[nodiscard]] std::vector<structure::BitId> inputs_of(structure::BitId bit) const;
  /// Returns the combinational bits in front of what is wrong, each with the number of cells
  /// between.
  [[nodiscard]] std::map<structure::BitId, unsigned> cone_of(
      const std::set<structure::BitId>& wrong) const;
  /// Returns the bits of a candidate whose inversion makes a step right; nothing if none does.
  [[nodiscard]] std::optional<std::vector<structure::BitId>> repair(const Candidate& candidate,
                                                                    Step& step);
  /// Returns the signals that a candidate's line would have to read besides its own so that one
  /// function inverts its bits in these wrong steps and not in the right steps where that would
  /// spoil them.
  [[nodiscard]] Missing missing_signals(const Candidate& candidate,
                                        const std::vector<Inversion>& inversions);
  /// Returns true if a line that only hands on a signal would be right with another signal of its
  /// module in place of that, such as a connection to a wrong one.
  [[nodiscard]] bool has_substitute(const std::vector<Inversion>& inversions);

 private:
  using Values = structure::Simulation::Values;
  /// A step that comes out wrong, and one that comes out right with equal operands of a line.
  struct Pair {
    const Step* wrong;
    const Step* right;
    std::size_t placed;  ///< instance of the line
  };

  const std::set<std::size_t>& registers_behind(structure::BitId first);
  std::vector<structure::BitId> wrong_with(const Step& step, const Values& values,
                                           structure::BitId bit,
                                           const std::vector<structure::BitId>& before);
  bool invert_one_by_one(const Step& step, const std::vector<structure::BitId>& bits,
                         Values& values, std::vector<structure::BitId>& wrong,
                         std::vector<structure::BitId>& flipped);
  bool invert_two(const Step& step, const std::vector<structure::BitId>& bits, Values& values,
                  std::vector<structure::BitId>& wrong, std::vector<structure::BitId>& flipped);
  bool spoils(const Candidate& candidate, structure::BitId bit, const Step& step);
  [[nodiscard]] std::size_t place_of_line(const Candidate& candidate, structure::BitId bit) const;

  [[nodiscard]] std::map<std::string, structure::BitId> substitutes_of(std::size_t cell) const;
  bool is_right_with(const std::string& name, const std::set<std::size_t>& cells, const Step& step);

  structure::Simulation& sim_;
  const structure::Netlist& net_;
  Steps& steps_;
  std::map<structure::BitId, std::set<std::size_t>> behind_;
  std::vector<std::vector<std::size_t>> readers_, register_readers_;
};

}  // namespace kernbench::sim
