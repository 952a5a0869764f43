// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/collective.hpp"
#include "model/ccl/cost.hpp"
#include "model/ccl/neighbor_kind.hpp"
#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::ccl {

/// The cubes of members that exchange data. The same PEs of two of them are neighbours.
enum class Ends : std::uint8_t {
  Roots,   ///< one cube of each member, its root; the others send to it and receive from it
  Center,  ///< as Roots, always the middle cube
  Corner,  ///< as Roots, always cube 0
  Cubes,   ///< every cube of every member, along the snake of each member's mesh
};

/// A program's place among the cubes that exchange data.
struct KERNBENCH_API Team {
  std::uint32_t size = 1;
  std::uint32_t index = 0;
  std::shared_ptr<const GroupShape> shape;
  const NeighborKind* neighbors = nullptr;
  std::string prefix;  ///< text before the names of directions

  /// Returns the full name of a direction of the neighbour kind, for tl.send() and tl.recv().
  [[nodiscard]] std::string to(std::string_view direction) const {
    return prefix + std::string(direction);
  }
};

/// The arguments of a collective's kernel besides tl, the same for every algorithm (ADR-0050).
/// Every PE of every cube of every member runs the kernel.
struct KERNBENCH_API CollectiveArgs {
  const Collective* collective = nullptr;
  runtime::TensorView input;   ///< with no elements at a member without input
  runtime::TensorView output;  ///< with no elements at a member without output; may be the input
  std::vector<std::uint64_t> input_rows{};   ///< rows of each block
  std::vector<std::uint64_t> output_rows{};  ///< rows of each block
  Grid cubes{};                              ///< cubes of a member
  std::uint32_t root_cube = 0;               ///< the one that exchanges data, unless Ends::Cubes
  Ends ends = Ends::Roots;
  CallShape call{};                      ///< size of the group, index of the root
  std::uint32_t rank = 0;                ///< index of the member
  Team team{};                           ///< for Ends::Cubes see team_of()
  std::uint64_t slot_bytes = 65536;      ///< the largest message
  std::uint32_t slots = 4;               ///< messages that a neighbour can buffer
  std::uint64_t tile_bytes = 1U << 20U;  ///< TCM available for tiles

  /// Returns the place of the calling program, which is one of those that exchange data.
  [[nodiscard]] Team team_of(const kernel::Tl& tl) const;
};

/// An algorithm of a collective (Architecture, "CCL Algorithm Module"). Its file registers it.
struct Algorithm {
  std::string name;
  std::string description;
  std::string collective;              ///< name of the collective
  std::vector<std::string> neighbors;  ///< supported neighbour kinds; the first is the default
  /// Returns why the algorithm cannot run on such a group, as "needs ...", or an empty text. Null
  /// if it runs on all.
  std::string (*refuse)(const GroupShape& ends) = nullptr;
  std::function<void(kernel::Tl& tl, const CollectiveArgs& args)> kernel{};
  Ends ends = Ends::Roots;
  bool uneven = true;  ///< runs with blocks of different sizes
  /// Returns the steps on the critical path. Null: never chosen by `algorithm: auto`.
  std::function<Cost(const CostQuery& query)> cost{};
  std::size_t stack_bytes = engine::kFiberStackBytes;  ///< stack of each program of `kernel`
};

/// Returns all algorithms, sorted by name.
[[nodiscard]] KERNBENCH_API const std::vector<const Algorithm*>& algorithms();
/// Returns the algorithm with this name, or null.
[[nodiscard]] KERNBENCH_API const Algorithm* find_algorithm(std::string_view name);
/// Returns the algorithms of a collective, sorted by name.
[[nodiscard]] KERNBENCH_API std::vector<const Algorithm*> algorithms_of(
    std::string_view collective);

/// Registers an algorithm when the program starts, or when the plugin is loaded. An algorithm's
/// file needs only one of these.
class KERNBENCH_API AlgorithmRegistration {
 public:
  /// Refuses a name that is already registered.
  explicit AlgorithmRegistration(Algorithm algorithm);
};

}  // namespace kernbench::model::ccl
