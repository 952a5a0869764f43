// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/api.hpp"
#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::runtime {

/// The code of a kernel, which runs once on each PE of a launch.
using KernelBody = std::function<void(kernel::Tl&)>;

/// A value for a parameter of a registered kernel.
using KernelArgument = std::variant<TensorView, std::uint64_t, double>;

/// A parameter of a registered kernel. The kinds are in the order of KernelArgument.
struct KernelParameter {
  enum class Kind : std::uint8_t { AnyTensor, WholeNumber, Number };
  std::string name;
  Kind kind = Kind::AnyTensor;
};

/// A kernel that a host launches by its name (Context::launch()): one of KernBench, of a plugin, or
/// of either launched from Python.
struct RegisteredKernel {
  std::string name;  ///< kebab-case
  std::string description;
  std::vector<KernelParameter> parameters;
  /// Returns the code with these arguments, which have the kinds of `parameters`.
  std::function<KernelBody(const std::vector<KernelArgument>& arguments)> bind;

  /// Returns "softmax(tensor x, tensor y, whole number rows_at_once)".
  [[nodiscard]] std::string signature() const;
};

/// Returns all registered kernels, sorted by name.
[[nodiscard]] const std::vector<RegisteredKernel>& kernels();

/// Returns the kernel with this name, or null.
[[nodiscard]] const RegisteredKernel* find_kernel(std::string_view name);

/// Returns arguments with the kinds of a kernel's parameters. A whole number is accepted for a
/// number. Throws std::invalid_argument for arguments of another number or kind, with the
/// signature.
[[nodiscard]] std::vector<KernelArgument> checked_arguments(const RegisteredKernel& kernel,
                                                            std::vector<KernelArgument> arguments);

/// Registers a kernel. Its parameters are those of a function, after the first one, and are
/// tensors (const TensorView&), whole numbers (std::uint64_t) or numbers (double):
///
///     void scale(Tl& tl, const TensorView& x, double factor);
///     const KernelRegistration kScale{"scale", "x = factor x", {"x", "factor"}, scale};
class KERNBENCH_API KernelRegistration {
 public:
  /// Refuses a name that is already registered or not in kebab-case.
  explicit KernelRegistration(RegisteredKernel kernel);

  template <typename... Parameters>
  KernelRegistration(std::string name, std::string description,
                     std::array<const char*, sizeof...(Parameters)> parameters,
                     void (*function)(kernel::Tl& tl, Parameters...))
      : KernelRegistration(RegisteredKernel{
            std::move(name), std::move(description),
            described<Parameters...>(parameters, std::index_sequence_for<Parameters...>()),
            [function](const std::vector<KernelArgument>& arguments) {
              return body(function, arguments, std::index_sequence_for<Parameters...>());
            }}) {}

 private:
  template <typename Parameter>
  static constexpr KernelParameter::Kind kind_of() {
    using Value = std::remove_cvref_t<Parameter>;
    if constexpr (std::is_same_v<Value, TensorView>) return KernelParameter::Kind::AnyTensor;
    if constexpr (std::is_same_v<Value, double>) return KernelParameter::Kind::Number;
    static_assert(std::is_same_v<Value, TensorView> || std::is_same_v<Value, double> ||
                      std::is_same_v<Value, std::uint64_t>,
                  "a parameter of a kernel is a TensorView, a std::uint64_t or a double");
    return KernelParameter::Kind::WholeNumber;
  }

  template <typename... Parameters, std::size_t... i>
  static std::vector<KernelParameter> described(
      const std::array<const char*, sizeof...(Parameters)>& names,
      std::index_sequence<i...> /*indices*/) {
    return {KernelParameter{names[i], kind_of<Parameters>()}...};
  }

  template <typename... Parameters, std::size_t... i>
  static KernelBody body(void (*function)(kernel::Tl& tl, Parameters...),
                         const std::vector<KernelArgument>& arguments,
                         std::index_sequence<i...> /*indices*/) {
    return [function, arguments](kernel::Tl& tl) {
      function(tl, std::get<std::remove_cvref_t<Parameters>>(arguments[i])...);
    };
  }
};

}  // namespace kernbench::model::runtime
