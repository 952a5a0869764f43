// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/seam/fabric_clock.hpp"
#include "noc/network_model.hpp"

namespace kernbench::model::fabric {

/// The view of the users of a network in one cycle, and of those who follow its flits.
struct NocUserView {
  /// A flit at port B of a node.
  struct Arrival {
    std::uint32_t node = 0;
    std::uint32_t vc = 0;
    noc::Flit flit = 0;
  };
  /// A credit at port A of a node.
  struct Credit {
    std::uint32_t node = 0;
    std::uint32_t vc = 0;
  };
  std::vector<Arrival> arrivals;  ///< in the order of nodes
  std::vector<Credit> credits;
  bool sees_channels = false;           ///< `channels` is wanted
  std::vector<noc::LinkFlit> channels;  ///< flits that leave routers by channels, if wanted
};

/// A network of NOC_ROUTERs between ports A and B of its nodes, stepped one cycle at a time. It
/// starts empty and out of reset. A cycle with no flit inside, no credit on its way and none
/// offered has no visible effect and may be skipped.
class FlitNetwork {
 public:
  FlitNetwork() = default;
  FlitNetwork(const FlitNetwork&) = delete;
  FlitNetwork& operator=(const FlitNetwork&) = delete;
  virtual ~FlitNetwork() = default;

  /// Sends a flit into port A of a node in the next step, at most one for each node.
  virtual void send(std::uint32_t node, std::uint32_t vc, noc::Flit flit) = 0;
  /// Returns a credit at port B of a node in the next step.
  virtual void take(std::uint32_t node, std::uint32_t vc) = 0;
  /// Runs one cycle: sets `view` to what the network drives, then applies the rising edge `edge`.
  /// May throw FabricFailure.
  virtual void step(Edge edge, NocUserView& view) = 0;

  /// Returns the number of flits that entered a channel.
  [[nodiscard]] virtual std::uint64_t entered(std::uint32_t channel) const = 0;
  /// Returns the virtual channels of a circle in which each waits for the next, if there is one.
  [[nodiscard]] virtual std::vector<noc::LinkCredit> circle() const = 0;
  /// Ends the run behind its last edge. May throw FabricFailure for what only the end shows.
  virtual void finish(Edge /*edge*/) {}
};

/// The cycle-accurate reference.
class ReferenceFlits final : public FlitNetwork {
 public:
  /// `network` must outlive the object.
  explicit ReferenceFlits(const noc::Network& network)
      : model_(network), entered_(network.channels().size()) {}

  void send(std::uint32_t node, std::uint32_t vc, noc::Flit flit) override {
    model_.send(node, vc, flit);
  }
  void take(std::uint32_t node, std::uint32_t vc) override { model_.take(node, vc); }
  void step(Edge edge, NocUserView& view) override;
  [[nodiscard]] std::uint64_t entered(std::uint32_t channel) const override {
    return entered_[channel];
  }
  [[nodiscard]] std::vector<noc::LinkCredit> circle() const override;

 private:
  noc::NetworkModel model_;
  std::vector<std::uint64_t> entered_;  ///< flits, by channel
};

}  // namespace kernbench::model::fabric
