// SPDX-License-Identifier: Apache-2.0
// The MazeDut of one verilated TOPO. The builder (sim/build/) compiles this file into every model
// library, with shape and variant as macros (KB_*) and the top's port_format.hpp on the include
// path.

#include <verilated.h>

#include <Vmaze_tb_top.h>
#include <Vmaze_tb_top___024root.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kb_build.hpp"
#include "port_format.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/dut/verilated_dut.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;

constexpr Shape kShape{KB_NX, KB_NY, KB_FLIT_W};

class VerilatedMazeDut final : public VerilatedDut<MazeDut, Vmaze_tb_top> {
 public:
  VerilatedMazeDut(std::uint64_t seed, const std::vector<std::string>& plusargs)
      : VerilatedDut(seed, plusargs), pins_(*top_) {}

  [[nodiscard]] const DutInfo& info() const override { return info_; }
  void drive(const TopoInputs& inputs) override { pins_.drive(inputs); }
  void settle() override;
  void sample(TopoOutputs& outputs) const override { pins_.sample(outputs); }
  void falling_edge() override;
  void clock_edge() override;
  void annotate(const LinkNote& note) override;

 private:
  DutInfo info_{{KB_CHECKERS != 0, KB_TRACE != 0, KB_COVERAGE != 0, KB_BUILD_HASH}, kShape};
  Pins pins_;
};

void VerilatedMazeDut::settle() {
  wave_.before_change();
  messages_.reset(reset_);
  evaluate([&] { pins_.settle(!reset_); });
  wave_.settled();
}

void VerilatedMazeDut::falling_edge() {
  wave_.before_change();
  evaluate([&] { pins_.falling_edge(); });
  wave_.fell();
}

void VerilatedMazeDut::clock_edge() {
  if (!wave_.has_fallen()) falling_edge();
  wave_.before_change();
  pins_.rising_edge();
  wave_.rose();
}

void VerilatedMazeDut::annotate([[maybe_unused]] const LinkNote& note) {
#if KB_NOTES
  top_->want_vld_i = note.want_valid;
  top_->want_rdy_i = note.want_ready;
  top_->want_pkt_i = note.want_packet;
  top_->seen_vld_i = note.seen_valid;
  top_->seen_rdy_i = note.seen_ready;
  top_->seen_pkt_i = note.seen_packet;
  top_->expected_vld_i = note.expected_valid;
  top_->expected_rdy_i = note.expected_ready;
  top_->expected_pkt_i = note.expected_packet;
#endif
}

}  // namespace
}  // namespace kernbench::sim

extern "C" {

/// Records a violation. Called by the checkers in tb/ (DPI-C).
void kernbench_violation(int node, int port, const char* rule) {
  kernbench::sim::VerilatedMazeDut::violated(
      {.link = {static_cast<unsigned>(node), static_cast<unsigned>(port)}, .rule = rule});
}

__attribute__((visibility("default"))) std::uint32_t kernbench_dut_abi() {
  return kernbench::sim::MazeDut::kAbi;
}

__attribute__((visibility("default"))) kernbench::sim::MazeDut* kernbench_create_dut(
    std::uint64_t seed, const std::vector<std::string>& plusargs) {
  return new kernbench::sim::VerilatedMazeDut(seed, plusargs);
}
}
