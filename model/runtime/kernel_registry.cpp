// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/kernel_registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "common/place_by_name.hpp"

namespace kernbench::model::runtime {
namespace {

using Kind = KernelParameter::Kind;

constexpr std::array<std::string_view, 3> kKindNames = {"tensor", "whole number", "number"};

/// Filled before main() and by plugins.
std::vector<RegisteredKernel>& registered_kernels() {
  static std::vector<RegisteredKernel> all;
  return all;
}

std::string_view kind_name(Kind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string RegisteredKernel::signature() const {
  std::vector<std::string> texts;
  for (const KernelParameter& parameter : parameters) {
    texts.push_back(fmt::format("{} {}", kind_name(parameter.kind), parameter.name));
  }
  return fmt::format("{}({})", name, fmt::join(texts, ", "));
}

const std::vector<RegisteredKernel>& kernels() {
  return registered_kernels();
}

KernelRegistration::KernelRegistration(RegisteredKernel kernel) {
  const auto place = common::place_by_name(registered_kernels(), kernel.name, "kernel");
  if (place) registered_kernels().insert(*place, std::move(kernel));
}

const RegisteredKernel* find_kernel(std::string_view name) {
  const std::vector<RegisteredKernel>& all = kernels();
  const auto kernel =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return kernel == all.end() ? nullptr : &*kernel;
}

std::vector<KernelArgument> checked_arguments(const RegisteredKernel& kernel,
                                              std::vector<KernelArgument> arguments) {
  const std::vector<KernelParameter>& parameters = kernel.parameters;
  if (arguments.size() != parameters.size()) {
    throw std::invalid_argument(fmt::format("kernel {} has {} arguments, not {}",
                                            kernel.signature(), parameters.size(),
                                            arguments.size()));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Kind given{static_cast<std::uint8_t>(arguments[i].index())};
    if (given == parameters[i].kind) continue;
    const auto* const whole = std::get_if<std::uint64_t>(&arguments[i]);
    if (whole == nullptr || parameters[i].kind != Kind::Number) {
      throw std::invalid_argument(fmt::format("kernel {}: argument {} is a {}, not a {}",
                                              kernel.signature(), i + 1, kind_name(given),
                                              kind_name(parameters[i].kind)));
    }
    arguments[i] = static_cast<double>(*whole);
  }
  return arguments;
}

}  // namespace kernbench::model::runtime
