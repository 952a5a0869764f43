// SPDX-License-Identifier: Apache-2.0
// Headers for a kernel: the operations of a PE, and tensors.
#pragma once

#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"
