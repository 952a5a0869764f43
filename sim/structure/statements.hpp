// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/structure/expressions.hpp"

namespace kernbench::sim::structure {

/// The paths that jumped to the end of a block, as one.
struct Exit {
  BitValue when;      ///< a path was taken
  Assigned now = {};  ///< values while `when` is 1
  Assigned later = {};
};

/// The values that statements assigned, on the paths that reached a point of a process.
struct State {
  Assigned now = {};                       ///< by blocking assignments
  Assigned later = {};                     ///< by non-blocking assignments
  bool left = false;                       ///< every path left by a jump
  std::map<const Node*, Exit> exits = {};  ///< by the block that the paths left
};

/// Executes the statements of one module symbolically.
class Statements final : public Expressions {
 public:
  using Expressions::Expressions;

  void run(const Node& statement, State& state);
  /// Returns the place of the last assignment to a bit.
  [[nodiscard]] const std::map<BitId, Place>& places() const { return places_; }
  void forget_places() { places_.clear(); }
  /// Bits that blocking assignments leave at a value.
  void hold(Assigned bits) { held_ = std::move(bits); }
  /// Returns the signals that the left-hand side names; exact selections only.
  [[nodiscard]] std::vector<BitId> driven_by(const Node& node);

 private:
  BitValues call(const Node& node, const Assigned& assigned) override;
  void call_function(const Node& node, State& state);
  void run_role(const Node& node, std::string_view role, State& state);
  void assign(const Node& target, const BitValues& value, bool delayed, State& state,
              const Place& place);
  void run_if(const Node& node, State& state);
  void run_case(const Node& node, State& state);
  void run_while(const Node& node, State& state);
  void run_loop(const Node& node, State& state);
  void run_block(const Node& node, State& state);
  void jump(const Node& node, State& state);
  /// Adds paths that left a block after those that left earlier.
  static void add_exit(State& state, const Node* block, Exit exit);
  /// Returns what comes of one of two branches.
  [[nodiscard]] static State merged(const BitValue& condition, State taken, State other);
  /// Continues `state` with what came of the statements after it.
  static void follow(State& state, State next);
  [[nodiscard]] static Assigned chosen(const BitValue& condition, const Assigned& a,
                                       const Assigned& b);
  [[nodiscard]] BitValue matches(const Node& item, const BitValues& subject, const State& state);

  std::map<BitId, Place> places_;
  Assigned held_;
  std::vector<const Node*> blocks_;  ///< that jumps can leave; innermost last
  int depth_ = 0;
};

}  // namespace kernbench::sim::structure
