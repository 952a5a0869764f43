#include "model/components/parts/pe_math.hpp"

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

void PeMath::accept(TileToken& token) {
  const TileStage& stage = token.at();
  compute(token, stage.op ? name_of(*stage.op) : "math", stage.elements,
          machine().spec().pe.pe_math_elements_per_cycle);
}

}  // namespace kernbench::model::components
