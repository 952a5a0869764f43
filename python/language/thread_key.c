// SPDX-License-Identifier: Apache-2.0
// In C, since the internal headers of CPython are not C++.
#define Py_BUILD_CORE_MODULE 1
#include <Python.h>
#if PY_VERSION_HEX < 0x030C0000
#include <internal/pycore_runtime.h>
#endif

#include "python/language/thread_key.h"

// A library that calls PyGILState_Ensure() below a kernel must find the state of the fiber, which
// holds the GIL, and not the first one of the thread: that would wait for the GIL forever. From
// 3.12 on CPython notes it itself.
#if PY_VERSION_HEX < 0x030C0000
PyThreadState* kernbench_noted_state(void) {
  return PyThread_tss_get(&_PyRuntime.gilstate.autoTSSkey);
}
void kernbench_note_state(PyThreadState* state) {
  PyThread_tss_set(&_PyRuntime.gilstate.autoTSSkey, state);
}
#else
PyThreadState* kernbench_noted_state(void) {
  return NULL;
}
void kernbench_note_state(PyThreadState* state) {
  (void)state;
}
#endif
