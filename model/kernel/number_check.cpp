// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/number_check.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "model/data/numbers.hpp"
#include "model/kernel/kernel_error.hpp"

namespace kernbench::model::kernel {

void check_integer(const char* op, const data::SourceLine& line, double number,
                   data::DataType type) {
  try {
    (void)data::number_as<std::int32_t>(number);
  } catch (const std::invalid_argument& error) {
    throw KernelError(
        op, line,
        fmt::format("an operation on {} computes in i32: {}", name_of(type), error.what()));
  }
}

}  // namespace kernbench::model::kernel
