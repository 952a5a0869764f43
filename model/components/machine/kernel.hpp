// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/engine/process.hpp"
#include "model/memory/pe_allocator.hpp"

namespace kernbench::model::components {

class PeCpu;

/// The PE that runs a kernel.
struct KernelContext {
  memory::PeLocation pe;
  PeCpu& cpu;                   ///< executor of the kernel's commands
  std::uint32_t arguments = 0;  ///< number of the launch's argument block
};

/// Returns the process that runs a kernel on one PE. The context lives until the process ends.
using Kernel = std::function<engine::Process(const KernelContext&)>;

/// The kernels that the PEs of a machine know, by name. They do not change while one runs.
class KERNBENCH_API KernelTable {
 public:
  /// Adds a kernel, or does nothing if the name is known.
  void define(std::string_view name, Kernel kernel);
  /// Returns the kernel with this name, or null.
  [[nodiscard]] const Kernel* find(std::string_view name) const;
  /// Returns why a kernel is not found, with the names that are known.
  [[nodiscard]] std::string refusal(std::string_view name) const;

 private:
  std::map<std::string, Kernel, std::less<>> kernels_;
};

}  // namespace kernbench::model::components
