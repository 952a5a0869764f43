#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "model/data/op_log.hpp"

namespace kernbench::model::kernel {

/// An operation that a kernel must not ask for: "tl.dot at gemm.cpp:31: 4 x 8 times 4 x 8 ...".
class KernelError : public std::runtime_error {
 public:
  KernelError(std::string_view op, const data::SourceLine& line, std::string_view what);
};

}  // namespace kernbench::model::kernel
