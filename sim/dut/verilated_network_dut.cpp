// SPDX-License-Identifier: Apache-2.0
// The NetworkDut of one verilated network. The builder (sim/build/) compiles this file into every
// network library, with shape and variant as macros (KB_*).

#include <verilated.h>

#include <Vnetwork_tb_top.h>
#include <Vnetwork_tb_top___024root.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kb_build.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/dut/verilated_dut.hpp"

namespace kernbench::sim {
namespace {

constexpr maze::Shape kShape{KB_NX, KB_NY, KB_FLIT_W};

/// Copies a plane from or to a port, which have the same layout.
template <typename To, typename From>
void copy(To& to, const From& from, std::size_t bytes) {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), bytes);
}

class VerilatedNetworkDut final : public VerilatedDut<NetworkDut, Vnetwork_tb_top> {
 public:
  VerilatedNetworkDut(std::uint64_t seed, const std::vector<std::string>& plusargs)
      : VerilatedDut(seed, plusargs) {}

  [[nodiscard]] const NetworkInfo& info() const override { return info_; }
  void set_failed(std::optional<unsigned> node) override {
    top_->pg_en_i = node ? 1 : 0;
    const unsigned at = node.value_or(0);
    top_->pg_node_i = at / kShape.nx << kShape.x_addr_bits() | at % kShape.nx;
  }
  void drive(const maze::TopoInputs& inputs) override {
    copy(top_->a_valid_i, *inputs.out_valid.data(), sizeof(top_->a_valid_i));
    copy(top_->b_ready_i, *inputs.in_ready.data(), sizeof(top_->b_ready_i));
    copy(top_->a_payload_i, *inputs.out_payload.data(), sizeof(top_->a_payload_i));
  }
  void settle() override;
  void sample(maze::TopoOutputs& outputs) const override {
    copy(*outputs.out_ready.data(), top_->a_ready_o, sizeof(top_->a_ready_o));
    copy(*outputs.in_valid.data(), top_->b_valid_o, sizeof(top_->b_valid_o));
    copy(*outputs.in_payload.data(), top_->b_payload_o, sizeof(top_->b_payload_o));
  }
  void sample_links(LinkSignals& signals) const override;
  void falling_edge() override;
  void clock_edge() override;
  void annotate(const PortNote& note) override;

 private:
  NetworkInfo info_{{{KB_CHECKERS != 0, KB_TRACE != 0, KB_COVERAGE != 0, KB_BUILD_HASH}, kShape},
                    {.shape = kShape, .high_bound = KB_HIGH_BOUND, .fixed_priority = KB_FIXED != 0},
                    KB_SHOW_LINKS != 0};
  bool edge_due_ = false;
};

/// Executes the rising edge that clock_edge() deferred and applies the inputs, in one evaluation.
void VerilatedNetworkDut::settle() {
  wave_.before_change();
  messages_.reset(reset_);
  const auto eval = [this] { evaluate([this] { top_->eval(); }); };
  const bool rst_n = !reset_;
  if (edge_due_) {
    top_->clk_i = 1;
    // The edge ends the previous cycle and must see the reset of that cycle.
    if ((top_->rst_ni != 0) != rst_n) eval();
    edge_due_ = false;
  }
  top_->rst_ni = static_cast<CData>(rst_n);
  top_->apply_i = top_->apply_i == 0;
  eval();
  wave_.settled();
}

/// The clock gates latch their enables.
void VerilatedNetworkDut::falling_edge() {
  wave_.before_change();
  top_->clk_i = 0;
  evaluate([this] { top_->eval(); });
  wave_.fell();
}

void VerilatedNetworkDut::clock_edge() {
  if (!wave_.has_fallen()) falling_edge();
  wave_.before_change();
  wave_.rose();
  edge_due_ = true;
}

void VerilatedNetworkDut::sample_links([[maybe_unused]] LinkSignals& signals) const {
#if KB_SHOW_LINKS
  maze::TopoInputs& from = signals.from_nodes;
  maze::TopoOutputs& to = signals.to_nodes;
  copy(*from.out_valid.data(), top_->out_valid_o, sizeof(top_->out_valid_o));
  copy(*from.in_ready.data(), top_->in_ready_o, sizeof(top_->in_ready_o));
  copy(*from.out_payload.data(), top_->out_payload_o, sizeof(top_->out_payload_o));
  copy(*to.out_ready.data(), top_->out_ready_o, sizeof(top_->out_ready_o));
  copy(*to.in_valid.data(), top_->in_valid_o, sizeof(top_->in_valid_o));
  copy(*to.in_payload.data(), top_->in_payload_o, sizeof(top_->in_payload_o));
#else
  throw std::logic_error("this model was built without the signals of the links");
#endif
}

void VerilatedNetworkDut::annotate([[maybe_unused]] const PortNote& note) {
#if KB_TRACE
  top_->expected_in_vld_i = note.in_valid;
  top_->expected_in_rdy_i = note.in_ready;
  top_->expected_in_pkt_i = note.in_packet;
  top_->expected_out_vld_i = note.out_valid;
  top_->expected_out_rdy_i = note.out_ready;
  top_->expected_out_pkt_i = note.out_packet;
#endif
}

}  // namespace
}  // namespace kernbench::sim

extern "C" {

/// Records a violation. Called by the checkers in tb/ (DPI-C).
void kernbench_network_violation(int node, int port, int level, const char* rule) {
  constexpr std::array<const char*, 3> kLevels = {"low", "high", ""};
  kernbench::sim::VerilatedNetworkDut::violated(
      {.link = {static_cast<unsigned>(node), static_cast<unsigned>(port)},
       .rule = rule,
       .level = kLevels.at(static_cast<unsigned>(level))});
}

__attribute__((visibility("default"))) std::uint32_t kernbench_network_abi() {
  return kernbench::sim::NetworkDut::kAbi;
}

__attribute__((visibility("default"))) kernbench::sim::NetworkDut* kernbench_create_network(
    std::uint64_t seed, const std::vector<std::string>& plusargs) {
  return new kernbench::sim::VerilatedNetworkDut(seed, plusargs);
}
}
