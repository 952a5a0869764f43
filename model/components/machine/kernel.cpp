#include "model/components/machine/kernel.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace kernbench::model::components {

// NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved
void KernelTable::add(std::string name, Kernel kernel) {
  const auto [place, added] = kernels_.try_emplace(std::move(name), std::move(kernel));
  if (!added) throw std::invalid_argument(fmt::format("there is a kernel '{}'", place->first));
}

const Kernel& KernelTable::find(std::string_view name) const {
  const auto found = kernels_.find(name);
  if (found != kernels_.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, kernel] : kernels_) names.push_back(known);
  throw std::invalid_argument(
      names.empty()
          ? fmt::format("there is no kernel '{}', nor any other", name)
          : fmt::format("there is no kernel '{}'; there is {}", name, fmt::join(names, ", ")));
}

}  // namespace kernbench::model::components
