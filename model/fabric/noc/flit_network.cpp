// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/noc/flit_network.hpp"

#include "noc/waits.hpp"

namespace kernbench::model::fabric {

void ReferenceFlits::step(Edge /*edge*/, NocUserView& view) {
  view.arrivals.clear();
  view.credits.clear();
  view.channels.clear();
  const auto channels = static_cast<noc::Link>(entered_.size());
  for (const noc::LinkFlit& flit : model_.flits()) {
    if (flit.link < channels) {
      ++entered_[flit.link];
      if (view.sees_channels) view.channels.push_back(flit);
    } else {
      view.arrivals.push_back({flit.link - channels, flit.vc, flit.flit});
    }
  }
  for (const noc::LinkCredit& credit : model_.credits()) {
    if (credit.link >= channels) view.credits.push_back({credit.link - channels, credit.vc});
  }
  model_.clock();
}

std::vector<noc::LinkCredit> ReferenceFlits::circle() const {
  return noc::circle_of_waits(model_);
}

}  // namespace kernbench::model::fabric
