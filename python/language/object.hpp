// SPDX-License-Identifier: Apache-2.0
// References to objects of Python, by the calls of CPython: an operation that switches to another
// fiber cannot be below a function of pybind11, whose records are those of a thread.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <fmt/format.h>

#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace kernbench::python {

/// Thrown where an exception of Python is set.
struct Raised {};

/// Sets an exception of Python and throws Raised.
[[noreturn]] void raise(PyObject* type, const std::string& message);

/// A reference to an object, or null. The thread must hold the GIL.
class Object {
 public:
  Object() = default;
  /// Takes a new reference, which a call of CPython returned. Throws Raised for null.
  [[nodiscard]] static Object taken(PyObject* reference) {
    if (reference == nullptr) throw Raised();
    return Object(reference);
  }
  /// Shares a borrowed reference.
  [[nodiscard]] static Object shared(PyObject* borrowed) { return Object(Py_XNewRef(borrowed)); }

  Object(const Object& other) : object_(Py_XNewRef(other.object_)) {}
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() { Py_XDECREF(object_); }

  [[nodiscard]] PyObject* get() const { return object_; }
  [[nodiscard]] explicit operator bool() const { return object_ != nullptr; }
  [[nodiscard]] PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  explicit Object(PyObject* owned) : object_(owned) {}
  PyObject* object_ = nullptr;
};

/// Returns a text of Python as UTF-8. Throws Raised for another object.
[[nodiscard]] std::string text_of(PyObject* object);
/// Returns str(object), or a note that it failed.
[[nodiscard]] std::string shown(PyObject* object);
[[nodiscard]] Object text(std::string_view utf8);
/// Returns an attribute of a module of the package: ("_arrays", "to_numpy").
[[nodiscard]] Object of_package(const char* module, const char* name);

/// An object of Python that holds a value of C++.
template <typename T>
struct Box {
  PyObject ob_base;  // PyObject_HEAD
  T value;

  static inline PyTypeObject* type = nullptr;  ///< created by add_type()

  [[nodiscard]] static Object make(T value) {
    auto object = Object::taken(type->tp_alloc(type, 0));
    new (&reinterpret_cast<Box*>(object.get())->value) T(std::move(value));
    return object;
  }
  /// Returns the value of an object of this type, or null.
  [[nodiscard]] static T* in(PyObject* object) {
    if (!PyObject_TypeCheck(object, type)) return nullptr;
    return &reinterpret_cast<Box*>(object)->value;
  }
  static void destroy(PyObject* object) {
    reinterpret_cast<Box*>(object)->value.~T();
    PyTypeObject* const its_type = Py_TYPE(object);
    its_type->tp_free(object);
    Py_DECREF(its_type);
  }
};

}  // namespace kernbench::python
