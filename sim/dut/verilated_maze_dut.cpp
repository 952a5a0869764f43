// SPDX-License-Identifier: Apache-2.0
// The MazeDut of one verilated TOPO. The builder (sim/build/) compiles this file into every model
// library, with shape and variant as macros (KB_*) and the top's port_format.hpp on the include
// path.

#include <verilated.h>

#include <Vmaze_tb_top.h>
#include <Vmaze_tb_top___024root.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kb_build.hpp"
#include "port_format.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/dut/verilated_coverage.hpp"
#include "sim/dut/verilated_messages.hpp"
#include "sim/dut/verilated_start.hpp"
#include "sim/dut/verilated_wave.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;

constexpr Shape kShape{KB_NX, KB_NY, KB_FLIT_W};

// Bound on the violations kept between two calls of take_violations(): a broken DUT may violate
// rules on every link in every cycle.
constexpr std::size_t kMaxPending = 4096;

class VerilatedMazeDut final : public MazeDut {
 public:
  VerilatedMazeDut(std::uint64_t seed, const std::vector<std::string>& plusargs);
  ~VerilatedMazeDut() override;

  [[nodiscard]] const DutInfo& info() const override { return info_; }
  void set_reset(bool asserted) override { reset_ = asserted; }
  [[nodiscard]] RtlChecks rtl_checks() const override {
    return {KB_RTL_ASSERTIONS, KB_RTL_UNIQUE, KB_ASSERT != 0};
  }
  std::vector<RtlEvent> take_events() override { return messages_.take_events(); }
  [[nodiscard]] RtlText rtl_text() const override { return messages_.text(); }
  void finish() override;
  void drive(const TopoInputs& inputs) override { pins_->drive(inputs); }
  void settle() override;
  void sample(TopoOutputs& outputs) const override { pins_->sample(outputs); }
  void falling_edge() override;
  void clock_edge() override;
  std::vector<Violation> take_violations() override { return std::exchange(violations_, {}); }
  void open_trace(const std::string& path) override { wave_.open(*top_, path); }
  void enable_trace(bool on) override { wave_.enable(on); }
  void close_trace() override { wave_.close(); }
  void annotate(const LinkNote& note) override;
  void write_coverage(const std::string& path) override {
    write_verilated_coverage(*context_, path);
  }

  void violated(LinkEnd link, const char* rule) {
    if (violations_.size() < kMaxPending) violations_.push_back({wave_.cycle(), link, rule});
  }

 private:
  /// Evaluates the model: its checkers and messages lead here.
  template <class Evaluate>
  void evaluate(Evaluate&& evaluate);

  DutInfo info_{kShape, KB_CHECKERS != 0, KB_TRACE != 0, KB_COVERAGE != 0, KB_BUILD_HASH};
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vmaze_tb_top> top_;
  std::optional<Pins> pins_;
  VerilatedWave<Vmaze_tb_top> wave_;
  std::vector<Violation> violations_;
  RtlMessages messages_;
  bool reset_ = false;
  bool finished_ = false;
};

// The DUT that this thread evaluates. The call of a checker does not identify its DUT.
thread_local VerilatedMazeDut* evaluated = nullptr;

class Evaluating {
 public:
  explicit Evaluating(VerilatedMazeDut* dut) : outer_(std::exchange(evaluated, dut)) {}
  ~Evaluating() { evaluated = outer_; }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  VerilatedMazeDut* outer_;
};

template <class Evaluate>
void VerilatedMazeDut::evaluate(Evaluate&& evaluate) {
  const Evaluating mark(this);
  context_->time(wave_.time_ns());
  messages_.evaluate(*context_, wave_.cycle(), evaluate);
}

VerilatedMazeDut::VerilatedMazeDut(std::uint64_t seed, const std::vector<std::string>& plusargs) {
  context_->traceEverOn(KB_TRACE != 0);
  const Evaluating mark(this);
  top_ = start_verilated<Vmaze_tb_top>(*context_, seed, plusargs, messages_);
  pins_.emplace(*top_);
}

VerilatedMazeDut::~VerilatedMazeDut() {
  wave_.close();
  finish();
}

void VerilatedMazeDut::finish() {
  if (!std::exchange(finished_, true)) evaluate([&] { top_->final(); });
}

void VerilatedMazeDut::settle() {
  wave_.before_change();
  messages_.reset(reset_);
  evaluate([&] { pins_->settle(!reset_); });
  wave_.settled();
}

void VerilatedMazeDut::falling_edge() {
  wave_.before_change();
  evaluate([&] { pins_->falling_edge(); });
  wave_.fell();
}

void VerilatedMazeDut::clock_edge() {
  if (!wave_.has_fallen()) falling_edge();
  wave_.before_change();
  pins_->rising_edge();
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
  kernbench::sim::evaluated->violated({static_cast<unsigned>(node), static_cast<unsigned>(port)},
                                      rule);
}

__attribute__((visibility("default"))) std::uint32_t kernbench_dut_abi() {
  return kernbench::sim::kDutAbi;
}

__attribute__((visibility("default"))) kernbench::sim::MazeDut* kernbench_create_dut(
    std::uint64_t seed, const std::vector<std::string>& plusargs) {
  return new kernbench::sim::VerilatedMazeDut(seed, plusargs);
}
}
