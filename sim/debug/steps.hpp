// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/debug/recorder.hpp"
#include "sim/structure/simulation.hpp"

namespace kernbench::sim {

/// One clock cycle of a unit, from a state of the reference to the next.
struct Step {
  structure::Simulation::Values values;                     ///< settled
  std::vector<std::pair<structure::BitId, bool>> expected;  ///< values of registers behind the edge
  std::vector<std::pair<structure::BitId, bool>> outputs;   ///< values of output ports before it
  bool reset_behind = false;                                ///< the next cycle is in reset
  bool is_start = false;                ///< it leads from random bits into the first cycle
  bool is_drawn = false;                ///< it is not of the run that failed
  std::vector<structure::BitId> wrong;  ///< registers and outputs that come out wrong
  std::map<structure::BitId, unsigned> cone =
      {};  ///< combinational bits in front of them, once asked
};

/// The steps of recordings, executed on the elaborated design: those that come out wrong, and those
/// that come out right.
class Steps {
 public:
  explicit Steps(structure::Simulation& sim) : sim_(sim) {}

  /// Adds the steps around the first wrong value of a recording.
  void add(const Recording& recording);
  /// Adds at most about `most` steps of drawn states of the same module, evenly spread. Nothing is
  /// added if the design has registers that the reference does not have.
  void add_drawn(const Recording& recording, std::size_t most);

  [[nodiscard]] std::vector<Step>& wrong() { return wrong_; }
  [[nodiscard]] const std::vector<Step>& right() const { return right_; }
  /// Returns true if the design has a signal of the last recording.
  [[nodiscard]] bool has(std::size_t signal) const { return bits_[signal].has_value(); }

  /// Returns the value of each target of a register behind the edge that ends a step.
  [[nodiscard]] std::vector<std::uint8_t> loaded(const structure::Simulation::Cell& cell,
                                                 const Step& step,
                                                 const structure::Simulation::Values& values);
  /// Returns what comes out wrong with these values; of the registers in `cells` and the outputs if
  /// it is not null.
  [[nodiscard]] std::vector<structure::BitId> wrong_in(const Step& step,
                                                       const structure::Simulation::Values& values,
                                                       const std::set<std::size_t>* cells);

 private:
  void map_signals(const Recording& recording);
  [[nodiscard]] bool is_register(std::size_t signal) const;
  template <typename Put>
  void each_bit(const Recording& recording, std::size_t signal, maze::Payload value, Put put) const;
  [[nodiscard]] structure::Simulation::Values values_of(const Recording& recording,
                                                        const UnitCycle& cycle) const;
  [[nodiscard]] Step step_at(const Recording& recording, std::size_t at);
  void add_start(const Recording& recording);

  structure::Simulation& sim_;
  std::vector<std::optional<structure::BitId>> bits_;  ///< first bit of each signal
  std::optional<structure::BitId> reset_;
  std::vector<Step> right_, wrong_;
  /// Variables that are wrong in the drawn steps.
  std::multiset<std::set<const structure::Variable*>> drawn_wrong_;
};

}  // namespace kernbench::sim
