// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/network_model.hpp"
#include "maze/packet_layout.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/ports.hpp"

namespace kernbench::sim {

/// Compares a network with its reference in every cycle, resets included: ports A and B of all
/// nodes and, if the model shows them, all ports between nodes and links. Kinds: the names of the
/// signals.
class NetworkLockstep final : public Extension {
 public:
  explicit NetworkLockstep(const maze::NetworkConfig& config)
      : model_(config),
        layout_(config.shape),
        ports_(Ports::of_users(config.shape)),
        expected_(config.shape) {}

  void on_cycle(const CycleView& view) override;
  /// Ports that were compared, over all cycles.
  [[nodiscard]] std::uint64_t checks() const override { return compared_; }
  /// The reference. After on_cycle() it has been clocked, except in reset; its ports C are those of
  /// that cycle.
  [[nodiscard]] const maze::NetworkModel& reference() const { return model_; }

 private:
  void compare_links(std::uint64_t cycle, const LinkSignals& links);
  void compare_plane(std::uint64_t cycle, const char* signal, unsigned first_port,
                     const maze::BitPlane& seen, const maze::BitPlane& expected,
                     const maze::PayloadPlane* seen_packets = nullptr,
                     const maze::PayloadPlane* expected_packets = nullptr);
  void compare_packets(std::uint64_t cycle, const char* signal, unsigned first_port,
                       const maze::BitPlane& valid, const maze::PayloadPlane& seen,
                       const maze::PayloadPlane& expected);

  maze::NetworkModel model_;
  maze::PacketLayout layout_;
  Ports ports_;
  maze::NetworkOutputs expected_;
  std::uint64_t compared_ = 0;
};

/// Writes what a reference of its own expects at one port of a node into the waveform.
class NodeWatch final : public Extension {
 public:
  /// `at.port` is that of a link or, behind the last of them, A and B.
  NodeWatch(NetworkDut& dut, const maze::NetworkConfig& config, const LinkEnd& at)
      : dut_(dut), at_(at), model_(config), expected_(config.shape) {}

  void on_cycle(const CycleView& view) override;

 private:
  [[nodiscard]] PortNote note() const;

  NetworkDut& dut_;
  LinkEnd at_;
  maze::NetworkModel model_;
  maze::NetworkOutputs expected_;
};

}  // namespace kernbench::sim
