// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/described.hpp"
#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// The size of a fabric in the files of regressions.
struct FabricSize {
  unsigned nx = 8;
  unsigned ny = 8;
  unsigned flit_bits = 8;
};

[[nodiscard]] inline FabricSize size_of(const maze::Shape& shape) {
  return {shape.nx, shape.ny, shape.flit_w};
}
[[nodiscard]] inline maze::Shape shape_of(const FabricSize& size) {
  return {size.nx, size.ny, size.flit_bits};
}

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::FabricSize>&
kernbench::common::description_of();
