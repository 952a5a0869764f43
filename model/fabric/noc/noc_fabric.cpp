// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/noc/noc_fabric.hpp"

#include <utility>

namespace kernbench::model::fabric {

std::unique_ptr<ClockedFabric> make_cycle_noc(engine::Simulation& simulation,
                                              std::shared_ptr<const NocBase> base,
                                              common::SimTime period,
                                              const NocUserSettings& settings) {
  auto network = std::make_unique<ReferenceFlits>(base->network());
  return std::make_unique<ClockedFabric>(
      simulation, period,
      std::make_unique<NocTransfers>(std::move(base), std::move(network), settings));
}

std::unique_ptr<AnalyticFabric> make_analytic_noc(
    engine::Simulation& simulation, topology::zoo::TopologyPtr topology,
    std::shared_ptr<const topology::zoo::RoutingRelation> relation, const NocSettings& settings,
    common::SimTime period) {
  AnalyticSettings of_links{.period = period,
                            .packet_bits = settings.flit_bits,
                            .staged_nodes = true,
                            .source_stages = 1 + settings.stages};
  for (const topology::zoo::Channel& channel : topology->channels()) {
    of_links.link_stages.push_back(1 + channel.stages_or(settings.stages));
  }
  return std::make_unique<AnalyticFabric>(simulation, std::move(topology), std::move(relation),
                                          std::move(of_links));
}

common::Grade analytic_noc_grade() {
  return common::Grade::estimate(
      "packets wait in queues without bounds, which no test compares with routers under load");
}

}  // namespace kernbench::model::fabric
