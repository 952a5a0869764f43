// SPDX-License-Identifier: Apache-2.0
// A plugin whose registrations are refused.
#include <kernbench/bench.hpp>
#include <kernbench/component.hpp>
#include <kernbench/plugin.hpp>
#include <kernbench/traffic.hpp>

KERNBENCH_PLUGIN("refused", "1.0");

namespace {

using namespace kernbench::model;
using components::ComponentRegistration;
using components::make_component;
using fabric::TrafficRegistration;

const bench::Registration kTaken{{"gemm", "", {}, nullptr}};
const bench::Registration kShouted{{"GEMM", "", {}, nullptr}};
const ComponentRegistration kMisspelled{"hbm_ctl", make_component<components::HbmCtrl>};
const ComponentRegistration kFirst{"sram", make_component<components::Sram>};
const ComponentRegistration kSecond{"sram", make_component<components::Sram>};
const TrafficRegistration kTransposed{{"transpose", "", nullptr}};
const TrafficRegistration kSpaced{{"bit reverse", "", nullptr}};
const TrafficRegistration kWorkload{{"all_to_all", "", nullptr}};
const TrafficRegistration kFile{{"my.csv", "", nullptr}};

}  // namespace
