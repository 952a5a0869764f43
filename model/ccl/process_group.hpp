// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/group.hpp"

namespace kernbench::model::ccl {

/// The world of the backend "ahbm": all ranks, as ccl.yaml says, and groups of some of them. A rank
/// is a SIP, a cube or a PE.
class KERNBENCH_API ProcessGroup {
 public:
  /// Reads the session's ccl.yaml. Throws std::invalid_argument for another backend, and
  /// common::BadInput for a bad file.
  ProcessGroup(runtime::Session& session, std::string_view backend);

  [[nodiscard]] std::uint32_t world_size() const { return config_->world_size; }
  [[nodiscard]] const CclConfig& config() const { return *config_; }
  [[nodiscard]] runtime::Session& session() { return session_; }
  [[nodiscard]] const std::vector<runtime::Device>& devices() const { return devices_; }

  /// Returns the group of all ranks.
  [[nodiscard]] Group& world() { return *groups_.front(); }
  /// Returns the group of these ranks in this order, which it makes if there is none of this name.
  /// Throws std::invalid_argument for a name that has other ranks, no ranks, a rank that is listed
  /// twice or unknown, and a name that is not of the letters, digits, - and _.
  Group& group(const std::string& name, const std::vector<std::uint32_t>& ranks);

 private:
  runtime::Session& session_;
  std::shared_ptr<const CclConfig> config_;
  std::vector<runtime::Device> devices_;        ///< by rank
  std::vector<std::shared_ptr<Group>> groups_;  ///< the world first
};

/// A rank as a member of a group.
///
/// Collectives run in the order of the rank's other work, and every member must call them in the
/// same order. Tensors are replicated over the cubes of a member; each PE works on its own shard.
/// All functions throw std::invalid_argument for tensors that do not fit, and for arguments that
/// differ from those of other members.
class KERNBENCH_API Member {
 public:
  Member(Group& group, std::uint32_t index, runtime::Context& context)
      : group_(&group), index_(index), context_(&context) {}

  /// Returns the number of the member in its group.
  [[nodiscard]] std::uint32_t rank() const { return index_; }
  [[nodiscard]] std::uint32_t size() const { return group_->size(); }
  [[nodiscard]] runtime::Context& kb() { return *context_; }

  /// Sums the copies of all cubes of all members; every cube gets the sum.
  void all_reduce(const runtime::Tensor& tensor);
  /// Sums like all_reduce(); only member `root` gets the sum. `output` may be null elsewhere.
  void reduce(const runtime::Tensor& output, const runtime::Tensor& input, std::uint32_t root);
  /// Sums like all_reduce(); each member gets its part of the rows.
  void reduce_scatter(const runtime::Tensor& output, const runtime::Tensor& input);
  /// Concatenates the rows of all members' `input` in the order of members.
  void all_gather(const runtime::Tensor& output, const runtime::Tensor& input);
  /// Does the same for member `root` only. `output` may be null elsewhere.
  void gather(const runtime::Tensor& output, const runtime::Tensor& input, std::uint32_t root);
  /// Copies the tensor of member `root` to all members.
  void broadcast(const runtime::Tensor& tensor, std::uint32_t root);
  /// Gives each member its part of the rows of member `root`. `input` may be null elsewhere.
  void scatter(const runtime::Tensor& output, const runtime::Tensor& input, std::uint32_t root);
  /// Gives the m-th part of the rows of each member to member m, in the order of members.
  void all_to_all(const runtime::Tensor& output, const runtime::Tensor& input);
  /// Does the same with parts of different sizes: `sent` rows go to each member, and `received`
  /// rows come from each.
  void all_to_all(const runtime::Tensor& output, const runtime::Tensor& input,
                  std::vector<std::uint64_t> sent, std::vector<std::uint64_t> received);
  /// Waits in simulated time until all members have called it.
  void barrier();

  /// Calls a collective by its name. Either tensor may be null, if the contract says that this
  /// member has none. Rows of blocks may be given for collectives with blocks of different sizes.
  void run(std::string_view collective, const runtime::Tensor& output, const runtime::Tensor& input,
           std::uint32_t root = 0, std::vector<std::uint64_t> input_rows = {},
           std::vector<std::uint64_t> output_rows = {});

  /// Calls runtime::Context::repeat() for work that all members share, and that ends with a
  /// collective that waits for all. `count` works of the group have this key.
  void repeat(const std::string& key, std::uint64_t index, std::uint64_t count,
              const std::function<void()>& work);

  /// Joins the members by a neighbour kind for kernels of the bench, and returns what precedes the
  /// directions: with "ring", tl.send(prefix + "next", ...) sends to the next member. Only the PEs
  /// of each member's middle cube are joined.
  [[nodiscard]] std::string join(const std::string& kind) { return group_->join(kind); }

  /// Sends a tensor to another member, which receives it into one of the same shape and type.
  void send(const runtime::Tensor& tensor, std::uint32_t to);
  void receive(const runtime::Tensor& tensor, std::uint32_t from);

 private:
  void check_member(std::string_view what, std::uint32_t member) const;
  void transfer(const runtime::Tensor& tensor, std::uint32_t peer, bool sends);

  Group* group_;
  std::uint32_t index_;
  runtime::Context* context_;
};

/// A rank, as passed to the body of spawn(): a member of the world.
class KERNBENCH_API Worker : public Member {
 public:
  Worker(ProcessGroup& world, std::uint32_t rank, engine::Fiber& fiber,
         const std::map<std::string, std::string>& parameters,
         std::shared_ptr<runtime::RegionBarrier> ranks = {})
      : Member(world.world(), rank, context_),
        world_(world),
        context_(world.session(), world.devices()[rank], fiber, parameters, std::move(ranks),
                 rank) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] std::uint32_t world_size() const { return world_.world_size(); }
  /// Returns the rank as a member of a group. Throws std::invalid_argument if it is none.
  [[nodiscard]] Member in(Group& group);
  /// Returns ProcessGroup::group().
  Group& group(const std::string& name, const std::vector<std::uint32_t>& ranks) {
    return world_.group(name, ranks);
  }

 private:
  ProcessGroup& world_;
  runtime::Context context_;
};

/// Runs `body` for each rank on its own fiber, and waits until all return. The ranks measure
/// regions together. Throws std::invalid_argument inside a measured region of `kb`.
KERNBENCH_API void spawn(runtime::Context& kb, ProcessGroup& world,
                         const std::function<void(Worker& worker)>& body,
                         std::size_t stack_bytes = engine::kFiberStackBytes);

}  // namespace kernbench::model::ccl
