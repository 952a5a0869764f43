// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/id_map.hpp"
#include "common/random.hpp"
#include "model/fabric/clocked/stepped_network.hpp"
#include "model/fabric/noc/flit_network.hpp"
#include "model/fabric/noc/flit_observer.hpp"
#include "model/fabric/noc/noc_base.hpp"

namespace kernbench::model::fabric {

/// Settings of both ends of the transfers over a network.
struct NocUserSettings {
  /// Probability (0..1) with which a receiver takes no flit in a cycle, independently of others.
  double receiver_stalls = 0.0;
  std::uint64_t seed = 1;            ///< random seed of the stalls
  FlitObserver* observer = nullptr;  ///< must outlive the transfers
};

/// A network of NOC_ROUTERs with both ends of all transfers. A source cuts its transfers into
/// packets and sends them one after the other, in the order of submission, a flit in each cycle in
/// which it has a credit. A packet takes the first virtual channel that has a credit, cyclic from
/// behind that of the packet before it. A receiver returns the credit of a flit in the cycle after
/// its arrival, or, if it stalls, later. It checks every flit: its packet, its place there, and its
/// data. A `packet` of the fabric is a flit here.
class NocTransfers final : public SteppedNetwork {
 public:
  NocTransfers(std::shared_ptr<const NocBase> base, std::unique_ptr<FlitNetwork> network,
               const NocUserSettings& settings = {});

  [[nodiscard]] Fabric::Properties properties(common::SimTime period) const override;
  /// Throws std::invalid_argument for high QoS, and without a route.
  [[nodiscard]] Slot accept(const Transfer& transfer, std::uint64_t packets) override;
  void begin(Slot slot, Edge seen, common::SimTime at) override;
  [[nodiscard]] bool idle() const override { return under_way_ == 0 && quiet_ == 0; }
  [[nodiscard]] Edge drain_cycles() const override;
  void finish(Edge edge) override { network_->finish(edge); }
  [[nodiscard]] std::size_t links() const override { return base_->network().channels().size(); }
  [[nodiscard]] std::uint64_t entered_link(std::size_t link) const override {
    return network_->entered(static_cast<std::uint32_t>(link));
  }

 private:
  static constexpr std::uint64_t kNoPacket = ~std::uint64_t{0};

  /// A packet on its way. Its flits carry the data of its transfer from `first` on.
  struct Packet {
    Slot slot = kNoSlot;
    std::uint64_t first = 0;
    std::uint64_t flits = 0;
    std::uint64_t received = 0;
  };
  struct Source {
    bool is_sending = false;  ///< is in `sending_`
    Slot first = kNoSlot;     ///< transfer that is sent; then OpenTransfer::next_at_source
    Slot last = kNoSlot;
    std::uint64_t left = 0;  ///< flits of the current packet that are not sent; 0 between packets
    std::uint32_t vc = 0;    ///< virtual channel of the current packet, or of the last one
    std::uint32_t number = 0;
    std::vector<std::uint32_t> credits;  ///< by virtual channel
  };
  struct Receiver {
    std::vector<std::uint64_t>
        packets;  ///< key of the packet that arrives, by virtual channel; kNoPacket: none
    std::vector<std::uint32_t>
        held;                ///< flits whose credit has not been returned, by virtual channel
    bool is_taking = false;  ///< is in `taking_`
  };

  bool move(Edge edge) override;
  [[nodiscard]] std::string what_waits() const override;
  [[nodiscard]] std::vector<std::uint64_t>& done() override { return done_; }

  void take_flits();
  bool send(Edge edge);
  bool send_from(Edge edge, std::uint32_t node);
  void begin_packet(std::uint32_t node, std::uint32_t vc);
  void observe_channels(Edge edge);
  void receive(Edge edge, const NocUserView::Arrival& arrival);
  void finish(Slot slot);
  [[nodiscard]] std::uint64_t flow_of(std::uint32_t src, std::uint32_t dst) const {
    return std::uint64_t{src} * base_->network().nodes() + dst;
  }
  [[nodiscard]] std::uint64_t key_of(const NocBase::Fields& fields) const;
  [[noreturn]] void reject(Edge edge, const NocUserView::Arrival& arrival, const char* why) const;

  std::shared_ptr<const NocBase> base_;
  std::unique_ptr<FlitNetwork> network_;
  std::uint32_t vcs_;
  std::uint64_t quiet_cycles_;  ///< cycles from the last flit to the last credit
  std::uint64_t stall_threshold_;
  common::Rng stalls_;
  OpenTransfers transfers_;
  std::vector<Source> sources_;
  std::vector<Receiver> receivers_;
  std::vector<std::uint32_t> sending_;    ///< nodes with something to send
  std::vector<std::uint32_t> taking_;     ///< nodes that hold flits
  common::IdMap<std::uint32_t> numbers_;  ///< next number of a flow
  common::IdMap<Packet> packets_;         ///< packets inside, by key_of()
  std::size_t under_way_ = 0;             ///< transfers that have begun
  std::uint64_t quiet_ = 0;               ///< cycles until all credits are back
  NocUserView view_;
  FlitObserver* observer_;
  /// Flits of the current packet that have left by a channel, by channel and virtual channel, with
  /// an observer.
  std::vector<std::uint64_t> passed_;
  std::vector<std::uint64_t> done_;
};

}  // namespace kernbench::model::fabric
