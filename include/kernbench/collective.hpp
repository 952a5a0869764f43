// SPDX-License-Identifier: Apache-2.0
// Headers for collectives: process groups for benches; contracts, neighbour kinds and algorithms,
// with the parts of their kernels.
#pragma once

#include "include/kernbench/bench.hpp"
#include "model/ccl/algorithm.hpp"
#include "model/ccl/collective.hpp"
#include "model/ccl/cube_tree.hpp"
#include "model/ccl/exchanges.hpp"
#include "model/ccl/neighbor_kind.hpp"
#include "model/ccl/process_group.hpp"
#include "model/ccl/rounds.hpp"
#include "model/ccl/tensor_parallel.hpp"
#include "model/ccl/trees.hpp"
