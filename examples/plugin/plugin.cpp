// SPDX-License-Identifier: Apache-2.0
#include <kernbench/plugin.hpp>

KERNBENCH_PLUGIN("example", "1.0");
