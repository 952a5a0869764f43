// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/plane_frame.hpp"

#include <algorithm>

namespace kernbench::sim {
namespace {

bool all_zero(const maze::BitPlane& plane) {
  return std::all_of(plane.begin(), plane.end(), [](auto word) { return word == 0; });
}

}  // namespace

PlaneFrame::PlaneFrame(const Dut& dut)
    : observed_(dut.info().shape, dut.ports()),
      source_fired_(dut.info().shape, dut.ports()),
      sink_fired_(dut.info().shape, dut.ports()) {
  if (dut.shows_links()) links_.emplace(dut.info().shape);
}

maze::TopoInputs PlaneFrame::idle_inputs(const Dut& dut) {
  Inputs inputs = inputs_of(dut);
  const maze::Shape& shape = dut.info().shape;
  for (unsigned w = 0; w < inputs.in_ready.size(); ++w) {
    inputs.in_ready[w] = shape.node_mask(w % shape.words());
  }
  return inputs;
}

void PlaneFrame::drive(Dut& dut, Tap* tap, Inputs& intended, CycleView& view) const {
  const Tap::Inputs inputs =
      tap != nullptr ? tap->drive(view.cycle, intended) : Tap::Inputs{&intended, &intended};
  dut.drive(*inputs.pins);
  view.intended = &intended;
  view.driven = inputs.driven;
}

void PlaneFrame::sample(const Dut& dut) {
  dut.sample(observed_);
  if (links_) dut.sample_links(*links_);
}

void PlaneFrame::intercept(Tap& tap, std::uint64_t cycle) {
  tap.observe(cycle, observed_);
  if (links_) tap.observe_links(cycle, *links_);
}

void PlaneFrame::show(CycleView& view) {
  if (view.in_reset) {
    source_fired_.clear();
    sink_fired_.clear();
  } else {
    for (std::size_t i = 0; i < source_fired_.size(); ++i) {
      source_fired_[i] = view.intended->out_valid[i] & observed_.out_ready[i];
      sink_fired_[i] = observed_.in_valid[i] & view.intended->in_ready[i];
    }
  }
  view.observed = &observed_;
  view.links = links_ ? &*links_ : nullptr;
  view.source_fired = &source_fired_;
  view.sink_fired = &sink_fired_;
}

bool PlaneFrame::is_quiet(const Inputs& intended) const {
  return all_zero(intended.out_valid) && all_zero(observed_.in_valid);
}

}  // namespace kernbench::sim
