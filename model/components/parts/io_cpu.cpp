#include "model/components/parts/io_cpu.hpp"

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

topology::NodeId IoCpu::next_for(const HostCommand& /*command*/,
                                 const memory::PeLocation& target) const {
  return machine().resolver().find_m_cpu(target.sip, target.cube);
}

}  // namespace kernbench::model::components
