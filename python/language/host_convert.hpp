// SPDX-License-Identifier: Apache-2.0
// Conversions for the arguments and results of HostContext, besides those that kernels use.
#pragma once

#include <memory>
#include <string_view>

#include "model/ccl/tensor_parallel.hpp"
#include "python/language/convert.hpp"
#include "python/language/host_part.hpp"

namespace kernbench::python {

using model::ccl::ColumnParallelLinear;
using model::ccl::RowParallelLinear;
using model::runtime::HostData;
using model::runtime::Mark;
using model::runtime::Tensor;

using ColumnLayer = std::shared_ptr<ColumnParallelLinear>;
using RowLayer = std::shared_ptr<RowParallelLinear>;

/// A parameter that takes any object.
struct AnyObject {
  PyObject* object;
};

template <>
struct Convert<AnyObject> : NoDefault {
  static constexpr const char* kName = "Any";
  [[nodiscard]] static AnyObject from(PyObject* object, const Place& /*place*/) { return {object}; }
  [[nodiscard]] static AnyObject standard(std::string_view, const Place& place) { absent(place); }
};
/// A value of a Box; None is an empty one.
template <typename T>
struct ConvertBoxed : NoDefault {
  [[nodiscard]] static T from(PyObject* object, const Place& place) {
    if (object == Py_None) return {};
    const T* const value = Box<T>::in(object);
    if (value == nullptr) refuse(place, Convert<T>::kName, object);
    return *value;
  }
  [[nodiscard]] static T standard(std::string_view, const Place& place) { absent(place); }
};
template <>
struct Convert<Tensor> : ConvertBoxed<Tensor> {
  static constexpr const char* kName = "Optional[Tensor]";
};
template <>
struct Convert<Mark> : ConvertBoxed<Mark> {
  static constexpr const char* kName = "Optional[Mark]";
};
template <>
struct Convert<ColumnLayer> : ConvertBoxed<ColumnLayer> {
  static constexpr const char* kName = "ColumnLayer";
};
template <>
struct Convert<RowLayer> : ConvertBoxed<RowLayer> {
  static constexpr const char* kName = "RowLayer";
};
template <>
struct Convert<std::int64_t> {
  static constexpr const char* kName = "int";
};
template <>
struct Convert<std::string> {
  static constexpr const char* kName = "str";
};
template <>
struct Convert<Object> {
  static constexpr const char* kName = "Any";
};

[[nodiscard]] inline Object to_python(const Tensor& tensor) {
  return Box<Tensor>::make(tensor);
}
[[nodiscard]] inline Object to_python(const Mark& mark) {
  return Box<Mark>::make(mark);
}
[[nodiscard]] inline Object to_python(const ColumnLayer& layer) {
  return Box<ColumnLayer>::make(layer);
}
[[nodiscard]] inline Object to_python(const RowLayer& layer) {
  return Box<RowLayer>::make(layer);
}

/// Returns the context of a bench that runs. Throws Raised when its run has ended.
template <>
HostPart& self_of<HostPart>(PyObject* self);

/// Returns true if the run computes numbers.
[[nodiscard]] bool computes(model::runtime::Context& kb);
/// Returns the numbers of an array, or of a function that returns one. It is called at once, and
/// only if the run computes numbers.
[[nodiscard]] HostData data_of(model::runtime::Context& kb, PyObject* values, DataType type);

/// Calls `function` with a HostContext.
void call_with(PyObject* function, HostPart& part);

/// Returns the methods of HostContext for process groups and the layers on them.
[[nodiscard]] std::vector<PyMethodDef> rank_methods();

}  // namespace kernbench::python
