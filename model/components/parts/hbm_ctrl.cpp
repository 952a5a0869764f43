#include "model/components/parts/hbm_ctrl.hpp"

#include "model/components/machine/machine.hpp"
#include "model/transport/wire_time.hpp"

namespace kernbench::model::components {

HbmCtrl::HbmCtrl(Machine& machine, topology::NodeId node)
    : MemoryComponent(machine, node),
      flit_bytes_(machine.spec().system.flit_bytes),
      slice_bw_gbs_(machine.spec().cube.memory_map.hbm_total_bw_gbs /
                    machine.spec().cube.memory_map.slices_per_cube),
      channels_(machine.spec().cube.memory_map.channels_per_slice) {}

Service HbmCtrl::serve(bool /*write*/, std::uint64_t address, std::uint32_t bytes,
                       common::SimTime ready, std::uint64_t transaction) {
  return channels_[address / flit_bytes_ % channels_.size()].serve(
      ready, transport::occupancy(bytes * channels_.size(), slice_bw_gbs_), transaction);
}

}  // namespace kernbench::model::components
