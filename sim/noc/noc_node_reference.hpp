// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/debug/unit.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/noc/noc_reference.hpp"

namespace kernbench::sim {

/// The reference of one node of a network of any topology, register by register: NOC_NODE.
///
/// Its inputs are those of the reference, too, which stands for the whole network: once a node is
/// wrong, the others get what they should.
class NocNodeReference final : public UnitReference {
 public:
  /// `device` must outlive the object.
  NocNodeReference(const NocDevice& device, std::uint32_t node);

  void observe(const CycleView& view, UnitCycle& cycle) override;
  void clock(const CycleView& view) override;
  [[nodiscard]] std::string instance() const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::string module() const override { return "NOC_NODE"; }
  [[nodiscard]] std::vector<UnitConstant> constants() const override;

 private:
  /// Signals of a flit on a link: the first of them in UnitCycle.
  struct FlitSignals {
    std::size_t valid = 0, vc = 0, flit = 0;
  };
  struct SentFlit {
    bool valid = false;
    noc::Flit vc = 0, flit = 0;
  };
  struct Queue {
    std::size_t valid = 0, read = 0, write = 0;
    std::vector<std::size_t> slots;
    std::vector<noc::Flit> flits;  ///< by slot
    std::uint32_t front = 0, held = 0;

    [[nodiscard]] std::uint32_t slot(std::uint32_t behind_front) const {
      return (front + behind_front) % static_cast<std::uint32_t>(flits.size());
    }
  };
  struct Input {
    noc::Link link = 0;
    FlitSignals port;
    std::size_t credit = 0;
    std::size_t returned = 0;                ///< credits as they leave the router
    std::vector<FlitSignals> flit_stages;    ///< registers of the link, the first at its sender
    std::vector<std::size_t> credit_stages;  ///< valid, then the credits; the first at the router
    std::vector<Queue> queues;               ///< by virtual channel
    unsigned place = 0;
    // Contents of the registers of the link and of the router's credits.
    std::deque<SentFlit> flits;
    std::deque<noc::Mask> credits;
    noc::Mask popped = 0;
    SentFlit arrives;  ///< at the port, in this cycle
  };
  struct Output {
    noc::Link link = 0;
    FlitSignals port, sent;  ///< pins, and registers
    std::size_t credit = 0;
    std::size_t turn = 0;
    std::vector<std::size_t> from;          ///< by class
    std::vector<std::size_t> owner, count;  ///< by virtual channel
    unsigned place = 0;
    noc::Mask turn_from = 0;            ///< virtual channels from the start of the search on
    std::vector<noc::Mask> heads_from;  ///< by class: input VCs from the start of its search on
  };

  [[nodiscard]] std::string name_of(noc::Link link, const char* user) const;
  void add_ports();
  void add_registers(std::uint32_t p);
  void add_output_registers(std::uint32_t o);
  void expect_input(std::uint32_t p, UnitCycle& cycle);
  void expect_output(std::uint32_t o, UnitCycle& cycle);
  static void expect(const FlitSignals& at, const SentFlit& sent, UnitCycle& cycle);
  void see(const FlitSignals& at, const SentFlit& sent, UnitCycle& cycle) const;
  void forget();

  const NocDevice& device_;
  std::uint32_t node_;
  std::uint32_t vcs_, vc_bits_, flit_bits_;
  NocReference reference_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
};

}  // namespace kernbench::sim
