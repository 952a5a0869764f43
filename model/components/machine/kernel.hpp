// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "model/engine/process.hpp"
#include "model/memory/pe_allocator.hpp"

namespace kernbench::model::components {

class PeCpu;

/// The PE that runs a kernel.
struct KernelContext {
  memory::PeLocation pe;
  PeCpu& cpu;  ///< executor of the kernel's commands
};

/// Returns the process that runs a kernel on one PE. The context and the Kernel itself live until
/// the process ends.
using Kernel = std::function<engine::Process(const KernelContext&)>;

}  // namespace kernbench::model::components
