// SPDX-License-Identifier: Apache-2.0
// A plugin whose registrations are refused.
#include <kernbench/collective.hpp>
#include <kernbench/component.hpp>
#include <kernbench/plugin.hpp>
#include <kernbench/traffic.hpp>

KERNBENCH_PLUGIN("refused", "1.0");

namespace {

using namespace kernbench::model;
using components::ComponentRegistration;
using components::make_component;
using kernbench::topology::TrafficRegistration;

const bench::Registration kTaken{{"gemm", "", {}, nullptr}};
const bench::Registration kShouted{{"GEMM", "", {}, nullptr}};
const bench::Registration kEmpty{{"empty", "", {}, nullptr}};
const ComponentRegistration kMisspelled{"hbm_ctl", make_component<components::HbmCtrl>};
const ComponentRegistration kFirst{"sram", make_component<components::Sram>};
const ComponentRegistration kSecond{"sram", make_component<components::Sram>};
const TrafficRegistration kTransposed{{"transpose", "", nullptr}};
const TrafficRegistration kSpaced{{"bit reverse", "", nullptr}};
const TrafficRegistration kWorkload{{"all_to_all", "", nullptr}};
const TrafficRegistration kFile{{"my.csv", "", nullptr}};
const TrafficRegistration kNoWay{{"no_way", "", nullptr}};
const ccl::CollectiveRegistration kCollective{{.name = "all_reduce", .description = ""}};
const ccl::NeighborKindRegistration kRing{{"ring", "", nullptr}};
const ccl::AlgorithmRegistration kAlgorithm{{"pairwise", "", "all_to_all", {"pairs"}}};

}  // namespace
