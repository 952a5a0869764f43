// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maze/topo_model.hpp"
#include "model/fabric/clocked/link_array.hpp"

namespace kernbench::model::fabric {

/// Links simulated by the cycle-accurate reference of TOPO.
class CycleLinks final : public LinkArray {
 public:
  /// Throws std::invalid_argument as TopoModel does.
  explicit CycleLinks(const maze::Shape& shape) : model_(shape) {}

  [[nodiscard]] const maze::Shape& shape() const override { return model_.shape(); }
  void step(Edge /*edge*/, const maze::TopoInputs& inputs, maze::TopoOutputs& outputs) override {
    model_.evaluate(inputs, outputs);
    model_.clock(inputs);
  }

 private:
  maze::TopoModel model_;
};

}  // namespace kernbench::model::fabric
