// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "noc/packet_fields.hpp"
#include "sim/debug/unit.hpp"
#include "sim/harness/extension.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/noc/noc_reference.hpp"

namespace kernbench::sim {

/// A link of a network as reports show it: a channel, or a port of a node.
struct NocPlace {
  noc::Link link = 0;
  bool is_port_a = false;  ///< port A of a local link in place of B
  friend bool operator==(const NocPlace&, const NocPlace&) = default;
};

[[nodiscard]] std::string name_of(const NocPlace& place, const NocDevice& device);

/// Returns the places on the way of a packet, from port A of its source to port B of its
/// destination, as the routes of the network have it.
[[nodiscard]] std::vector<NocPlace> way_of(const noc::PacketFields::Origin& origin,
                                           const NocDevice& device);

/// Returns the texts of the flits of a network. `device` must outlive them.
[[nodiscard]] PacketTexts flit_texts(const NocDevice& device);

/// The reference of some links of a network of any topology, beside the RTL: flits as they leave a
/// router, credits behind the registers of the link.
class NocLinksReference final : public UnitReference {
 public:
  /// `device` must outlive the object.
  NocLinksReference(const NocDevice& device, std::vector<NocPlace> places);

  void observe(const CycleView& view, UnitCycle& cycle) override;
  void clock(const CycleView& view) override { (void)reference_.clock(view); }
  [[nodiscard]] std::string instance() const override { return {}; }
  [[nodiscard]] std::string name() const override { return device_.name; }
  [[nodiscard]] std::string module() const override { return "NOC_TOP"; }

 private:
  /// Places of the signals of a link in UnitCycle.
  struct Signals {
    std::size_t valid = 0, flit = 0, credit = 0;
    std::optional<std::size_t> vc;
  };
  void add_signals(const NocPlace& place);
  void note_activity(unsigned place, const UnitCycle& cycle);
  [[nodiscard]] unsigned waiting_behind(const NocPlace& place) const;

  const NocDevice& device_;
  std::vector<NocPlace> places_;
  NocReference reference_;
  std::vector<Signals> signals_of_;
};

/// The first signal of a network that differs from the reference.
struct NocDifference {
  std::uint64_t cycle = 0;
  noc::Link link = 0;
  std::string signal;  ///< "valid", "vc", "flit" or "credit"
  /// Head of the packet that the link carries there or should carry.
  std::optional<noc::Flit> head;
};

/// Returns the node that drives a signal.
[[nodiscard]] std::uint32_t driver_of(const NocDifference& difference, const NocDevice& device);

/// Looks for the first signal that differs from the reference, on all links.
class NocScout final : public Extension {
 public:
  explicit NocScout(const NocDevice& device);

  void on_cycle(const CycleView& view) override;
  [[nodiscard]] const std::optional<NocDifference>& difference() const { return difference_; }
  /// Returns the last cycle in which a flit moved on a link.
  [[nodiscard]] std::uint64_t last_movement() const { return last_movement_; }
  /// Returns the virtual channels that wait for each other in a circle at the end; empty if none.
  [[nodiscard]] std::vector<noc::LinkCredit> circle() const;

 private:
  const NocDevice& device_;
  NocReference reference_;
  std::vector<noc::Flit> heads_;  ///< last head, [link * vcs + vc]
  std::optional<NocDifference> difference_;
  std::uint64_t last_movement_ = 0;
};

}  // namespace kernbench::sim
