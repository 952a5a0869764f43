// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maze/link_frame.hpp"
#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// The links of a MAZE Topo, stepped one cycle at a time (DESIGN section 6). They start empty and
/// out of reset. A cycle with no packet inside and none offered has no visible effect and may be
/// skipped.
class LinkArray {
 public:
  LinkArray() = default;
  LinkArray(const LinkArray&) = delete;
  LinkArray& operator=(const LinkArray&) = delete;
  virtual ~LinkArray() = default;

  [[nodiscard]] virtual const maze::Shape& shape() const = 0;

  /// Runs one cycle: sets `outputs` to the values that the links drive in response to `inputs`,
  /// then applies the rising edge `edge`. Inputs and outputs have shape() and are the same objects
  /// in every call. May throw FabricFailure.
  virtual void step(Edge edge, const maze::TopoInputs& inputs, maze::TopoOutputs& outputs) = 0;
};

}  // namespace kernbench::model::fabric
