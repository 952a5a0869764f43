// SPDX-License-Identifier: Apache-2.0
// A plugin with a component: an HBM controller that serves every flit and every whole message as if
// it had twice the bytes.
#include <kernbench/component.hpp>
#include <kernbench/plugin.hpp>

KERNBENCH_PLUGIN("ageing-hbm", "1.0");

namespace {

using namespace kernbench::model;
using components::HbmCtrl;

class AgeingHbm : public HbmCtrl {
 public:
  using HbmCtrl::HbmCtrl;
  components::Service serve(bool write, std::uint64_t address, std::uint32_t bytes,
                            kernbench::common::SimTime ready, std::uint64_t transaction) override {
    return HbmCtrl::serve(write, address, 2 * bytes, ready, transaction);
  }
  kernbench::model::transport::FlitTimes serve_whole(
      bool write, std::uint64_t bytes, std::uint32_t flit_bytes,
      const kernbench::model::transport::FlitTimes& ready) override {
    return HbmCtrl::serve_whole(write, 2 * bytes, flit_bytes, ready);
  }
};

const components::ComponentRegistration kHbm{"hbm_ctrl", components::make_component<AgeingHbm>};

}  // namespace
