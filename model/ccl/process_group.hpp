// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "model/ccl/ccl_config.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::ccl {

/// A process group of the backend "ahbm", with one rank per SIP. The constructor reads ccl.yaml,
/// looks up the algorithms and installs the neighbour tables of all PEs, in no simulated time.
class ProcessGroup {
 public:
  /// Reads the session's ccl.yaml. Throws std::invalid_argument for another backend, and
  /// common::BadInput for a bad file.
  ProcessGroup(runtime::Session& session, std::string_view backend);

  [[nodiscard]] std::uint32_t world_size() const { return config_.world_size; }
  [[nodiscard]] const CclConfig& config() const { return config_; }
  [[nodiscard]] runtime::Session& session() { return session_; }

 private:
  void install();

  runtime::Session& session_;
  CclConfig config_;
};

/// A rank, as passed to the body of spawn().
class Worker {
 public:
  Worker(ProcessGroup& group, std::uint32_t rank, engine::Fiber& fiber,
         const std::map<std::string, std::string>& parameters,
         std::shared_ptr<runtime::RegionBarrier> ranks = {})
      : group_(group), context_(group.session(), rank, fiber, parameters, std::move(ranks), rank) {}

  [[nodiscard]] std::uint32_t rank() const { return context_.sip(); }
  [[nodiscard]] std::uint32_t world_size() const { return group_.world_size(); }
  [[nodiscard]] runtime::Context& kb() { return context_; }

  // Collectives run in the order of the rank's other work, and every rank must call them. Tensors
  // are replicated over cubes; each PE works on its own shard. The functions throw
  // std::invalid_argument for tensors that do not fit.

  /// Sums the copies of all cubes of all ranks; every cube gets the sum.
  void all_reduce(const runtime::Tensor& tensor);
  /// Concatenates the rows of all ranks' `input` in the order of ranks.
  void all_gather(const runtime::Tensor& output, const runtime::Tensor& input);
  /// Sums like all_reduce(); each rank gets its part of the rows.
  void reduce_scatter(const runtime::Tensor& output, const runtime::Tensor& input);
  /// Copies the tensor of rank `root` to all ranks.
  void broadcast(const runtime::Tensor& tensor, std::uint32_t root);
  /// Waits in simulated time until all ranks have called it.
  void barrier();

 private:
  void run(Collective collective, const runtime::Tensor& tensor, const runtime::Tensor& output,
           std::uint32_t root = 0);

  ProcessGroup& group_;
  runtime::Context context_;
  runtime::Tensor token_;  ///< tensor of barriers; it has no elements
};

/// Runs `body` for each rank on its own fiber, and waits until all return. The ranks measure
/// regions together. Throws std::invalid_argument inside a measured region of `kb`.
void spawn(runtime::Context& kb, ProcessGroup& group,
           const std::function<void(Worker& worker)>& body);

}  // namespace kernbench::model::ccl
