#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::ccl {

/// How the SIPs of a process group are joined: which `global_...` neighbours their PEs have.
enum class SipTopology : std::uint8_t {
  Ring,       ///< global_next, global_prev
  Torus,      ///< rows and columns of a grid, each a ring: global_E, _W, _N, _S
  Mesh,       ///< a grid that does not wrap, same names
  Hypercube,  ///< global_0, global_1, ...: the rank that differs in this bit
  Tree,       ///< global_parent, global_left, global_right: a binary tree by rank
  Snake,      ///< a ring of all cubes: global_snake_next from the last of a SIP to the first of the
              ///< next, and global_snake_prev
};

/// A name that ccl.yaml uses for one of them.
struct SipTopologyName {
  std::string_view name;
  SipTopology kind;
};

/// What collectives do.
enum class Collective : std::uint8_t { AllReduce, AllGather, ReduceScatter, Broadcast, Barrier };
[[nodiscard]] std::string_view name_of(Collective collective);

/// A rectangle of cubes or SIPs; index y * w + x.
struct Grid {
  std::uint32_t w = 1;
  std::uint32_t h = 1;

  [[nodiscard]] std::uint32_t size() const { return w * h; }
  friend constexpr bool operator==(const Grid&, const Grid&) = default;
};

/// The arguments of a collective's kernel, the same for every algorithm (ADR-0050): beside these it
/// gets tl. Every PE of every cube of every rank runs it.
struct CollectiveArgs {
  runtime::TensorView tensor;   ///< what comes in
  runtime::TensorView output;   ///< where the result goes; often the same
  std::uint64_t elements = 0;   ///< of a cube
  Grid cubes{};                 ///< of a SIP
  std::uint32_t root_cube = 0;  ///< the one with neighbours in other SIPs
  std::uint32_t world_size = 1;
  std::uint32_t rank = 0;
  Grid sips{};
  SipTopology topology = SipTopology::Ring;
  std::uint32_t root_rank = 0;           ///< of a broadcast: who has the data
  std::uint64_t slot_bytes = 65536;      ///< the largest message
  std::uint32_t slots = 4;               ///< messages that a neighbour may be behind
  std::uint64_t tile_bytes = 1U << 20U;  ///< of TCM that tiles may take at a time
};

/// Which cube of a SIP has neighbours in other SIPs.
enum class Root : std::uint8_t { Center, Corner };

/// An algorithm module (Architecture, "CCL Algorithm Module"): one file that registers one of
/// these.
struct Algorithm {
  std::string name;
  std::string description;
  Collective collective = Collective::AllReduce;
  std::vector<SipTopologyName> topologies;  ///< that it can run on; the first is the default
  /// Says what is wrong with a group of this size, as "needs ..."; "" when nothing is.
  std::string (*refuse)(std::uint32_t world_size, const Grid& sips) = nullptr;
  /// Completes the arguments that the backend has filled in; may be null.
  void (*kernel_args)(CollectiveArgs& args) = nullptr;
  void (*kernel)(kernel::Tl& tl, const CollectiveArgs& args) = nullptr;
  Root root_cube = Root::Center;
  bool is_default = false;  ///< what the collective uses unless ccl.yaml names another
};

/// All of them, sorted by name.
[[nodiscard]] const std::vector<Algorithm>& algorithms();
/// Null when there is none of this name.
[[nodiscard]] const Algorithm* find_algorithm(std::string_view name);

/// The one line that an algorithm's file needs.
class AlgorithmRegistration {
 public:
  /// Ends the program with a message when the name is taken.
  explicit AlgorithmRegistration(Algorithm algorithm);
};

}  // namespace kernbench::model::ccl
