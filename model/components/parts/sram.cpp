#include "model/components/parts/sram.hpp"

#include "model/components/machine/machine.hpp"
#include "model/transport/wire_time.hpp"

namespace kernbench::model::components {

Service Sram::serve(bool /*write*/, std::uint64_t /*address*/, std::uint32_t bytes,
                    common::SimTime ready, std::uint64_t transaction) {
  return port_.serve(ready, transport::occupancy(bytes, machine().spec().cube.sram_bw_gbs),
                     transaction);
}

}  // namespace kernbench::model::components
