#include "model/components/hbm_ctrl.hpp"

#include <algorithm>

#include "model/transport/wire_time.hpp"

namespace kernbench::model::components {

using common::SimTime;

HbmCtrl::HbmCtrl(const topology::TopologySpec& spec)
    : flit_bytes_(spec.system.flit_bytes),
      slice_bw_gbs_(spec.cube.memory_map.hbm_total_bw_gbs / spec.cube.memory_map.slices_per_cube),
      free_(spec.cube.memory_map.channels_per_slice) {}

SimTime HbmCtrl::serve(std::uint64_t address, std::uint32_t bytes, SimTime ready) {
  SimTime& free = free_[address / flit_bytes_ % free_.size()];
  free = std::max(free, ready) + transport::occupancy(bytes * free_.size(), slice_bw_gbs_);
  return free;
}

}  // namespace kernbench::model::components
