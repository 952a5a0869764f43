// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/rtl_flits.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "noc/waits.hpp"

namespace kernbench::cosim {

using model::fabric::Edge;

std::shared_ptr<const NocModel> open_noc_model(const model::fabric::NocBase& base,
                                               const std::string& model, const std::string& models,
                                               const std::string& root,
                                               const std::vector<std::string>& plusargs,
                                               const sim::RtlRequest& rtl) {
  const model::fabric::NocSettings& sizes = base.settings();
  NocDesign design = noc_design(base.topology_ptr(), {.lanes = sizes.lanes,
                                                      .slots = sizes.slots,
                                                      .flit_bits = base.network().sizes().flit_bits,
                                                      .stages = sizes.stages});
  std::string path = model;
  if (path.empty()) {
    path = sim::ModelStore(root, models).ensure_noc(noc_request(design, rtl, models, root));
  }
  sim::NocLibrary library(path, plusargs);
  sim::require_network(*library.create(1), design.device->network, path);
  auto bins = std::make_unique<const sim::NocBins>(*design.device);
  return std::make_shared<const NocModel>(
      NocModel{std::move(design), std::move(library), std::move(path), std::move(bins)});
}

RtlFlits::RtlFlits(std::shared_ptr<const NocModel> model, const RtlFlitsOptions& options)
    : model_(std::move(model)),
      bench_(model_->library.create(1)),
      lockstep_(*model_->design.device),
      scoreboard_(*model_->design.device, false),
      rules_(*model_->design.device),
      inputs_(model_->design.device->network.nodes()),
      entered_(model_->design.device->network.channels().size()) {
  sim::require_network(bench_.dut(), model_->design.device->network, model_->path);
  sim::CheckerSet& checkers = bench_.checkers();
  checkers.add("lockstep", lockstep_);
  checkers.add("scoreboard", scoreboard_);
  checkers.add("rules", rules_);
  bench_.attach_checkers();
  if (options.covers) bench_.runner().add(collector_.emplace(*model_->bins, lockstep_.reference()));
  if (options.fault) {
    fault_.kind = *options.fault;
    bench_.runner().set_tap(&injector_.emplace(*model_->design.device, fault_, options.seed));
  }
  if (options.observer != nullptr) bench_.runner().add(*options.observer);
  if (!options.trace.path.empty()) bench_.runner().set_trace(options.trace);
  bench_.begin();
}

void RtlFlits::send(std::uint32_t node, std::uint32_t vc, noc::Flit flit) {
  inputs_.valid[node] = 1;
  inputs_.vc[node] = static_cast<std::uint8_t>(vc);
  inputs_.flit[node] = flit;
}

void RtlFlits::step(Edge edge, model::fabric::NocUserView& view) {
  bench_.step(edge, inputs_);
  std::fill(inputs_.valid.begin(), inputs_.valid.end(), 0);
  std::fill(inputs_.credit.begin(), inputs_.credit.end(), 0);
  const sim::NocOutputs& outputs = bench_.runner().frame().observed();
  const std::size_t channels = entered_.size();
  view.arrivals.clear();
  view.credits.clear();
  view.channels.clear();
  for (noc::Link i = 0; i < channels; ++i) {
    entered_[i] += outputs.valid[i];
    if (!view.sees_channels || outputs.valid[i] == 0) continue;
    view.channels.push_back({i, outputs.vc[i], outputs.flit[i]});
  }
  for (std::uint32_t node = 0; node < inputs_.valid.size(); ++node) {
    const std::size_t link = channels + node;
    if (outputs.valid[link] != 0) {
      view.arrivals.push_back({node, outputs.vc[link], outputs.flit[link]});
    }
    for (noc::Mask left = outputs.credit[link]; left != 0; left &= left - 1) {
      view.credits.push_back({node, static_cast<std::uint32_t>(std::countr_zero(left))});
    }
  }
}

std::vector<noc::LinkCredit> RtlFlits::circle() const {
  return noc::circle_of_waits(lockstep_.reference());
}

void RtlFlits::finish(Edge edge) {
  bench_.require_passed(edge);
}

}  // namespace kernbench::cosim
