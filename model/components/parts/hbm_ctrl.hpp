#pragma once

#include <cstdint>
#include <vector>

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

/// The pseudo channels of a PE's HBM slice (Architecture, "hbm_ctrl"; DESIGN section 5). A flit is
/// served by channel (address / flit_bytes) mod C, first come first served, in
/// ceil(bytes * C / slice bandwidth), so that a long access sees the bandwidth of the whole slice.
/// Reads and writes share the channels.
class HbmCtrl : public MemoryComponent {
 public:
  HbmCtrl(Machine& machine, topology::NodeId node);

  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, common::SimTime ready,
                std::uint64_t transaction) override;

 private:
  std::uint32_t flit_bytes_;
  double slice_bw_gbs_;
  std::vector<ServiceChannel> channels_;
};

}  // namespace kernbench::model::components
