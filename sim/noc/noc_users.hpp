// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "noc/packet_fields.hpp"
#include "sim/dut/noc_dut.hpp"
#include "sim/noc/noc_case.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/stimulus/back_pressure.hpp"
#include "sim/stimulus/stimulus.hpp"

namespace kernbench::sim {

using NocStimulus = StimulusOf<NocOutputs, NocInputs>;

/// Credits and slots at ports A and B of all nodes, as their users have them.
class NocPorts {
 public:
  explicit NocPorts(const noc::Network& network);

  void reset();
  /// Takes what the network did in the previous cycle.
  void see(const NocOutputs& before);
  [[nodiscard]] bool has_credit(std::uint32_t node, std::uint32_t vc) const {
    return credits_[node * vcs_ + vc] != 0;
  }
  /// Sends a flit into port A.
  void send(std::uint32_t node, std::uint32_t vc, noc::Flit flit, NocInputs& inputs);
  /// Takes a flit that waits at port B, if there is one, and returns its credit.
  void take(std::uint32_t node, std::uint32_t vc, NocInputs& inputs);

 private:
  std::uint32_t nodes_, vcs_;
  std::size_t first_local_;
  std::uint32_t slots_;
  std::vector<std::uint32_t> credits_;  ///< at A, [node * vcs + vc]
  std::vector<std::uint32_t> waiting_;  ///< flits at B that are not taken, indexed like credits
};

/// The users of a network: the packets that they send, and when they take flits. They draw from the
/// case's seed only.
class NocUsers final : public NocStimulus {
 public:
  NocUsers(const NocDevice& device, const NocCase& one);

  void drive(std::uint64_t cycle, Phase phase, const NocOutputs& before,
             NocInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return false; }

 private:
  void offer(std::uint32_t node, bool starts, NocInputs& inputs);
  /// Returns false if the pattern has no destination for this node.
  bool start(std::uint32_t node, std::uint32_t vc, NocInputs& inputs);

  const NocDevice& device_;
  NocCase case_;
  noc::PacketFields packets_;
  NocPorts ports_;
  common::Rng traffic_;
  BackPressureGenerator receivers_;
  maze::BitPlane ready_;
  std::uint64_t load_, gaps_, own_;                  ///< thresholds of Rng::chance()
  std::vector<std::vector<std::uint32_t>> targets_;  ///< by source
  std::vector<std::uint32_t> left_;                  ///< flits of a packet, [node * vcs + vc]
  std::uint32_t hotspot_ = 0;                        ///< node of a hotspot that moves
  std::uint64_t cycle_ = 0;                          ///< cycles outside reset
};

/// Sends a packet of one flit, and one of several, from each node to each that it reaches, into an
/// empty network.
class LoneNocUsers final : public NocStimulus {
 public:
  explicit LoneNocUsers(const NocDevice& device);

  void drive(std::uint64_t cycle, Phase phase, const NocOutputs& before,
             NocInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return next_ == routes_.size() && wait_ == 0; }

 private:
  struct Route {
    std::uint32_t src = 0, dst = 0;
  };

  const NocDevice& device_;
  noc::PacketFields packets_;
  NocPorts ports_;
  std::vector<Route> routes_;
  std::size_t next_ = 0;
  std::uint32_t flits_left_ = 0;  ///< flits of the packet that is being sent
  bool is_long_ = false;          ///< the next packet has several flits
  std::uint32_t wait_ = 0;        ///< cycles before the next packet
};

/// Returns a shape of planes with a bit for each node, 1 to 256.
[[nodiscard]] maze::Shape plane_shape(std::uint32_t nodes);

}  // namespace kernbench::sim
