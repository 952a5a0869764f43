// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/network_model.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/network/network_failure.hpp"

namespace kernbench::sim {

/// Compares a network with its reference in every cycle: ports A and B of all nodes and, if the
/// model shows them, all ports between nodes and links.
class NetworkLockstep {
 public:
  explicit NetworkLockstep(const maze::NetworkConfig& config)
      : model_(config), expected_(config.shape) {}

  /// Compares the outputs of this cycle. `links` may be null. While reset is held, the reference is
  /// reset first.
  void compare(bool in_reset, const maze::NetworkOutputs& outputs, const LinkSignals* links);
  /// Applies the rising edge that ends the cycle.
  void clock(bool in_reset, const maze::NetworkInputs& inputs);

  /// Returns the first difference, such as "cycle 7: out_vld of node 3 port 2 is 1, not 0".
  [[nodiscard]] const NetworkFailure& difference() const { return difference_; }
  /// Returns what the reference has at a port in the cycle that was compared last.
  [[nodiscard]] PortNote expected(const NodePort& at) const;
  [[nodiscard]] const maze::NetworkModel& model() const { return model_; }
  /// Empties the reference, so that a difference is seen.
  void forget_packets() { model_.reset(); }

 private:
  void compare_links(const LinkSignals& links);
  void compare_plane(const char* signal, const maze::BitPlane& seen,
                     const maze::BitPlane& expected);
  void compare_row(const char* signal, unsigned port, const std::uint64_t* seen,
                   const std::uint64_t* expected);
  void compare_packets(const char* signal, unsigned port, const std::uint64_t* valid,
                       const maze::Payload* seen, const maze::Payload* expected);
  void differ(const char* signal, unsigned node, unsigned port, std::uint64_t seen,
              std::uint64_t expected);

  maze::NetworkModel model_;
  maze::NetworkOutputs expected_;
  std::uint64_t cycle_ = 0;
  NetworkFailure difference_;
};

}  // namespace kernbench::sim
