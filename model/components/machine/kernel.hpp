#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "model/components/machine/message.hpp"
#include "model/engine/process.hpp"
#include "model/memory/pe_allocator.hpp"

namespace kernbench::model::components {

class PeCpu;

/// What a kernel that runs on a PE knows of it.
struct KernelContext {
  memory::PeLocation pe;
  PeCpu& cpu;  ///< takes its commands
  const std::shared_ptr<const void>& arguments;
};

/// A kernel: a process for each PE that it is launched on. The context lives until it ends.
using Kernel = std::function<engine::Process(const KernelContext&)>;

/// Kernels by name.
class KernelTable {
 public:
  /// Throws std::invalid_argument when the name is taken.
  void add(std::string name, Kernel kernel);
  /// Throws std::invalid_argument, listing the names there are, for an unknown one.
  [[nodiscard]] const Kernel& find(std::string_view name) const;

 private:
  std::map<std::string, Kernel, std::less<>> kernels_;
};

}  // namespace kernbench::model::components
