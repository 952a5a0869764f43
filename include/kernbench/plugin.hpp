// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kernbench/api_hash.hpp>

#include "common/api.hpp"
#include "common/diagnostics.hpp"  // BadInput, with which a plugin refuses what it is given
#include "model/plugin/plugin_abi.hpp"

/// Makes a library a plugin: states its name, its version and the headers it was built against,
/// which kernbench compares with its own before it loads the library. To be written once, in any
/// file, outside of namespaces:
///
///     KERNBENCH_PLUGIN("my-plugin", "1.0");
#define KERNBENCH_PLUGIN(name, version)                                               \
  extern "C" {                                                                        \
  KERNBENCH_API extern const char kernbench_plugin[];                                 \
  }                                                                                   \
  __attribute__((section(".kernbench_plugin"), used)) const char kernbench_plugin[] = \
      "kernbench-plugin\0" KERNBENCH_API_HASH "\0" KERNBENCH_ABI "\0" name "\0" version
