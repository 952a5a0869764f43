#pragma once

#include "maze/link_frame.hpp"
#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// The links of a MAZE Topo, one cycle at a time (DESIGN section 6). It starts out of reset and
/// empty. While no packet is inside and none is offered, a cycle changes nothing that can be seen
/// at its ports, so that such cycles may be left out.
class LinkArray {
 public:
  LinkArray() = default;
  LinkArray(const LinkArray&) = delete;
  LinkArray& operator=(const LinkArray&) = delete;
  virtual ~LinkArray() = default;

  [[nodiscard]] virtual const maze::Shape& shape() const = 0;

  /// One cycle: what the links drive while `inputs` are at their pins, then the rising edge `edge`.
  /// Inputs and outputs have this shape and are the same objects in every call. May throw
  /// FabricFailure.
  virtual void step(Edge edge, const maze::TopoInputs& inputs, maze::TopoOutputs& outputs) = 0;
};

}  // namespace kernbench::model::fabric
