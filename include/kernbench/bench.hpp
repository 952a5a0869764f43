// SPDX-License-Identifier: Apache-2.0
// Headers for a bench: its registration and that of kernels, the host's interface to the system,
// and data.
#pragma once

#include "include/kernbench/kernel.hpp"
#include "model/bench/random_data.hpp"
#include "model/bench/registry.hpp"
#include "model/runtime/kernel_registry.hpp"
#include "topology/spec/topology_spec.hpp"
