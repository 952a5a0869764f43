// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Python.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KERNBENCH_HIDDEN __attribute__((visibility("hidden")))

/// Return and set the thread state that PyGILState_Ensure() finds in this thread.
KERNBENCH_HIDDEN PyThreadState* kernbench_noted_state(void);
KERNBENCH_HIDDEN void kernbench_note_state(PyThreadState* state);

#ifdef __cplusplus
}
#endif
