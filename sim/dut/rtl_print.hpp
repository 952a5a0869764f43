// SPDX-License-Identifier: Apache-2.0
// Included before every C++ file of a model (-include): Verilator's hooks for text and for the end
// of a simulation lead to verilated_messages.hpp.
#pragma once

extern "C" int kernbench_rtl_print(const char* format, ...) __attribute__((format(printf, 1, 2)));

#define VL_PRINTF kernbench_rtl_print
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_WARN
