// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/data/data_type.hpp"
#include "model/data/op_log.hpp"

namespace kernbench::model::kernel {

/// Throws KernelError for an operand of an integer operation that is not an i32 value. The replay
/// would also reject it, but without naming the kernel.
void check_integer(const char* op, const data::SourceLine& line, double number,
                   data::DataType type);
inline void check_number(const char* op, const data::SourceLine& line, double number,
                         data::DataType type) {
  if (!is_floating(type)) check_integer(op, line, number, type);
}

}  // namespace kernbench::model::kernel
