#pragma once

#include "model/data/data_type.hpp"
#include "model/data/op_log.hpp"

namespace kernbench::model::kernel {

/// Throws KernelError for a number that an operation on `type` cannot compute with: one that is no
/// i32, among integers. The second pass would refuse it, without the kernel.
void check_number(const char* op, const data::SourceLine& line, double number, data::DataType type);

}  // namespace kernbench::model::kernel
