// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/timeline.hpp"

#include <fmt/format.h>

#include <vector>

#include "model/fabric/seam/fabric_clock.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cosim {

void write_timeline(const WorkloadResult& result, const topology::TopologyGraph& graph,
                    const model::fabric::TimeWindow& window, std::ostream& out) {
  const FabricRun& run = *result.run(FabricKind::Cycle);
  const std::string& name = result.workload.name;
  model::trace::HopTrace shown;
  std::vector<model::trace::Timeline> hops;
  if (run.machine && run.machine->hops != nullptr) {
    for (const model::trace::HopRecord& hop : run.machine->hops->records()) {
      if (window.shows(hop.arrive, hop.depart)) shown.add(hop);
    }
    hops.push_back({name + " machine", &graph, &shown});
  }
  const model::fabric::FabricClock clock(period_of(graph.spec().sip));
  std::vector<model::fabric::PacketTimeline> mazes;
  const auto& traces = run.clocked->traces;
  for (std::size_t sip = 0; sip < traces.size(); ++sip) {
    mazes.push_back({traces.size() > 1 ? fmt::format("{} SIP {} ", name, sip) : name + " ",
                     traces[sip].get(), clock, window});
  }
  model::fabric::write_packet_timelines(hops, mazes, out);
}

}  // namespace kernbench::cosim
