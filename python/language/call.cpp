// SPDX-License-Identifier: Apache-2.0
#include "python/language/call.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace kernbench::python {

std::string_view Signature::parameter(std::size_t i) const {
  const std::string_view text = parameters[i];
  return text.substr(0, text.find('='));
}

std::optional<std::string_view> Signature::default_of(std::size_t i) const {
  const std::string_view text = parameters[i];
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + 1);
}

std::string text_signature(const Signature& signature, bool has_options) {
  return fmt::format(
      "{}($self{}{}{})\n--\n\n{}", signature.name, signature.parameters.empty() ? "" : ", ",
      fmt::join(signature.parameters, ", "), has_options ? ", **options" : "", signature.help);
}

std::vector<StubLine>& stub_lines() {
  static std::vector<StubLine> all;
  return all;
}

Given match(const Signature& signature, bool has_options, PyObject* const* arguments,
            Py_ssize_t count, PyObject* names) {
  const std::size_t parameters = signature.parameters.size();
  const auto placed = static_cast<std::size_t>(count);
  if (placed > parameters) {
    raise(PyExc_TypeError, fmt::format("{}: has {} parameter{}, not {}", signature.name, parameters,
                                       parameters == 1 ? "" : "s", placed));
  }
  Given given;
  given.arguments.assign(parameters, nullptr);
  std::copy_n(arguments, placed, given.arguments.begin());
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t at = 0; at < named; ++at) {
    PyObject* const value = arguments[count + at];
    std::string name = text_of(PyTuple_GET_ITEM(names, at));
    std::size_t i = 0;
    while (i < parameters && signature.parameter(i) != name) ++i;
    if (i == parameters) {
      if (!has_options) {
        raise(PyExc_TypeError, fmt::format("{}: there is no parameter '{}'", signature.name, name));
      }
      given.options.emplace_back(std::move(name), value);
    } else if (given.arguments[i] != nullptr) {
      raise(PyExc_TypeError, fmt::format("{}: {} is given twice", signature.name, name));
    } else {
      given.arguments[i] = value;
    }
  }
  for (std::size_t i = 0; i < parameters; ++i) {
    if (given.arguments[i] == nullptr && !signature.default_of(i)) {
      raise(PyExc_TypeError,
            fmt::format("{}: {} is missing", signature.name, signature.parameter(i)));
    }
  }
  return given;
}

}  // namespace kernbench::python
