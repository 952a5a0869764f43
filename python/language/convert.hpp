// SPDX-License-Identifier: Apache-2.0
// Values between Python and C++: numbers, names, tiles and tensors.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/ccl/cost.hpp"
#include "model/data/array.hpp"
#include "model/kernel/operations.hpp"
#include "model/runtime/device_tensor.hpp"
#include "python/language/object.hpp"

namespace kernbench::python {

using model::data::Array;
using model::data::Axis;
using model::data::DataType;
using model::kernel::AnyPending;
using model::kernel::CompositeOptions;
using model::kernel::CompositeResult;
using model::kernel::GemmOperand;
using model::kernel::Located;
using model::kernel::MathOp;
using model::kernel::Pending;
using model::kernel::PendingTile;
using model::kernel::TensorRef;
using model::kernel::Tile;
using model::kernel::Tl;
using model::runtime::Rectangle;
using model::runtime::TensorView;

/// A parameter, for messages.
struct Place {
  const std::string* function;
  std::string_view parameter;
};

/// Raises TypeError: "load: source is a Tile, not a TensorRef".
[[noreturn]] void refuse(const Place& place, std::string_view wanted, PyObject* given);
/// Raises ValueError: "load: source is ...".
[[noreturn]] void refuse_value(const Place& place, const std::string& what);

/// Returns the value of an object for a parameter of type T. `kName` is the type in stubs.
template <typename T>
struct Convert;

template <typename T>
struct Convert<const T&> : Convert<T> {};

[[nodiscard]] std::uint64_t whole_number(PyObject* object, const Place& place, std::uint64_t most);

template <std::unsigned_integral T>
struct Convert<T> {
  static constexpr const char* kName = "int";
  [[nodiscard]] static T from(PyObject* object, const Place& place) {
    return static_cast<T>(whole_number(object, place, std::numeric_limits<T>::max()));
  }
  [[nodiscard]] static T standard(std::string_view text, const Place& /*place*/) {
    T value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

template <>
struct Convert<double> {
  static constexpr const char* kName = "float";
  [[nodiscard]] static double from(PyObject* object, const Place& place);
  [[nodiscard]] static double standard(std::string_view text, const Place& /*place*/) {
    return std::stod(std::string(text));
  }
};

/// A type whose values have no default.
struct NoDefault {
  [[noreturn]] static void absent(const Place& place);
};

#define KERNBENCH_PYTHON_TYPE(T, R, name)                                   \
  template <>                                                               \
  struct Convert<T> {                                                       \
    static constexpr const char* kName = name;                              \
    [[nodiscard]] static R from(PyObject* object, const Place& place);      \
    [[nodiscard]] static R standard(std::string_view, const Place& place) { \
      NoDefault::absent(place);                                             \
    }                                                                       \
  }
KERNBENCH_PYTHON_TYPE(std::string_view, std::string_view, "str");
KERNBENCH_PYTHON_TYPE(DataType, DataType, "str");
KERNBENCH_PYTHON_TYPE(Axis, Axis, "str");
KERNBENCH_PYTHON_TYPE(MathOp, MathOp, "str");
KERNBENCH_PYTHON_TYPE(TensorRef, const TensorRef&, "TensorRef");
KERNBENCH_PYTHON_TYPE(Tile, const Tile&, "Tile");
KERNBENCH_PYTHON_TYPE(Located, Located, "Union[Tile, float]");
KERNBENCH_PYTHON_TYPE(GemmOperand, GemmOperand, "Union[TensorRef, Tile]");
KERNBENCH_PYTHON_TYPE(CompositeResult, CompositeResult, "Union[TensorRef, str]");
KERNBENCH_PYTHON_TYPE(AnyPending, AnyPending, "Union[Pending, PendingTile]");
KERNBENCH_PYTHON_TYPE(TensorView, const TensorView&, "TensorView");
KERNBENCH_PYTHON_TYPE(Tl, Tl&, "Tl");
KERNBENCH_PYTHON_TYPE(Rectangle, Rectangle, "tuple[int, int, int, int]");
#undef KERNBENCH_PYTHON_TYPE

template <>
struct Convert<Tl&> : Convert<Tl> {};
template <>
struct Convert<const Tl&> : Convert<Tl> {};

template <typename T>
struct Convert<std::optional<T>> {
  using Value = T;
  [[nodiscard]] static std::optional<T> from(PyObject* object, const Place& place) {
    if (object == Py_None) return std::nullopt;
    return Convert<T>::from(object, place);
  }
  [[nodiscard]] static std::optional<T> standard(std::string_view /*text*/,
                                                 const Place& /*place*/) {
    return std::nullopt;
  }
};

/// Returns a step of an epilogue: the name of an operation, or a tuple of the name and its operand.
[[nodiscard]] model::kernel::Epilogue step_of(PyObject* object, const Place& place);

/// Returns the options of a composite. Throws Raised for an unknown name.
[[nodiscard]] CompositeOptions options_of(
    const std::string& function, const std::vector<std::pair<std::string, PyObject*>>& given);

template <typename M>
struct MemberTraits;
template <typename V, typename S>
struct MemberTraits<V S::*> {
  using Self = S;
};
template <typename R, typename S>
struct MemberTraits<R (S::*)() const> {
  using Self = S;
};

/// Returns the value that `self`, an object of a type of this module, holds.
template <typename T>
T& self_of(PyObject* self) {
  return reinterpret_cast<Box<T>*>(self)->value;
}
/// Returns the Tl of a kernel that runs. Throws Raised when it has ended.
template <>
Tl& self_of<Tl>(PyObject* self);

[[nodiscard]] inline Object to_python(Object object) {
  return object;
}
[[nodiscard]] inline Object to_python(bool value) {
  return Object::shared(value ? Py_True : Py_False);
}
template <std::unsigned_integral T>
[[nodiscard]] Object to_python(T value) {
  return Object::taken(PyLong_FromUnsignedLongLong(value));
}
[[nodiscard]] inline Object to_python(std::int64_t value) {
  return Object::taken(PyLong_FromLongLong(value));
}
[[nodiscard]] inline Object to_python(double value) {
  return Object::taken(PyFloat_FromDouble(value));
}
[[nodiscard]] inline Object to_python(std::string_view value) {
  return text(value);
}
[[nodiscard]] inline Object to_python(const std::string& value) {
  return text(value);
}
[[nodiscard]] inline Object to_python(DataType type) {
  return text(name_of(type));
}
[[nodiscard]] inline Object to_python(const Tile& tile) {
  return Box<Tile>::make(tile);
}
[[nodiscard]] inline Object to_python(const TensorRef& ref) {
  return Box<TensorRef>::make(ref);
}
[[nodiscard]] inline Object to_python(const TensorView& view) {
  return Box<TensorView>::make(view);
}
[[nodiscard]] inline Object to_python(const model::ccl::Cost& cost) {
  return Box<model::ccl::Cost>::make(cost);
}
[[nodiscard]] inline Object to_python(const Pending& pending) {
  return Box<Pending>::make(pending);
}
[[nodiscard]] inline Object to_python(const PendingTile& pending) {
  return Box<PendingTile>::make(pending);
}
[[nodiscard]] inline Object to_python(const AnyPending& pending) {
  return std::visit([](const auto& one) { return to_python(one); }, pending);
}
[[nodiscard]] Object to_python(const Rectangle& part);
[[nodiscard]] Object to_python(const std::vector<model::runtime::TensorPiece>& pieces);
/// Returns an array of NumPy.
[[nodiscard]] Object to_python(const Array& array);
template <typename T>
[[nodiscard]] Object to_python(const std::optional<T>& value) {
  return value ? to_python(*value) : Object::shared(Py_None);
}

/// Returns the name of the type of a parameter in stubs.
template <typename T>
[[nodiscard]] std::string parameter_name() {
  if constexpr (requires { typename Convert<T>::Value; }) {
    return fmt::format("Optional[{}]", Convert<typename Convert<T>::Value>::kName);
  } else {
    return Convert<T>::kName;
  }
}

/// Returns the name of the type of a result in stubs.
template <typename T>
[[nodiscard]] std::string result_name() {
  using Value = std::remove_cvref_t<T>;
  if constexpr (std::is_void_v<T>) {
    return "None";
  } else if constexpr (std::is_same_v<Value, std::optional<Tile>>) {
    return "Optional[Tile]";
  } else if constexpr (std::is_same_v<Value, Array>) {
    return "_Array";
  } else if constexpr (std::is_same_v<Value, Pending>) {
    return "Pending";
  } else if constexpr (std::is_same_v<Value, PendingTile>) {
    return "PendingTile";
  } else if constexpr (std::is_same_v<Value, std::vector<model::runtime::TensorPiece>>) {
    return "list[tuple[TensorRef, tuple[int, int, int, int]]]";
  } else if constexpr (std::is_same_v<Value, bool>) {
    return "bool";
  } else {
    return Convert<Value>::kName;
  }
}

/// Returns a matrix of what NumPy makes an array of.
[[nodiscard]] Array array_of(PyObject* values, DataType type);

}  // namespace kernbench::python
