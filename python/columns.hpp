// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

namespace kernbench::python {

namespace py = pybind11;

/// Returns the values of a field of all items as a NumPy array.
template <typename T, typename Items, typename Get>
py::array_t<T> column(const Items& items, Get get) {
  py::array_t<T> values(static_cast<py::ssize_t>(items.size()));
  T* out = values.mutable_data();
  for (const auto& item : items) *out++ = static_cast<T>(get(item));
  return values;
}

template <typename Items, typename Get>
py::list text_column(const Items& items, Get get) {
  py::list values;
  for (const auto& item : items) values.append(std::string(get(item)));
  return values;
}

}  // namespace kernbench::python
