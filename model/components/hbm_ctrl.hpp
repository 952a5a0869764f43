#pragma once

#include <cstdint>
#include <vector>

#include "common/units.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

/// The pseudo channels of a PE's HBM slice (Architecture, "hbm_ctrl"; DESIGN section 5). A flit is
/// served by channel (address / flit_bytes) mod C, first come first served, in
/// ceil(bytes * C / slice bandwidth), so that a long access sees the bandwidth of the whole slice.
class HbmCtrl {
 public:
  explicit HbmCtrl(const topology::TopologySpec& spec);

  /// When a flit at `address` (bytes within the slice) that is ready at `ready` has been served.
  /// To be called in the order of readiness.
  common::SimTime serve(std::uint64_t address, std::uint32_t bytes, common::SimTime ready);

 private:
  std::uint32_t flit_bytes_;
  double slice_bw_gbs_;
  std::vector<common::SimTime> free_;  ///< by channel
};

}  // namespace kernbench::model::components
