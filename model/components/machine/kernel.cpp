// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/kernel.hpp"

#include <fmt/format.h>

#include "common/text_distance.hpp"

namespace kernbench::model::components {

void KernelTable::define(std::string_view name, Kernel kernel) {
  if (find(name) == nullptr) kernels_.emplace(name, std::move(kernel));
}

const Kernel* KernelTable::find(std::string_view name) const {
  const auto known = kernels_.find(name);
  return known == kernels_.end() ? nullptr : &known->second;
}

std::string KernelTable::refusal(std::string_view name) const {
  std::vector<std::string_view> names;
  names.reserve(kernels_.size());
  for (const auto& [known, kernel] : kernels_) names.emplace_back(known);
  if (names.empty()) return fmt::format("unknown kernel '{}': there is none", name);
  return common::unknown_name("kernel", name, names);
}

}  // namespace kernbench::model::components
