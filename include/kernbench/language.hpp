// SPDX-License-Identifier: Apache-2.0
// Headers for an interpreter of files with benches: the language that it reads, and the operations
// of kernels as a list.
#pragma once

#include "common/registration.hpp"
#include "model/bench/bench_file.hpp"
#include "model/kernel/operations.hpp"
