// SPDX-License-Identifier: Apache-2.0
// A plugin whose collectives and algorithms lack parts.
#include <kernbench/collective.hpp>
#include <kernbench/plugin.hpp>

KERNBENCH_PLUGIN("incomplete", "1.0");

namespace {

using namespace kernbench::model::ccl;

void kernel(kernbench::model::kernel::Tl& /*tl*/, const CollectiveArgs& /*args*/) {}

const CollectiveRegistration kCollective{{.name = "nothing", .description = ""}};
const NeighborKindRegistration kNeighbors{{"nowhere", "", nullptr}};
const AlgorithmRegistration kIdle{{"idle", "", "noting", {}}};
const AlgorithmRegistration kLost{{"lost", "", "all_reduce", {"rings"}, nullptr, kernel}};

}  // namespace
