// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/grid.hpp"
#include "model/ccl/trees.hpp"

namespace kernbench::model::ccl {

/// The steps that formulas count on the critical path of a lane. A lane is one PE
/// of every cube, and all lanes work at the same time. A step of b bytes takes alpha + beta b.
enum class Step : std::uint8_t {
  Message,       ///< between members, until the receiver has it
  Further,       ///< a message in flight behind another: what it adds
  InnerMessage,  ///< between adjacent cubes of a member
  InnerFurther,  ///< the same behind another
  Take,          ///< receives a message that has arrived
  Load,
  Store,
  Add,
  Copy,  ///< from tile to tile
};
inline constexpr std::size_t kSteps = 9;
/// The names of the steps in texts.
inline constexpr std::array<const char*, kSteps> kStepNames = {"message between members",
                                                               "further message",
                                                               "message between cubes",
                                                               "further between cubes",
                                                               "take a message",
                                                               "load",
                                                               "store",
                                                               "add",
                                                               "copy"};

/// The cost of a step: alpha + beta b ns for b bytes.
struct StepCost {
  double alpha = 0.0;
  double beta = 0.0;
};

/// The parameters of the formulas: of a system, slot memory, kind of rank and root cube.
struct CostParameters {
  double launch = 0.0;  ///< ns from the call to the end of kernels that do nothing
  std::array<StepCost, kSteps> steps{};

  [[nodiscard]] double of(Step step, double bytes) const {
    const StepCost& cost = steps[static_cast<std::size_t>(step)];
    return cost.alpha + cost.beta * bytes;
  }
};

/// Steps on a critical path: their number and the bytes of all together.
struct KERNBENCH_API Cost {
  std::array<double, kSteps> count{};
  std::array<double, kSteps> bytes{};

  /// Returns `count` steps of `bytes` each.
  [[nodiscard]] static Cost of(Step step, double count, double bytes);
  /// Returns the time in ns, with a launch.
  [[nodiscard]] double time(const CostParameters& parameters) const;
  Cost& operator+=(const Cost& other);
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  friend KERNBENCH_API Cost operator*(double times, Cost cost);
};

/// The quantities in formulas.
struct CostQuery {
  std::uint32_t members = 1;      ///< places that exchange data
  std::uint32_t sips = 1;         ///< SIPs of the group
  std::uint32_t sip_members = 1;  ///< the most members of one SIP
  Grid grid{};                    ///< arrangement of the members
  std::string kind;               ///< the neighbour kind
  std::uint32_t rank_links = 0;   ///< links of the ring of places that lead to another member
  Grid cubes{};                   ///< cubes of a member
  std::uint32_t root_cube = 0;
  bool sums = false;               ///< all cubes of a member have summands
  std::uint64_t input_blocks = 1;  ///< blocks of the member that has most
  std::uint64_t output_blocks = 1;
  std::uint64_t bytes = 0;  ///< size of a lane's block
  std::uint64_t element = 4;
  std::uint64_t slot_bytes = 65536;
  std::uint32_t slots = 4;
  std::uint64_t tile_bytes = 1U << 20U;
  std::uint32_t lanes = 8;  ///< PEs of a cube
  CostParameters parameters{};

  /// Returns the cost of a message that follows another, which the member had to receive first.
  /// Lanes take turns on the link, and the last one starts its message late by the turns of the
  /// one before: the time of a message is its latency, or what all lanes need on the link, and not
  /// the sum of both.
  [[nodiscard]] Cost following(double bytes_each, double bytes_before) const {
    const double longer = std::max(0.0, bytes_each - bytes_before);
    return slower(Cost::of(Step::Message, 1, (bytes_each + (lanes - 1) * longer) / lanes),
                  Cost::of(Step::Further, 1, bytes_each));
  }
  [[nodiscard]] Cost following(double bytes_each) const {
    return following(bytes_each, bytes_each);
  }
  /// Returns the cost of a sequence of such messages.
  [[nodiscard]] Cost sequence(std::uint32_t messages, double bytes_each) const {
    if (messages == 0) return {};
    return Cost::of(Step::Message, 1, bytes_each) + (messages - 1) * following(bytes_each);
  }
  /// Returns the time between messages on a link whose credits limit it: `slots` messages for each
  /// way there and back.
  [[nodiscard]] Cost per_credit(double bytes_each) const {
    return (1.0 / slots) *
           (Cost::of(Step::Message, 1, bytes_each / lanes) + Cost::of(Step::Message, 1, 0));
  }
  [[nodiscard]] double of(Step step, double bytes_each) const {
    return parameters.of(step, bytes_each);
  }
  /// Returns the cost that takes longer.
  [[nodiscard]] Cost slower(const Cost& a, const Cost& b) const {
    return a.time(parameters) < b.time(parameters) ? b : a;
  }
};

/// The shape of a tree of cubes or of members, as far as formulas need it.
class KERNBENCH_API TreeShape {
 public:
  /// Takes the children of each place, in the order in which it receives and sends.
  TreeShape(std::vector<std::vector<std::uint32_t>> children, std::uint32_t root, bool inner);
  /// Returns the shape of Tree::in_grid(). `inner`: of the cubes of a member.
  [[nodiscard]] static TreeShape of_grid(const Grid& grid, std::uint32_t root, bool inner);
  [[nodiscard]] static TreeShape of_places(std::uint32_t size,
                                           TreePlace (*place_of)(std::uint32_t, std::uint32_t));

  /// Returns the cost of reduce_to_root() and broadcast_from_root() with `pieces` of `bytes`: those
  /// of the slowest way for the first piece, and of the busiest place for each further one.
  [[nodiscard]] Cost reduce(const CostQuery& query, double bytes, double pieces) const;
  [[nodiscard]] Cost broadcast(const CostQuery& query, double bytes, double pieces) const;
  /// Returns what a piece costs the busiest place. The links to the cubes of a member work at the
  /// same time: that of all lanes to one cube, or of one lane to all, takes longest.
  [[nodiscard]] Cost take_children(const CostQuery& query, double bytes) const;
  [[nodiscard]] Cost give_children(const CostQuery& query, double bytes) const;
  [[nodiscard]] std::uint32_t depth() const;

 private:
  /// The way between a leaf and the root.
  struct Path {
    std::uint32_t hops = 0;
    std::uint32_t before = 0;  ///< children that precede those on the way, at all places
    std::uint32_t after = 0;   ///< children that follow them
  };
  /// Returns the cost of a number of hops, one after the other.
  [[nodiscard]] Cost way(const CostQuery& query, std::uint32_t hops, double bytes) const;
  /// Returns the cost of a further piece of so many: the work, or what the credits allow.
  [[nodiscard]] Cost limited(const CostQuery& query, const Cost& work, double bytes,
                             double pieces) const;

  std::vector<Path> paths_;
  std::uint32_t most_children_ = 0;
  std::uint32_t root_children_ = 0;
  Step message_;
  Step further_;
};

/// Returns the cost of the exchange between members of one group of `pieces`, of `bytes` each.
using ExchangeCost = std::function<Cost(const CostQuery& query, double bytes, double pieces)>;

/// Returns the cost of all_reduce_in_groups() with `pieces`.
[[nodiscard]] KERNBENCH_API Cost cost_in_groups(const CostQuery& query,
                                                const ExchangeCost& exchange, std::uint32_t pieces);
/// Returns the cost of exchange_in_rounds() with `packed`. If rounds overlap, a further one takes
/// as long as the links of all lanes, `next`, or as a lane alone. Without `next` they do not.
[[nodiscard]] KERNBENCH_API Cost cost_in_rounds(const CostQuery& query,
                                                const ExchangeCost& exchange,
                                                std::uint32_t packed = 1,
                                                const ExchangeCost& next = nullptr);

/// Returns the cost of a ring's n - 1 steps of one piece: messages, and sums if it adds.
[[nodiscard]] KERNBENCH_API Cost ring_cost(const CostQuery& query, std::uint32_t places,
                                           double bytes, bool adds);
/// Returns the cost of both rings of an all-reduce, with `behind` pieces in each step, one in
/// flight behind the other.
[[nodiscard]] KERNBENCH_API Cost ring_all_reduce_cost(const CostQuery& query, std::uint32_t places,
                                                      double bytes, double behind = 1);
/// Returns the cost of a token that is collected from, and given to, the cubes of a member.
[[nodiscard]] KERNBENCH_API Cost token_cost(const CostQuery& query);

}  // namespace kernbench::model::ccl
