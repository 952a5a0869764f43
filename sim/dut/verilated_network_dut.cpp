// SPDX-License-Identifier: Apache-2.0
// The NetworkDut of one verilated network. The builder (sim/build/) compiles this file into every
// network library, with shape and variant as macros (KB_*).

#include <verilated.h>

#include <Vnetwork_tb_top.h>
#include <Vnetwork_tb_top___024root.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kb_build.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/dut/verilated_coverage.hpp"
#include "sim/dut/verilated_messages.hpp"
#include "sim/dut/verilated_start.hpp"
#include "sim/dut/verilated_wave.hpp"

namespace kernbench::sim {
namespace {

constexpr maze::Shape kShape{KB_NX, KB_NY, KB_FLIT_W};

/// Copies a plane from or to a port, which have the same layout.
template <typename To, typename From>
void copy(To& to, const From& from, std::size_t bytes) {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), bytes);
}

class VerilatedNetworkDut final : public NetworkDut {
 public:
  VerilatedNetworkDut(std::uint64_t seed, const std::vector<std::string>& plusargs);
  ~VerilatedNetworkDut() override;

  [[nodiscard]] const NetworkInfo& info() const override { return info_; }
  void set_failed(std::optional<unsigned> node) override {
    top_->pg_en_i = node ? 1 : 0;
    const unsigned at = node.value_or(0);
    top_->pg_node_i = at / kShape.nx << kShape.x_addr_bits() | at % kShape.nx;
  }
  void set_reset(bool asserted) override { reset_ = asserted; }
  [[nodiscard]] RtlChecks rtl_checks() const override {
    return {KB_RTL_ASSERTIONS, KB_RTL_UNIQUE, KB_ASSERT != 0};
  }
  std::vector<RtlEvent> take_events() override { return messages_.take_events(); }
  [[nodiscard]] RtlText rtl_text() const override { return messages_.text(); }
  void finish() override;
  void drive(const maze::NetworkInputs& inputs) override {
    copy(top_->a_valid_i, inputs.a_valid[0], sizeof(top_->a_valid_i));
    copy(top_->b_ready_i, inputs.b_ready[0], sizeof(top_->b_ready_i));
    copy(top_->a_payload_i, inputs.a_payload[0], sizeof(top_->a_payload_i));
  }
  void settle() override;
  void sample(maze::NetworkOutputs& outputs) const override {
    copy(outputs.a_ready[0], top_->a_ready_o, sizeof(top_->a_ready_o));
    copy(outputs.b_valid[0], top_->b_valid_o, sizeof(top_->b_valid_o));
    copy(outputs.b_payload[0], top_->b_payload_o, sizeof(top_->b_payload_o));
  }
  void sample_links(LinkSignals& signals) const override;
  void clock_edge() override;
  [[nodiscard]] std::vector<NetworkViolation> take_violations() override {
    return std::exchange(violations_, {});
  }
  void open_trace(const std::string& path) override { wave_.open(*top_, path); }
  void enable_trace(bool on) override { wave_.enable(on); }
  void close_trace() override { wave_.close(); }
  void write_coverage(const std::string& path) override {
    write_verilated_coverage(*context_, path);
  }
  void annotate(const PortNote& note) override;
  void violated(NetworkViolation violation) { violations_.push_back(std::move(violation)); }

 private:
  void eval();

  NetworkInfo info_{{.shape = kShape, .high_bound = KB_HIGH_BOUND, .fixed_priority = KB_FIXED != 0},
                    KB_SHOW_LINKS != 0,
                    KB_CHECKERS != 0,
                    KB_TRACE != 0,
                    KB_COVERAGE != 0,
                    KB_BUILD_HASH};
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vnetwork_tb_top> top_;
  VerilatedWave<Vnetwork_tb_top> wave_;
  RtlMessages messages_;
  bool reset_ = false;
  bool finished_ = false;
  bool edge_due_ = false;
  std::vector<NetworkViolation> violations_;
};

// The network that this thread evaluates. The call of a checker does not identify it.
thread_local VerilatedNetworkDut* evaluated = nullptr;

void VerilatedNetworkDut::eval() {
  evaluated = this;
  context_->time(wave_.time_ns());
  messages_.evaluate(*context_, wave_.cycle(), [&] { top_->eval(); });
}

VerilatedNetworkDut::VerilatedNetworkDut(std::uint64_t seed,
                                         const std::vector<std::string>& plusargs) {
  context_->traceEverOn(KB_TRACE != 0);
  top_ = start_verilated<Vnetwork_tb_top>(*context_, seed, plusargs, messages_);
}

VerilatedNetworkDut::~VerilatedNetworkDut() {
  wave_.close();
  finish();
}

void VerilatedNetworkDut::finish() {
  if (std::exchange(finished_, true)) return;
  evaluated = this;
  messages_.evaluate(*context_, wave_.cycle(), [&] { top_->final(); });
}

/// Executes the rising edge that clock_edge() deferred and applies the inputs, in one evaluation.
void VerilatedNetworkDut::settle() {
  wave_.before_change();
  messages_.reset(reset_);
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

void VerilatedNetworkDut::clock_edge() {
  wave_.before_change();
  top_->clk_i = 0;  // the clock gates latch their enables
  eval();
  wave_.fell();
  wave_.rose();
  edge_due_ = true;
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
  if (kernbench::sim::evaluated == nullptr) return;  // the first evaluation, of random flops
  kernbench::sim::evaluated->violated({static_cast<unsigned>(node), static_cast<unsigned>(port),
                                       static_cast<unsigned>(level), rule});
}

__attribute__((visibility("default"))) std::uint32_t kernbench_network_abi() {
  return kernbench::sim::kNetworkAbi;
}

__attribute__((visibility("default"))) kernbench::sim::NetworkDut* kernbench_create_network(
    std::uint64_t seed, const std::vector<std::string>& plusargs) {
  return new kernbench::sim::VerilatedNetworkDut(seed, plusargs);
}
}
