// SPDX-License-Identifier: Apache-2.0
// The reference of a line of three nodes as a model library, in place of a verilated one. Plusargs
// break it: "third_head" flips a bit of the third head on 1->2 since the reset, "no_flit" loses
// every flit there.
#include <algorithm>
#include <memory>
#include <optional>

#include "reference_noc.hpp"

namespace {

using kernbench::noc::Network;
using kernbench::sim::NocInfo;
using kernbench::sim::NocInputs;
using kernbench::sim::NocOutputs;
using kernbench::sim::ReferenceNoc;

/// Learns from the bench which network it is.
class LineModel final : public kernbench::sim::NocDut {
 public:
  explicit LineModel(const std::vector<std::string>& plusargs) : plusargs_(plusargs) {
    info_.build_hash = "reference";
    info_.nodes = 3;
    info_.channels = 4;
    info_.vcs = 1;
    info_.flit_bits = 36;
  }

  [[nodiscard]] const NocInfo& info() const override { return info_; }
  [[nodiscard]] std::string expect(const Network& network) override {
    model_.emplace(network, tamper(network));
    return {};
  }
  void set_reset(bool asserted) override {
    if (asserted) heads_ = 0;
    model_->set_reset(asserted);
  }
  void settle() override { model_->settle(); }
  void drive(const NocInputs& inputs) override { model_->drive(inputs); }
  void sample(NocOutputs& outputs) const override { model_->sample(outputs); }
  void falling_edge() override {}
  void clock_edge() override { model_->clock_edge(); }
  [[nodiscard]] std::vector<kernbench::sim::Violation> take_violations() override { return {}; }
  void open_trace(const std::string& /*path*/) override {}
  void enable_trace(bool /*on*/) override {}
  void close_trace() override {}
  void write_coverage(const std::string& /*path*/) override {}

 private:
  [[nodiscard]] bool has(const char* plusarg) const {
    return std::find(plusargs_.begin(), plusargs_.end(), plusarg) != plusargs_.end();
  }
  [[nodiscard]] ReferenceNoc::Tamper tamper(const Network& network) {
    constexpr kernbench::noc::Link kToLast = 2;
    if (has("no_flit")) {
      return [](std::uint64_t, NocOutputs& outputs) { outputs.valid[kToLast] = 0; };
    }
    if (!has("third_head")) return {};
    return [this, &network](std::uint64_t, NocOutputs& outputs) {
      if (outputs.valid[kToLast] == 0 || !network.is_head(outputs.flit[kToLast])) return;
      if (++heads_ == 3) outputs.flit[kToLast] ^= kernbench::noc::Flit{1} << 20U;
    };
  }

  std::vector<std::string> plusargs_;
  NocInfo info_;
  std::optional<ReferenceNoc> model_;
  unsigned heads_ = 0;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) std::uint32_t kernbench_noc_abi() {
  return kernbench::sim::NocDut::kAbi;
}

extern "C" __attribute__((visibility("default"))) kernbench::sim::NocDut* kernbench_create_noc(
    std::uint64_t /*seed*/, const std::vector<std::string>& plusargs) {
  return new LineModel(plusargs);
}
