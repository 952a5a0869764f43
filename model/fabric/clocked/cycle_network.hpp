// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/network_model.hpp"
#include "maze/packet_layout.hpp"
#include "model/fabric/clocked/link_entries.hpp"
#include "model/fabric/clocked/packet_network.hpp"
#include "model/fabric/clocked/packet_observer.hpp"

namespace kernbench::model::fabric {

/// A network simulated by its cycle-accurate reference. It can notify an observer of every packet
/// that is granted an output or arrives by a link.
class CycleNetwork final : public PacketNetwork {
 public:
  /// `observer` may be null and must outlive the network. Throws as NetworkModel does.
  explicit CycleNetwork(const maze::NetworkConfig& config, PacketObserver* observer = nullptr);

  [[nodiscard]] const maze::NetworkConfig& config() const override { return model_.config(); }
  void step(Edge edge, const maze::NetworkInputs& inputs, maze::NetworkOutputs& outputs) override;
  [[nodiscard]] std::uint64_t entered(unsigned node, unsigned port) const override {
    return entries_.at(node, port);
  }

 private:
  /// The copies that the head of each queue owes before an edge, in the nodes of a group.
  struct Before {
    std::vector<std::uint64_t> owed;                           ///< by level, input and output
    std::array<std::uint64_t, maze::kLevels> multicasts = {};  ///< heads at A that are expanded
  };

  void clock_observed(Edge edge, const maze::NetworkInputs& inputs);
  void look(unsigned word);
  void report_grants(Edge edge, unsigned word, std::size_t level, unsigned input);
  void report_arrivals(Edge edge);
  [[nodiscard]] std::uint64_t& owed(unsigned word, std::size_t level, unsigned input,
                                    unsigned output) {
    return before_[word].owed[(level * ports_ + input) * ports_ + output];
  }

  maze::NetworkModel model_;
  maze::PacketLayout layout_;
  PacketObserver* observer_;
  unsigned ports_;  ///< ports of a node, A or B included
  LinkEntries entries_;
  std::vector<Before> before_;  ///< by group of nodes
};

}  // namespace kernbench::model::fabric
