#pragma once

#include "model/components/machine/fan_out.hpp"

namespace kernbench::model::components {

/// The control processor of an IO chiplet (Architecture, "io_cpu"): hands the host's commands to
/// the M_CPU of each cube that a target names. It decodes no addresses, and memory traffic does not
/// come by.
class IoCpu : public FanOut {
 public:
  using FanOut::FanOut;

 protected:
  [[nodiscard]] topology::NodeId next_for(const HostCommand& command,
                                          const memory::PeLocation& target) const override;
};

}  // namespace kernbench::model::components
