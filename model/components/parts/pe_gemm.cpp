#include "model/components/parts/pe_gemm.hpp"

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

void PeGemm::accept(TileToken& token) {
  compute(token, "gemm", token.at().macs, machine().spec().pe.pe_gemm_macs_per_cycle);
}

}  // namespace kernbench::model::components
