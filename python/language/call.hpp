// SPDX-License-Identifier: Apache-2.0
// Functions and members of C++ as methods of Python: arguments by place or name, defaults, messages
// for wrong ones. While the function runs, the thread does not hold the GIL, so that it may wait.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "python/language/convert.hpp"
#include "python/language/errors.hpp"
#include "python/language/python_thread.hpp"

namespace kernbench::python {

/// The name of a function, of its parameters ("first=0.0" with a default), and its help.
struct Signature {
  std::string name;
  std::vector<std::string> parameters;
  std::string help;

  /// Returns the name of a parameter, and the text of its default.
  [[nodiscard]] std::string_view parameter(std::size_t i) const;
  [[nodiscard]] std::optional<std::string_view> default_of(std::size_t i) const;
};

/// Returns the text from which inspect and help() take the signature, and the help.
[[nodiscard]] std::string text_signature(const Signature& signature, bool has_options);

/// A method as stubs state it.
struct StubLine {
  std::string type;  ///< name of the class
  const Signature* signature = nullptr;
  std::vector<std::string> parameter_types;
  std::string result;
  bool has_options = false;
};
/// Returns the methods of all types so far.
[[nodiscard]] std::vector<StubLine>& stub_lines();

/// The arguments of a call, in the order of the parameters; null for one that takes its default.
struct Given {
  std::vector<PyObject*> arguments;
  std::vector<std::pair<std::string, PyObject*>> options;  ///< further names
};
/// Throws Raised for arguments that do not fit the signature.
[[nodiscard]] Given match(const Signature& signature, bool has_options, PyObject* const* arguments,
                          Py_ssize_t count, PyObject* names);

template <typename F>
struct FunctionTraits;
template <typename R, typename S, typename... A>
struct FunctionTraits<R (S::*)(A...)> {
  using Result = R;
  using Self = S;
  using Parameters = std::tuple<A...>;
  static constexpr bool kWaits = true;
};
template <typename R, typename S, typename... A>
struct FunctionTraits<R (S::*)(A...) const> {
  using Result = R;
  using Self = const S;
  using Parameters = std::tuple<A...>;
  static constexpr bool kWaits = false;
};
template <typename R, typename S, typename... A>
struct FunctionTraits<R (*)(S&, A...)> {
  using Result = R;
  using Self = S;
  using Parameters = std::tuple<A...>;
  // A function that makes an object uses Python, and lets the GIL go by itself.
  static constexpr bool kWaits = !std::is_const_v<S> && !std::is_same_v<R, Object>;
};

/// The signature of a function that is a method.
template <auto function>
inline const Signature* g_signature = nullptr;

template <typename T>
inline constexpr bool kIsLine = std::is_same_v<std::remove_cvref_t<T>, model::data::SourceLine>;
template <typename T>
inline constexpr bool kIsOptions =
    std::is_same_v<std::remove_cvref_t<T>, model::kernel::CompositeOptions>;

/// Returns the argument for a parameter.
template <typename T>
decltype(auto) argument_of(const Signature& signature, const Given& given, std::size_t i) {
  if constexpr (kIsLine<T>) {
    return calling_line();
  } else if constexpr (kIsOptions<T>) {
    return options_of(signature.name, given.options);
  } else {
    const Place place{&signature.name, signature.parameter(i)};
    PyObject* const object = given.arguments[i];
    if (object == nullptr) return Convert<T>::standard(*signature.default_of(i), place);
    return Convert<T>::from(object, place);
  }
}

template <typename Tuple>
struct HasOptions;
template <typename... A>
struct HasOptions<std::tuple<A...>> : std::bool_constant<(kIsOptions<A> || ...)> {};

/// Calls `work` and returns its result as an object; without the GIL if it may wait.
template <bool waits, typename Work>
PyObject* result_of(const Work& work) {
  using Result = decltype(work());
  if constexpr (std::is_void_v<Result>) {
    if constexpr (waits) {
      const WithoutPython without;
      work();
    } else {
      work();
    }
    return Py_NewRef(Py_None);
  } else if constexpr (waits) {
    std::optional<Result> result;
    {
      const WithoutPython without;
      result.emplace(work());
    }
    return to_python(*std::move(result)).release();
  } else {
    return to_python(work()).release();
  }
}

/// Calls `work`, which returns a new reference; returns null with an exception of Python if it
/// throws.
template <typename Work>
PyObject* guarded(const Work& work) {
  try {
    return work();
  } catch (...) {
    raise_caught();
    return nullptr;
  }
}

/// A method of Python that calls a function.
template <auto function>
PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  using Traits = FunctionTraits<decltype(function)>;
  using Parameters = typename Traits::Parameters;
  return guarded([&] {
    const Signature& signature = *g_signature<function>;
    auto& target = self_of<std::remove_const_t<typename Traits::Self>>(self);
    const Given given = match(signature, HasOptions<Parameters>::value, arguments, count, names);
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      const std::tuple<decltype(argument_of<std::tuple_element_t<i, Parameters>>(signature, given,
                                                                                 i))...>
          values{argument_of<std::tuple_element_t<i, Parameters>>(signature, given, i)...};
      return result_of<Traits::kWaits>([&]() -> decltype(auto) {
        if constexpr (std::is_member_function_pointer_v<decltype(function)>) {
          return (target.*function)(std::get<i>(values)...);
        } else {
          return function(target, std::get<i>(values)...);
        }
      });
    }
    (std::make_index_sequence<std::tuple_size_v<Parameters>>());
  });
}

template <typename T>
void add_type_of(std::vector<std::string>& types) {
  if constexpr (!kIsLine<T> && !kIsOptions<T>) types.push_back(parameter_name<T>());
}

/// Returns the method of a type for a function. Its texts live as long as the program.
template <auto function>
[[nodiscard]] PyMethodDef method(const char* type, Signature signature) {
  using Traits = FunctionTraits<decltype(function)>;
  using Parameters = typename Traits::Parameters;
  constexpr bool kHasOptions = HasOptions<Parameters>::value;
  static std::deque<std::pair<Signature, std::string>> all;
  auto& [kept, help] = all.emplace_back(std::move(signature), std::string());
  help = text_signature(kept, kHasOptions);
  g_signature<function> = &kept;
  StubLine line{type, &kept, {}, result_name<typename Traits::Result>(), kHasOptions};
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (add_type_of<std::tuple_element_t<i, Parameters>>(line.parameter_types), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<Parameters>>());
  stub_lines().push_back(std::move(line));
  return {kept.name.c_str(),
          reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call<function>)),
          METH_FASTCALL | METH_KEYWORDS, help.c_str()};
}

/// An attribute of Python that reads a member, or calls a function with the object.
template <auto member>
PyObject* attribute(PyObject* self, void* /*closure*/) {
  return guarded([&] {
    if constexpr (std::is_member_pointer_v<decltype(member)>) {
      using Self = std::remove_const_t<typename MemberTraits<decltype(member)>::Self>;
      return to_python(std::invoke(member, self_of<Self>(self))).release();
    } else {
      using Self = std::remove_const_t<typename FunctionTraits<decltype(member)>::Self>;
      return to_python(member(self_of<Self>(self))).release();
    }
  });
}

}  // namespace kernbench::python
