// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a class or function that a plugin may use. `kernbench` exports these and hides all others
/// from the libraries that it loads (docs/plugins.md).
#define KERNBENCH_API __attribute__((visibility("default")))
