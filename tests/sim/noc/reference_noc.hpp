// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "noc/network_model.hpp"
#include "noc/relation_network.hpp"
#include "sim/dut/noc_dut.hpp"
#include "sim/noc/noc_coverage.hpp"
#include "sim/noc/noc_device.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::sim {

/// The reference in the place of a model. `tamper` changes what it drives.
class ReferenceNoc final : public NocDut {
 public:
  using Tamper = std::function<void(std::uint64_t cycle, NocOutputs& outputs)>;

  explicit ReferenceNoc(const noc::Network& network, Tamper tamper = {})
      : model_(network), inputs_(network.nodes()), tamper_(std::move(tamper)) {
    info_.build_hash = "reference";
    info_.nodes = network.nodes();
    info_.channels = static_cast<std::uint32_t>(network.channels().size());
    info_.vcs = network.sizes().vcs();
    info_.flit_bits = network.sizes().flit_bits;
  }

  [[nodiscard]] const NocInfo& info() const override { return info_; }
  [[nodiscard]] std::string expect(const noc::Network& /*network*/) override { return {}; }
  void set_reset(bool asserted) override { in_reset_ = asserted; }
  void settle() override {
    if (in_reset_) model_.reset();
  }
  void drive(const NocInputs& inputs) override { inputs_ = inputs; }
  void sample(NocOutputs& outputs) const override {
    outputs = NocOutputs(outputs.valid.size());
    for (const noc::LinkFlit& one : model_.flits()) {
      outputs.valid[one.link] = 1;
      outputs.vc[one.link] = static_cast<std::uint8_t>(one.vc);
      outputs.flit[one.link] = one.flit;
    }
    for (const noc::LinkCredit& one : model_.credits()) {
      outputs.credit[one.link] |= noc::Mask{1} << one.vc;
    }
    if (tamper_) tamper_(cycle_, outputs);
  }
  void falling_edge() override {}
  void clock_edge() override {
    ++cycle_;
    if (in_reset_) return;
    for (std::uint32_t node = 0; node < info_.nodes; ++node) {
      if (inputs_.valid[node] != 0) model_.send(node, inputs_.vc[node], inputs_.flit[node]);
      for (std::uint32_t vc = 0; vc < info_.vcs; ++vc) {
        if ((inputs_.credit[node] >> vc & 1U) != 0) model_.take(node, vc);
      }
    }
    try {
      model_.clock();
    } catch (const std::logic_error&) {
      if (!drops_overflows_) throw;
    }
  }
  void drop_overflows() { drops_overflows_ = true; }
  [[nodiscard]] std::vector<Violation> take_violations() override { return {}; }
  void open_trace(const std::string& /*path*/) override {}
  void enable_trace(bool /*on*/) override {}
  void close_trace() override {}
  void write_coverage(const std::string& /*path*/) override {}

 private:
  NocInfo info_;
  noc::NetworkModel model_;
  NocInputs inputs_;
  Tamper tamper_;
  std::uint64_t cycle_ = 0;
  bool in_reset_ = false;
  bool drops_overflows_ = false;
};

/// A network of the zoo as the bench verifies it.
struct ZooDevice {
  topology::zoo::TopologyPtr topology;
  std::unique_ptr<topology::zoo::RoutingRelation> relation;
  std::unique_ptr<NocDevice> device;
  std::unique_ptr<NocBins> bins;

  /// With `may_deadlock`, the routes are shortest paths on one virtual channel.
  explicit ZooDevice(const std::string& text, const noc::Sizes& sizes = {.slots = 4},
                     std::uint32_t stages = 1, bool may_deadlock = false)
      : topology(topology::zoo::parse_zoo_text(text)),
        relation(may_deadlock ? std::make_unique<topology::zoo::ShortestPathRouting>(*topology)
                              : topology::zoo::natural_routing(*topology)) {
    device = std::make_unique<NocDevice>(
        NocDevice{topology->name(),
                  noc::network_of(*relation, sizes, stages),
                  {.topology = topology->name(), .count = topology->n_nodes()},
                  {}});
    bins = std::make_unique<NocBins>(*device);
  }
};

}  // namespace kernbench::sim
