// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::ccl {

/// The topology of SIPs in a process group: the `global_...` neighbours of their PEs.
enum class SipTopology : std::uint8_t {
  Ring,       ///< global_next, global_prev
  Torus,      ///< rows and columns of a grid, each a ring: global_E, _W, _N, _S
  Mesh,       ///< a grid without wrap-around, with the same names
  Hypercube,  ///< global_0, global_1, ...: the rank that differs in that bit
  Tree,       ///< global_parent, global_left, global_right: a binary tree by rank
  Snake,      ///< a ring of all cubes: global_snake_next from the last of a SIP to the first of the
              ///< next, and global_snake_prev
};

/// A name of a topology in ccl.yaml.
struct SipTopologyName {
  std::string_view name;
  SipTopology kind;
};

/// The collective operations.
enum class Collective : std::uint8_t { AllReduce, AllGather, ReduceScatter, Broadcast, Barrier };
[[nodiscard]] std::string_view name_of(Collective collective);

/// A rectangle of cubes or SIPs. The index of a member is y * w + x.
struct Grid {
  std::uint32_t w = 1;
  std::uint32_t h = 1;

  [[nodiscard]] std::uint32_t size() const { return w * h; }
  friend constexpr bool operator==(const Grid&, const Grid&) = default;
};

/// The arguments of a collective's kernel besides tl, the same for every algorithm (ADR-0050).
/// Every PE of every cube of every rank runs the kernel.
struct CollectiveArgs {
  runtime::TensorView tensor;   ///< input
  runtime::TensorView output;   ///< result; often the same as `tensor`
  std::uint64_t elements = 0;   ///< number of elements in a cube
  Grid cubes{};                 ///< cubes of a SIP
  std::uint32_t root_cube = 0;  ///< cube with neighbours in other SIPs
  std::uint32_t world_size = 1;
  std::uint32_t rank = 0;
  Grid sips{};
  SipTopology topology = SipTopology::Ring;
  std::uint32_t root_rank = 0;           ///< source of a broadcast
  std::uint64_t slot_bytes = 65536;      ///< the largest message
  std::uint32_t slots = 4;               ///< messages that a neighbour can buffer
  std::uint64_t tile_bytes = 1U << 20U;  ///< TCM available for tiles
};

/// The cube of a SIP with neighbours in other SIPs.
enum class Root : std::uint8_t { Center, Corner };

/// An algorithm of a collective (Architecture, "CCL Algorithm Module"). Its file registers it.
struct Algorithm {
  std::string name;
  std::string description;
  Collective collective = Collective::AllReduce;
  std::vector<SipTopologyName> topologies;  ///< supported topologies; the first is the default
  /// Returns why the algorithm cannot run on a group of this size, as "needs ...", or an empty
  /// text. Null if all sizes work.
  std::string (*refuse)(std::uint32_t world_size, const Grid& sips) = nullptr;
  /// Completes the arguments set by the backend. May be null.
  void (*kernel_args)(CollectiveArgs& args) = nullptr;
  void (*kernel)(kernel::Tl& tl, const CollectiveArgs& args) = nullptr;
  Root root_cube = Root::Center;
  bool is_default = false;  ///< used by its collective unless ccl.yaml names another
};

/// Returns all algorithms, sorted by name.
[[nodiscard]] const std::vector<Algorithm>& algorithms();
/// Returns the algorithm with this name, or null.
[[nodiscard]] const Algorithm* find_algorithm(std::string_view name);

/// Registers an algorithm when the program starts. An algorithm's file needs only one of these.
class AlgorithmRegistration {
 public:
  /// Aborts the program with a message if the name is already registered.
  explicit AlgorithmRegistration(Algorithm algorithm);
};

}  // namespace kernbench::model::ccl
