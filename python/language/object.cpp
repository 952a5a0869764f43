// SPDX-License-Identifier: Apache-2.0
#include "python/language/object.hpp"

namespace kernbench::python {

void raise(PyObject* type, const std::string& message) {
  PyErr_SetString(type, message.c_str());
  throw Raised();
}

std::string text_of(PyObject* object) {
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(object, &size);
  if (utf8 == nullptr) throw Raised();
  return {utf8, static_cast<std::size_t>(size)};
}

std::string shown(PyObject* object) {
  try {
    return text_of(Object::taken(PyObject_Str(object)).get());
  } catch (const Raised&) {
    PyErr_Clear();
    return "(str() of it failed)";
  }
}

Object text(std::string_view utf8) {
  return Object::taken(
      PyUnicode_FromStringAndSize(utf8.data(), static_cast<Py_ssize_t>(utf8.size())));
}

Object of_package(const char* module, const char* name) {
  const auto full = "kernbench." + std::string(module);
  const auto found = Object::taken(PyImport_ImportModule(full.c_str()));
  return Object::taken(PyObject_GetAttrString(found.get(), name));
}

}  // namespace kernbench::python
