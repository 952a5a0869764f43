// SPDX-License-Identifier: Apache-2.0
// A plugin with a component: an HBM controller that serves every flit, also those of whole
// messages, as if it had twice the bytes.
#include <kernbench/component.hpp>
#include <kernbench/plugin.hpp>

KERNBENCH_PLUGIN("ageing-hbm", "1.0");

namespace {

using namespace kernbench::model;
using components::HbmCtrl;

class AgeingHbm : public HbmCtrl {
 public:
  using HbmCtrl::HbmCtrl;
  kernbench::common::SimTime duration(bool write, std::uint32_t bytes) const override {
    return HbmCtrl::duration(write, 2 * bytes);
  }
};

const components::ComponentRegistration kHbm{"hbm_ctrl", components::make_component<AgeingHbm>};

}  // namespace
