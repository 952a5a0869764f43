// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "python/language/object.hpp"

namespace kernbench::python {

/// A thread state of Python for the code on a fiber, from its begin to its end: code in Python
/// keeps its frames and exceptions in one, so each fiber needs its own. It exists as long as the
/// object, which must be on the stack of the fiber.
///
/// The simulation does not hold the GIL. The fiber takes it here, and gives it back in
/// WithoutPython, as a thread of Python does before it waits.
class PythonThread {
 public:
  PythonThread();
  PythonThread(const PythonThread&) = delete;
  PythonThread& operator=(const PythonThread&) = delete;
  ~PythonThread();
};

/// Gives the GIL back while it exists, below a PythonThread. Code of C++ that may wait runs inside.
class WithoutPython {
 public:
  WithoutPython();
  WithoutPython(const WithoutPython&) = delete;
  WithoutPython& operator=(const WithoutPython&) = delete;
  ~WithoutPython();

 private:
  PyThreadState* state_;
};

/// Takes the GIL while it exists, where no fiber with a thread state runs. It must not wait.
class WithPython {
 public:
  WithPython() : state_(PyGILState_Ensure()) {}
  WithPython(const WithPython&) = delete;
  WithPython& operator=(const WithPython&) = delete;
  ~WithPython() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// A reference that code of C++ owns, which any thread may release.
using Kept = std::shared_ptr<PyObject>;
[[nodiscard]] Kept keep(Object object);

}  // namespace kernbench::python
