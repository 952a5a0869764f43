// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/noc/noc_design.hpp"
#include "cosim/run/rtl_bench.hpp"
#include "model/fabric/noc/flit_network.hpp"
#include "model/fabric/noc/noc_base.hpp"
#include "sim/noc/noc_checkers.hpp"
#include "sim/noc/noc_coverage.hpp"
#include "sim/noc/noc_fault.hpp"
#include "sim/noc/noc_run.hpp"

namespace kernbench::cosim {

/// The verilated RTL of a network of any topology, and the network that it is.
struct NocModel {
  NocDesign design;
  sim::NocLibrary library;
  std::string path;
  std::unique_ptr<const sim::NocBins> bins;  ///< bins of its functional coverage
};

/// Opens the model of the network that carries a fabric's transfers. Builds it with the
/// Makefile.verilator of `root`, in the folder `models`, if it is missing and `model` is empty; of
/// `rtl`, unless that is the shipped one. Throws common::BadInput for a model of another network.
[[nodiscard]] std::shared_ptr<const NocModel> open_noc_model(
    const model::fabric::NocBase& base, const std::string& model, const std::string& models,
    const std::string& root, const std::vector<std::string>& plusargs = {},
    const sim::RtlRequest& rtl = {});

struct RtlFlitsOptions {
  bool covers = false;                          ///< collect functional coverage
  std::optional<sim::NocFaultKind> fault = {};  ///< fault to inject
  std::uint64_t seed = 1;                       ///< seed of its place
  sim::TraceWindow trace = {};                  ///< empty path: no waves
  sim::Extension* observer = nullptr;           ///< sees every cycle, behind the checkers
};

/// A verilated network of any topology with lockstep, scoreboard, the rules of links and the
/// checkers of its RTL, those of `kernbench sim`, and on demand its functional coverage. The
/// constructor executes the reset; every step is one cycle.
class RtlFlits final : public model::fabric::FlitNetwork {
 public:
  explicit RtlFlits(std::shared_ptr<const NocModel> model, const RtlFlitsOptions& options = {});

  void send(std::uint32_t node, std::uint32_t vc, noc::Flit flit) override;
  void take(std::uint32_t node, std::uint32_t vc) override {
    inputs_.credit[node] |= noc::Mask{1} << vc;
  }
  /// Throws model::fabric::FabricFailure in the cycle in which a checker fails.
  void step(model::fabric::Edge edge, model::fabric::NocUserView& view) override;
  [[nodiscard]] std::uint64_t entered(std::uint32_t channel) const override {
    return entered_[channel];
  }
  [[nodiscard]] std::vector<noc::LinkCredit> circle() const override;
  /// Ends the checkers. Throws model::fabric::FabricFailure if one fails.
  void finish(model::fabric::Edge edge) override;

  [[nodiscard]] RtlBenchOf<sim::NocFrame>& bench() { return bench_; }
  /// Returns the bins that were hit, if they are collected.
  [[nodiscard]] const sim::NocHits* hits() const {
    return collector_ ? &collector_->hits() : nullptr;
  }
  [[nodiscard]] const std::optional<sim::NocFaultInjector>& injector() const { return injector_; }

 private:
  std::shared_ptr<const NocModel> model_;
  RtlBenchOf<sim::NocFrame> bench_;
  sim::NocLockstep lockstep_;
  sim::NocScoreboard scoreboard_;
  sim::NocRules rules_;
  std::optional<sim::NocCollector> collector_;
  sim::NocFault fault_;
  std::optional<sim::NocFaultInjector> injector_;
  sim::NocInputs inputs_;
  std::vector<std::uint64_t> entered_;  ///< flits, by channel
};

}  // namespace kernbench::cosim
