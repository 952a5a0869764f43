// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/shape_form.hpp"

#include "common/description.hpp"

namespace kernbench::common {

using maze::Shape;

template <>
const Description<Shape>& description_of() {
  static const auto kAll = Description<Shape>()
                               .add("nx", &Shape::nx, "columns of nodes")
                               .at_least(2)
                               .at_most(16)
                               .add("ny", &Shape::ny, "rows of nodes")
                               .at_least(2)
                               .at_most(16)
                               .add("flit_w", &Shape::flit_w, "data bits")
                               .at_least(1)
                               .at_most(32);
  return kAll;
}

}  // namespace kernbench::common
