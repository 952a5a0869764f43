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
  std::vector<model::fabric::PacketTimeline> fabrics;
  const auto add = [&](const auto& traces) {
    for (std::size_t sip = 0; sip < traces.size(); ++sip) {
      fabrics.push_back({traces.size() > 1 ? fmt::format("{} SIP {} ", name, sip) : name + " ",
                         traces[sip].get(), clock, window});
    }
  };
  add(run.clocked->traces);
  add(run.clocked->flit_traces);
  for (const FabricRun& between : run.between_sips) {
    const model::fabric::FabricClock its_clock(period_of(*between_sips_of(graph.spec())));
    for (const auto& trace : between.clocked->flit_traces) {
      fabrics.push_back({name + " between SIPs ", trace.get(), its_clock, window});
    }
  }
  model::fabric::write_packet_timelines(hops, fabrics, out);
}

}  // namespace kernbench::cosim
