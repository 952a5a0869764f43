// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "model/data/op_log.hpp"
#include "python/language/python_thread.hpp"

namespace kernbench::python {

/// An exception of code in Python. what() is "ValueError: text" and the lines of its calls, the
/// innermost first.
class PythonFailure : public std::runtime_error {
 public:
  PythonFailure(const std::string& what, Kept exception)
      : std::runtime_error(what), exception_(std::move(exception)) {}
  [[nodiscard]] const Kept& exception() const { return exception_; }

 private:
  Kept exception_;
};

/// Creates the types of exceptions that the module has. To be called once.
void add_errors(PyObject* module);

/// Sets an exception of Python for the one of C++ that is handled. Code in Python that passes it on
/// lets throw_raised() throw the same exception of C++. That of a fiber which is destroyed becomes
/// a BaseException, so that the frames of CPython end in order.
void raise_caught();

/// Throws the exception of Python that is set: as the one of C++ that it was, else as
/// PythonFailure.
[[noreturn]] void throw_raised();

/// Returns the exception that is not an error, such as KeyboardInterrupt, with which code below a
/// fiber ended since the last call; null without one. A run ends with RunFailed in its place.
[[nodiscard]] Kept take_interrupt();

/// Returns the line of the code in Python that calls, outside of this package.
[[nodiscard]] model::data::SourceLine calling_line();

}  // namespace kernbench::python
