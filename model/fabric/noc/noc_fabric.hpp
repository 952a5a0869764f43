// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "common/grade.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/noc/noc_base.hpp"
#include "model/fabric/noc/noc_transfers.hpp"

namespace kernbench::model::fabric {

/// Creates the fabric of a network of NOC_ROUTERs, by its cycle-accurate reference. Its nodes are
/// those of the topology, and its packets are flits. `simulation` must outlive it.
[[nodiscard]] std::unique_ptr<ClockedFabric> make_cycle_noc(engine::Simulation& simulation,
                                                            std::shared_ptr<const NocBase> base,
                                                            common::SimTime period,
                                                            const NocUserSettings& settings = {});

/// Creates the estimate of the same fabric, whose nodes are also more than simulated routers can
/// be. A transfer that meets no other takes exactly as long, if a virtual channel holds a credit
/// loop (4 + 2 * stages flits); queues have no bounds. Reads `stages` and `flit_bits` of the
/// settings only.
[[nodiscard]] std::unique_ptr<AnalyticFabric> make_analytic_noc(
    engine::Simulation& simulation, topology::zoo::TopologyPtr topology,
    std::shared_ptr<const topology::zoo::RoutingRelation> relation, const NocSettings& settings,
    common::SimTime period);

/// Returns the grade of the times of such an estimate.
[[nodiscard]] common::Grade analytic_noc_grade();

}  // namespace kernbench::model::fabric
