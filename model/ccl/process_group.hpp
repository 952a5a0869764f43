#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "model/ccl/ccl_config.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::ccl {

/// The backend "ahbm": a process group of one rank per SIP. Making it loads ccl.yaml, finds the
/// algorithms, and installs the neighbour tables of all PEs, which takes no simulated time.
class ProcessGroup {
 public:
  /// From the session's ccl.yaml. Throws std::invalid_argument for another backend,
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

/// A rank: what a worker's body gets.
class Worker {
 public:
  Worker(ProcessGroup& group, std::uint32_t rank, engine::Fiber& fiber,
         const std::map<std::string, std::string>& parameters)
      : group_(group), context_(group.session(), rank, fiber, parameters) {}

  [[nodiscard]] std::uint32_t rank() const { return context_.sip(); }
  [[nodiscard]] std::uint32_t world_size() const { return group_.world_size(); }
  [[nodiscard]] runtime::Context& kb() { return context_; }

  // Collectives, in the order of the rank's other work; every rank has to call them. Tensors are
  // replicated over cubes, and each PE works on its own shard. Where something does not fit, they
  // throw std::invalid_argument.

  /// Every cube of every rank gets the sum of the copies of all cubes of all ranks.
  void all_reduce(const runtime::Tensor& tensor);
  /// The rows of `output` are those of all ranks' `input`, in the order of ranks.
  void all_gather(const runtime::Tensor& output, const runtime::Tensor& input);
  /// Sums as all_reduce(); the rank gets its part of the rows.
  void reduce_scatter(const runtime::Tensor& output, const runtime::Tensor& input);
  /// What the rank `root` has goes to all.
  void broadcast(const runtime::Tensor& tensor, std::uint32_t root);
  /// Goes on in simulated time when all ranks have come here; waits for that.
  void barrier();

 private:
  void run(Collective collective, const runtime::Tensor& tensor, const runtime::Tensor& output,
           std::uint32_t root = 0);

  ProcessGroup& group_;
  runtime::Context context_;
  runtime::Tensor token_;  ///< of barriers, which move no data
};

/// Runs `body` once for each rank, each on a fiber of its own, and waits for all.
void spawn(runtime::Context& kb, ProcessGroup& group,
           const std::function<void(Worker& worker)>& body);

}  // namespace kernbench::model::ccl
