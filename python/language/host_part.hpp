// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "model/bench/registry.hpp"
#include "model/ccl/process_group.hpp"
#include "python/language/errors.hpp"

namespace kernbench::python {

/// Address space of the stacks of kernels and of host parts. Memory is taken as it is touched. That
/// of a kernel holds 1,000 calls of Python through C, after which Python raises RecursionError.
inline constexpr std::size_t kKernelStackBytes = std::size_t{4} << 20U;
inline constexpr std::size_t kHostStackBytes = std::size_t{8} << 20U;

/// The context of a bench, or of a rank of it.
struct HostPart {
  model::runtime::Context* kb = nullptr;
  model::ccl::Worker* worker = nullptr;               ///< null outside of spawn()
  std::shared_ptr<model::ccl::ProcessGroup> world{};  ///< null before init_process_group()
  std::exception_ptr* raised = nullptr;  ///< keeps the first exception of the host part, if set
};

/// Calls a kernel with a Tl and `arguments`, below a PythonThread.
void call_kernel(PyObject* function, model::kernel::Tl& tl, const std::vector<Object>& arguments);

/// Returns the code of a kernel: calls `function` with a Tl and `arguments`, a tuple.
[[nodiscard]] model::runtime::KernelBody kernel_body(Kept function, Kept arguments);

/// Calls `function`, the host part of a bench, with a HostContext. To be called on a fiber. Keeps
/// what it, or a rank of it, throws in `raised`, which must outlive the run.
void call_host_part(PyObject* function, model::runtime::Context& kb,
                    std::exception_ptr* raised = nullptr);

}  // namespace kernbench::python
