// SPDX-License-Identifier: Apache-2.0
#include "python/language/python_thread.hpp"

#include "python/language/thread_key.h"

namespace kernbench::python {
namespace {

/// The state of the thread outside of fibers; null for a thread that Python did not begin.
thread_local PyThreadState* t_outside = nullptr;

}  // namespace

PythonThread::PythonThread() {
  t_outside = kernbench_noted_state();
  PyThreadState* const state = PyThreadState_New(PyInterpreterState_Main());
  if (state == nullptr) throw std::bad_alloc();
  PyEval_RestoreThread(state);
  kernbench_note_state(state);
}

PythonThread::~PythonThread() {
  PyThreadState_Clear(PyThreadState_Get());
  kernbench_note_state(t_outside);
  PyThreadState_DeleteCurrent();
}

WithoutPython::WithoutPython() : state_(PyEval_SaveThread()) {
  kernbench_note_state(t_outside);
}

WithoutPython::~WithoutPython() {
  PyEval_RestoreThread(state_);
  kernbench_note_state(state_);
}

Kept keep(Object object) {
  return {object.release(), [](PyObject* reference) {
            if (Py_IsInitialized() == 0) return;  // the process ends
            const WithPython python;
            Py_XDECREF(reference);
          }};
}

}  // namespace kernbench::python
