// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/activity.hpp"

#include <fmt/format.h>

namespace kernbench::model::kernel {

std::string Activity::kernel() const {
  const char* const name = kernel_.load(kOrder);
  return name == nullptr ? std::string() : std::string(name);
}

std::string Activity::last_operation() const {
  const char* const op = op_.load(kOrder);
  if (op == nullptr) return {};
  return fmt::format("tl.{} at {}:{}", op, file_.load(kOrder), line_.load(kOrder));
}

}  // namespace kernbench::model::kernel
