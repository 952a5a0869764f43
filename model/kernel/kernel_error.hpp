// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "common/api.hpp"
#include "model/data/op_log.hpp"

namespace kernbench::model::kernel {

/// An invalid operation of a kernel: "tl.dot at gemm.cpp:31: cannot multiply 4 x 8 of f32 by ...".
class KERNBENCH_API KernelError : public std::runtime_error {
 public:
  KernelError(std::string_view op, const data::SourceLine& line, std::string_view what);
};

}  // namespace kernbench::model::kernel
