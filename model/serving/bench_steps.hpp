// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/bench/runner.hpp"
#include "model/serving/queue.hpp"
#include "model/serving/step_times.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::serving {

/// Returns a function that simulates steps whole by the bench `transformer`, with the exact context
/// of each sequence. Equal layers of a step are simulated once. Each sequence has the place of
/// `tokens` tokens in the cache, so that tensors have the same addresses in all steps of a batch;
/// where that is more than `room`, the place of its own. `graph` must outlive it.
[[nodiscard]] StepTime bench_steps(const topology::TopologyGraph& graph, bench::RunOptions options,
                                   const ServerRoom& room, std::uint64_t tokens);

/// The memory of the SIP that has least room for the key-value cache.
struct ServerMemory {
  std::uint64_t bytes = 0;        ///< memory of all its HBM slices
  std::uint64_t other_bytes = 0;  ///< weights, activations and tables
  std::uint64_t page_bytes = 0;   ///< size of a page of tokens in all layers of the SIP
  std::uint64_t page_tokens = 0;
  std::uint64_t pes = 0;       ///< number in each cube
  std::uint64_t kv_heads = 0;  ///< heads of keys that a cube computes
  std::uint32_t sip = 0;
  std::uint64_t weights = 0;  ///< parameters of the whole model

  /// Returns the bytes for the cache; 0 if the model alone does not fit.
  [[nodiscard]] std::uint64_t cache_bytes() const {
    return bytes < other_bytes ? 0 : bytes - other_bytes;
  }
  [[nodiscard]] ServerRoom room(std::uint64_t max_batch) const {
    return {max_batch, cache_bytes() / page_bytes, page_tokens, pes, kv_heads};
  }
};

/// Returns the memory of the model of bench `parameters` whose ranks are SIPs, for batches of up to
/// `max_batch` requests of up to `longest`. Throws runtime::BadParameter for a wrong parameter and
/// when the model alone does not fit, and common::BadInput for a bad model file.
[[nodiscard]] ServerMemory server_memory(const topology::TopologySpec& spec,
                                         const std::map<std::string, std::string>& parameters,
                                         std::uint64_t max_batch, const Request& longest);

/// Returns how many bytes of the cache a request lacks, 0 if it fits.
[[nodiscard]] std::uint64_t missing_bytes(const ServerMemory& memory, const Request& request);

}  // namespace kernbench::model::serving
