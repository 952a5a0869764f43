// SPDX-License-Identifier: Apache-2.0
// A plugin that throws an exception while it is loaded.
#include <kernbench/plugin.hpp>
#include <stdexcept>

KERNBENCH_PLUGIN("throwing", "1.0");

namespace {

struct Throwing {
  Throwing() { throw std::runtime_error("no licence"); }
};
const Throwing kThrowing;

}  // namespace
