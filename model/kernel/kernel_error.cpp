// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/kernel_error.hpp"

#include <fmt/format.h>

namespace kernbench::model::kernel {

KernelError::KernelError(std::string_view op, const data::SourceLine& line, std::string_view what)
    : std::runtime_error(fmt::format("tl.{} at {}:{}: {}", op, line.file, line.line, what)) {}

}  // namespace kernbench::model::kernel
