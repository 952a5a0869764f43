// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/algorithm.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/ccl/pe_grid.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::ccl {

/// How a call of a collective runs.
struct Plan {
  const Algorithm* algorithm = nullptr;
  const NeighborKind* neighbors = nullptr;
  std::uint32_t root_cube = 0;
  double predicted_ns = 0.0;  ///< by the formula of the algorithm, if it was asked
};

/// The arguments that a member passes to a collective.
struct CallArguments {
  const Collective* collective = nullptr;
  runtime::Tensor input{};                   ///< null without input
  runtime::Tensor output{};                  ///< null without output
  std::uint32_t root = 0;                    ///< index in the group
  std::vector<std::uint64_t> input_rows{};   ///< rows of the blocks
  std::vector<std::uint64_t> output_rows{};  ///< rows of the blocks
  bool even = true;                          ///< the caller gave no rows: all blocks are equal

  /// Returns the input, or the output of a member without input; null without both.
  [[nodiscard]] const runtime::Tensor& tensor() const { return input ? input : output; }
  /// Returns the rows of the blocks of tensor().
  [[nodiscard]] const std::vector<std::uint64_t>& rows() const {
    return input ? input_rows : output_rows;
  }
};

/// Returns true if two tensors differ in nothing but their rows.
[[nodiscard]] bool are_alike(const runtime::Tensor& a, const runtime::Tensor& b);

class CallWatch;

/// A call of a collective by the members of a group.
struct GroupCall {
  Plan plan;
  std::vector<std::optional<CallArguments>> members;  ///< by index, of those that have called
  std::uint32_t first = 0;                            ///< the member that called first
  std::size_t number = 0;                             ///< among the calls of the group, from 1
  std::shared_ptr<CallWatch> watch{};                 ///< notes of runs that verify
};

/// Some ranks of a world, in an order of their own: the index of a rank in the list is its number
/// as a member. Links between members are installed when an algorithm first needs them, in no
/// simulated time.
class KERNBENCH_API Group {
 public:
  /// Takes the devices of all ranks of the world. Throws std::invalid_argument for an empty list, a
  /// rank that is in it twice, and an unknown rank. The session must outlive the group.
  Group(runtime::Session& session, std::shared_ptr<const CclConfig> config, std::string name,
        std::vector<std::uint32_t> ranks, const std::vector<runtime::Device>& world);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ranks_.size()); }
  /// Returns the ranks in the world of all members, by index.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return ranks_; }
  /// Returns the index of a rank of the world; nothing if it is not a member.
  [[nodiscard]] std::optional<std::uint32_t> index_of(std::uint32_t rank) const;
  /// Returns the cubes of each member. All members have as many.
  [[nodiscard]] const Grid& cubes() const { return cubes_; }

  /// Notes that a member calls a collective and returns the call, the same for all members. Throws
  /// std::invalid_argument when it does not fit what other members passed to the same call.
  GroupCall& call(std::uint32_t member, CallArguments arguments);
  /// Returns the arguments of a kernel of a call.
  [[nodiscard]] CollectiveArgs arguments_of(const GroupCall& call, std::uint32_t member);

  /// Joins the root cubes of all members by a neighbour kind, and returns what precedes its
  /// directions, "global_ring_". Throws std::invalid_argument for an unknown kind.
  std::string join(const std::string& kind);
  /// Joins two members for messages between them, and returns the direction of `a` to `b`.
  std::string connect(std::uint32_t a, std::uint32_t b);
  /// Returns the largest message over such a direction.
  [[nodiscard]] std::uint32_t message_bytes() const;

  /// Returns "all_reduce, call 3 of group 'odd', waits for rank 1, which never called it" for each
  /// call that some members have not made.
  [[nodiscard]] std::vector<std::string> unfinished() const;

 private:
  /// Returns the plan whose formula gives the least time, and notes it in the session if there was
  /// more than one.
  [[nodiscard]] Plan plan_of(const CallArguments& arguments);
  /// Returns all plans that ccl.yaml allows for a call.
  [[nodiscard]] std::vector<Plan> plans_for(const CallArguments& arguments) const;
  [[nodiscard]] CostQuery query_of(const Plan& plan, const CallArguments& arguments) const;
  [[nodiscard]] const CostParameters& costs(std::uint32_t root_cube) const;
  /// Returns "all_reduce, call 3 of group 'odd'".
  [[nodiscard]] std::string describe(const GroupCall& call) const;
  void check_against(const GroupCall& call, std::uint32_t member,
                     const CallArguments& arguments) const;
  /// Returns the grid of the PEs of a cube if they are the members, all of them.
  [[nodiscard]] std::optional<PeGrid> whole_cube() const;
  /// Returns the group of the cubes that exchange data.
  [[nodiscard]] GroupShape shape_of(Ends ends) const;
  /// Returns where a place of that group is.
  [[nodiscard]] memory::PeLocation end_at(Ends ends, std::uint32_t root_cube, std::uint32_t place,
                                          std::uint32_t pe) const;
  /// Returns what precedes the directions of a plan's neighbour kind.
  [[nodiscard]] std::string prefix_of(const Plan& plan) const;
  /// Installs the links of a plan once, and returns the bytes of their slots.
  std::uint64_t install(const Plan& plan);
  [[nodiscard]] std::uint64_t slot_bytes_of(const Plan& plan) const;
  /// Returns the bytes of a PE's TCM for the slots of a neighbour kind, and for tiles.
  [[nodiscard]] std::uint64_t quarter_of_tcm() const;
  [[nodiscard]] std::uint32_t slot_bytes_for(std::size_t directions) const;

  runtime::Session& session_;
  std::shared_ptr<const CclConfig> config_;
  std::string name_;
  std::string prefix_;  ///< text before the names of directions
  std::vector<std::uint32_t> ranks_;
  std::vector<runtime::Device> devices_;  ///< by member
  Grid cubes_;
  std::deque<GroupCall> calls_;
  std::vector<std::size_t> called_;  ///< calls made, by member
  /// Installed links, by neighbour kind, whether they join cubes, and root cube.
  std::set<std::tuple<std::string, bool, std::uint32_t>> installed_;
  mutable std::map<std::pair<std::string, bool>, std::uint64_t> slot_bytes_;
  /// Plans by collective, elements of a lane, root, and whether blocks are equal.
  std::map<std::tuple<std::string, std::uint64_t, std::uint32_t, bool>, Plan> chosen_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> connected_;  ///< the lower index first
};

}  // namespace kernbench::model::ccl
