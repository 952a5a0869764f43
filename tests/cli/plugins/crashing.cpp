// SPDX-License-Identifier: Apache-2.0
// A plugin whose code crashes where the parameter `where` of its bench says.
#include <kernbench/bench.hpp>
#include <kernbench/component.hpp>
#include <kernbench/plugin.hpp>
#include <kernbench/traffic.hpp>
#include <stdexcept>

KERNBENCH_PLUGIN("crashing", "2.1");

namespace {

using namespace kernbench::model;

/// Set by the bench for the component.
bool g_crash_component = false;

[[gnu::noinline]] void write_to_null() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

[[gnu::noinline]] void throw_error() {
  throw std::runtime_error("thrown by a noexcept function");
}

void throw_from_noexcept() noexcept {
  throw_error();
}

void run(runtime::Context& kb) {
  const std::string where =
      kb.choice("where", {"nowhere", "host", "kernel", "component", "terminate", "program"});
  if (where == "host") write_to_null();
  if (where == "terminate") throw_from_noexcept();
  const data::Array* volatile none = nullptr;
  if (where == "program") (void)none->to_floats();
  g_crash_component = where == "component";
  const runtime::DpPolicy rows{runtime::Placement::RowWise, runtime::Placement::RowWise};
  const runtime::Tensor x = kb.tensor(8, 8, data::DataType::F32, rows);
  kb.launch("crash", [where, x = x->view()](kernel::Tl& tl) {
    if (tl.program_id(0) != 1 || tl.program_id(1) != 0) return;
    const kernel::Tile tile = tl.load(x.local(tl));
    if (where == "kernel") write_to_null();
    tl.store(x.local(tl), tile);
  });
}

const bench::Registration kBench{{"crash", "Crashes", {{"where", "nowhere", "what crashes"}}, run}};

class CrashingHbm : public components::HbmCtrl {
 public:
  using HbmCtrl::HbmCtrl;
  components::Service serve(bool write, std::uint64_t address, std::uint32_t bytes,
                            kernbench::common::SimTime ready, std::uint64_t transaction) override {
    if (g_crash_component) write_to_null();
    return HbmCtrl::serve(write, address, bytes, ready, transaction);
  }
};

const components::ComponentRegistration kHbm{"hbm_ctrl", components::make_component<CrashingHbm>};

std::vector<std::uint32_t> crash(std::uint32_t /*source*/,
                                 const kernbench::topology::TrafficShape& /*shape*/) {
  write_to_null();
  return {};
}
std::vector<std::uint32_t> outside(std::uint32_t /*source*/,
                                   const kernbench::topology::TrafficShape& shape) {
  return {shape.count};
}

const kernbench::topology::TrafficRegistration kCrash{{"crash", "Crashes", crash}};
const kernbench::topology::TrafficRegistration kOutside{
    {"outside", "To an endpoint beyond the last", outside}};

}  // namespace
