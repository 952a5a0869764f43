// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/irs_bench.hpp"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

#include "Virs_bench_top.h"

namespace kernbench::tests {

namespace {

std::string kind_name(const IrsInstance& instance) {
  switch (instance.kind()) {
    case IrsKind::kWires:
      return "wires";
    case IrsKind::kSkid:
      return "IRS_LP";
    case IrsKind::kHalf:
      return "IRS_HALF";
    case IrsKind::kHalfNoReady:
      return "IRS_HALF without ready";
  }
  throw std::logic_error("unknown IRS kind");
}

void add_chains(std::vector<IrsInstance>& instances, unsigned width, unsigned depths) {
  for (unsigned n = 0; n < depths * 8; ++n) {
    IrsInstance instance{.name = {},
                         .width = width,
                         .params = {.depth = n / 8,
                                    .no_ready = (n & 4U) != 0,
                                    .half = (n & 2U) != 0,
                                    .ro_en = (n & 1U) != 0}};
    instance.name = fmt::format("IRS_N {} bits, depth {}, flags {:03b} ({})", width, n / 8, n % 8,
                                kind_name(instance));
    instances.push_back(instance);
  }
}

/// Returns the instances listed at the top of tb/irs_bench_top.sv.
std::vector<IrsInstance> all_instances(std::size_t count) {
  std::vector<IrsInstance> instances;
  add_chains(instances, 23, 17);
  add_chains(instances, 1, 3);
  add_chains(instances, 64, 3);
  if (count == instances.size() + 4) {
    instances.push_back({"IRS_HALF WITH_READY=0", 23, {.depth = 1, .no_ready = true}});
    instances.push_back({"IRS_HALF WITH_READY=1", 23, {.depth = 1, .half = true}});
    instances.push_back({"IRS_LP RO_EN=0", 23, {.depth = 1}});
    instances.push_back({"IRS_LP RO_EN=1", 23, {.depth = 1, .ro_en = true}});
  }
  if (count != instances.size()) {
    throw std::logic_error("irs_bench_top.sv and irs_bench.cpp list different instances");
  }
  return instances;
}

}  // namespace

IrsKind IrsInstance::kind() const {
  if (params.depth == 0) return IrsKind::kWires;
  if (params.no_ready) return IrsKind::kHalfNoReady;
  return params.half ? IrsKind::kHalf : IrsKind::kSkid;
}

unsigned IrsInstance::capacity() const {
  return kind() == IrsKind::kSkid ? 2 * params.depth : params.depth;
}

struct IrsBench::Verilated {
  // The context needs its random reset values before the top is constructed.
  VerilatedContext context;
  std::unique_ptr<Virs_bench_top> top;
};

IrsBench::IrsBench(std::uint64_t power_on_seed) : verilated_(std::make_unique<Verilated>()) {
  verilated_->context.randReset(2);
  verilated_->context.randSeed(static_cast<int>(power_on_seed & 0x7fffffffU));
  verilated_->top = std::make_unique<Virs_bench_top>(&verilated_->context);
  instances_ = all_instances(std::size(verilated_->top->valid_i));

  for (std::size_t i = 0; i < size(); ++i) drive(i, {});
  verilated_->top->rst_n = 1;
  verilated_->top->clk = 0;
  verilated_->top->eval();
  set_reset(true);
  edge();
  set_reset(false);
}

IrsBench::~IrsBench() {
  verilated_->top->final();
}

void IrsBench::drive(std::size_t instance, const IrsInputs& inputs) {
  Virs_bench_top& top = *verilated_->top;
  top.valid_i[instance] = inputs.valid_i ? 1 : 0;
  top.payload_i[instance] = inputs.payload_i;
  top.ready_i[instance] = inputs.ready_i ? 1 : 0;
}

void IrsBench::settle_high() {
  verilated_->top->eval();
}

void IrsBench::settle() {
  verilated_->top->clk = 0;
  verilated_->top->eval();
}

IrsOutputs IrsBench::observe(std::size_t instance) const {
  const Virs_bench_top& top = *verilated_->top;
  return {.ready_o = top.ready_o[instance] != 0,
          .valid_o = top.valid_o[instance] != 0,
          .payload_o = top.payload_o[instance]};
}

void IrsBench::edge() {
  verilated_->top->clk = 1;
  verilated_->top->eval();
}

void IrsBench::set_reset(bool asserted) {
  verilated_->top->rst_n = asserted ? 0 : 1;
  verilated_->top->eval();
}

}  // namespace kernbench::tests
