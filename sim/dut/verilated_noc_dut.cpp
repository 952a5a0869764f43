// SPDX-License-Identifier: Apache-2.0
// The NocDut of one verilated network of any topology. The builder (sim/build/) compiles this file
// into its library, with sizes and variant as macros (KB_*).

#include <verilated.h>

#include <Vnoc_tb_top.h>
#include <Vnoc_tb_top___024root.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kb_build.hpp"
#include "sim/dut/noc_dut.hpp"
#include "sim/dut/noc_node_outputs.hpp"
#include "sim/dut/verilated_dut.hpp"

namespace kernbench::sim {
namespace {

class VerilatedNocDut final : public VerilatedDut<NocDut, Vnoc_tb_top> {
 public:
  VerilatedNocDut(std::uint64_t seed, const std::vector<std::string>& plusargs)
      : VerilatedDut(seed, plusargs) {
    info_.nodes = KB_NODES;
    info_.channels = KB_CHANNELS;
    info_.vcs = KB_VCS;
    info_.flit_bits = KB_FLIT_BITS;
  }

  [[nodiscard]] const NocInfo& info() const override { return info_; }
  [[nodiscard]] std::string expect(const noc::Network& network) override {
    return outputs_.expect(network, members());
  }
  void drive(const NocInputs& inputs) override;
  void settle() override;
  void sample(NocOutputs& outputs) const override;
  void falling_edge() override;
  void clock_edge() override;

 private:
  NocInfo info_{{KB_CHECKERS != 0, KB_TRACE != 0, KB_COVERAGE != 0, KB_BUILD_HASH}};
  NocNodeOutputs outputs_;
  bool edge_due_ = false;
};

void VerilatedNocDut::drive(const NocInputs& inputs) {
  for (std::size_t n = 0; n < KB_NODES; ++n) {
    top_->a_valid_i[n] = inputs.valid[n];
    top_->a_vc_i[n] = inputs.vc[n];
    top_->a_flit_i[n] = inputs.flit[n];
    top_->b_credit_i[n] = inputs.credit[n];
  }
}

/// Executes the rising edge that clock_edge() deferred and applies the inputs, in one evaluation.
void VerilatedNocDut::settle() {
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

void VerilatedNocDut::sample(NocOutputs& outputs) const {
  outputs_.sample(outputs);
  for (std::size_t n = 0; n < KB_NODES; ++n) {
    const std::size_t local = KB_CHANNELS + n;
    outputs.valid[local] = top_->b_valid_o[n];
    outputs.vc[local] = top_->b_vc_o[n];
    outputs.flit[local] = top_->b_flit_o[n];
    outputs.credit[local] = top_->a_credit_o[n];
  }
}

void VerilatedNocDut::falling_edge() {
  wave_.before_change();
  top_->clk_i = 0;
  evaluate([this] { top_->eval(); });
  wave_.fell();
}

void VerilatedNocDut::clock_edge() {
  if (!wave_.has_fallen()) falling_edge();
  wave_.before_change();
  wave_.rose();
  edge_due_ = true;
}

}  // namespace
}  // namespace kernbench::sim

extern "C" {

__attribute__((visibility("default"))) std::uint32_t kernbench_noc_abi() {
  return kernbench::sim::NocDut::kAbi;
}

__attribute__((visibility("default"))) kernbench::sim::NocDut* kernbench_create_noc(
    std::uint64_t seed, const std::vector<std::string>& plusargs) {
  return new kernbench::sim::VerilatedNocDut(seed, plusargs);
}
}
