// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/enum_names.hpp"
#include "common/outcome.hpp"
#include "common/parts.hpp"
#include "common/units.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

/// The quantity that networks have alike when they are compared.
enum class EqualBudget : std::uint8_t {
  Bisection,  ///< data bits a cycle between halves of the cubes
  Wire,       ///< data wires, in bits times millimetres
};
inline constexpr std::array<common::EnumName<EqualBudget>, 2> kEqualBudgetNames = {
    {{"bisection", EqualBudget::Bisection}, {"wire", EqualBudget::Wire}}};
constexpr const auto& name_table(EqualBudget /*any*/) {
  return kEqualBudgetNames;
}

/// The cost of a network of cubes, for data of one bit.
struct NetworkCost {
  std::uint32_t links = 0;      ///< in one direction each
  std::uint32_t bisection = 0;  ///< links between halves of the cubes, in the better direction
  double wire_mm = 0;           ///< length of all links
  std::uint64_t buffers = 0;    ///< flits or packets that routers or nodes hold
};

/// One network with one workload.
struct TopologyCase {
  std::string network;  ///< "Mesh2D(4,4)", "MAZE 4x4", ...
  EqualBudget equal = EqualBudget::Bisection;
  std::string workload;  ///< bench with its parameters
};

struct TopologyPoint {
  TopologyCase which;
  NetworkCost cost;
  std::uint32_t flit_bits = 0;  ///< data bits of each link
  std::string limit;     ///< why the links are narrower than the budget allows; empty: are not
  common::SimTime took;  ///< sum of the measured regions of the bench
  std::uint64_t elements = 0;  ///< numbers that were compared
  std::uint64_t wrong = 0;     ///< numbers that differ

  [[nodiscard]] std::uint64_t bisection_bits() const {
    return std::uint64_t{flit_bits} * cost.bisection;
  }
  [[nodiscard]] double wire_bit_mm() const { return flit_bits * cost.wire_mm; }
  [[nodiscard]] std::uint64_t buffer_bits() const { return flit_bits * cost.buffers; }
};

struct TopologyEvaluation {
  std::uint32_t base_bits = 0;  ///< data bits of the links of the mesh, which sets both budgets
  std::vector<TopologyPoint> points;

  /// Returns whether all numbers were right; Vacuous if none was compared.
  [[nodiscard]] common::Outcome outcome() const;
};

/// Runs an all-reduce, an all-to-all and a step of a transformer on the cubes of one SIP, joined by
/// each network that fits their number: a mesh, a torus, a tree, butterflies and a MAZE, all of
/// them simulated cycle by cycle. Each has links as wide as its budget allows, that of a mesh with
/// `base_bits`. Everything else is as in `spec`. `model` is the file of the transformer. Throws
/// common::BadInput for less than 2 x 2 cubes.
[[nodiscard]] TopologyEvaluation evaluate_networks(const topology::TopologySpec& spec,
                                                   const std::filesystem::path& model, bool quick,
                                                   unsigned jobs, common::Parts* parts);

}  // namespace kernbench::model::bench
