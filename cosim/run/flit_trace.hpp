// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/fabric/noc/flit_observer.hpp"
#include "model/fabric/noc/noc_base.hpp"
#include "model/fabric/trace/packet_history.hpp"

namespace kernbench::cosim {

using model::fabric::Edge;
using model::fabric::PacketStep;
using model::fabric::Slot;
using model::fabric::TracedTransfer;
using model::fabric::Transfer;

/// Follows every flit of a network of routers from port A of its source to port B of its
/// destination. The edge at which a flit arrives at the end of a channel follows from the registers
/// of the channel, so that its step is directly behind that of its departure.
class FlitTrace final : public model::fabric::PacketHistory, public model::fabric::FlitObserver {
 public:
  explicit FlitTrace(std::shared_ptr<const model::fabric::NocBase> base);

  [[nodiscard]] std::size_t node_count() const override { return base_->network().nodes(); }
  [[nodiscard]] std::string node_name(std::uint32_t node) const override {
    return base_->node_name(node);
  }
  [[nodiscard]] std::size_t link_count() const override {
    return base_->network().channels().size();
  }
  [[nodiscard]] std::string link_name(std::size_t link) const override;
  [[nodiscard]] std::optional<std::size_t> link_of(const PacketStep& step) const override {
    return base_->network().outgoing(step.node)[step.port];
  }
  [[nodiscard]] std::string_view unit() const override { return "flit"; }
  [[nodiscard]] std::string fields_of(const TracedTransfer& transfer,
                                      const PacketStep& step) const override;

  /// Throws std::length_error for more than kMaxPackets flits.
  void on_begun(common::SimTime submitted, Edge seen, Slot slot, const Transfer& transfer,
                std::uint64_t flits) override;
  void on_accepted(Edge edge, Slot slot, std::uint64_t flit, std::uint32_t vc) override;
  void on_sent(Edge edge, std::uint32_t channel, Slot slot, std::uint64_t flit,
               std::uint32_t vc) override;
  void on_delivered(Edge edge, Slot slot, std::uint64_t flit, std::uint32_t vc) override;

 private:
  void add(Slot slot, Edge edge, std::uint64_t flit, std::uint32_t node, std::uint32_t port,
           std::uint32_t vc, PacketStep::Kind kind);

  std::shared_ptr<const model::fabric::NocBase> base_;
  std::vector<std::size_t> by_slot_;                    ///< transfer of each slot
  std::vector<std::vector<std::uint32_t>> last_steps_;  ///< by slot and flit
};

}  // namespace kernbench::cosim
