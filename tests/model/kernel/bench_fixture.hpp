// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {

/// A small system, compiled once: one SIP of two cubes.
inline const topology::TopologyGraph& small_graph() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.system.sips = 1;
    spec.sip.cube_mesh_w = 2;
    spec.sip.cube_mesh_h = 1;
    return topology::compile_topology(spec);
  }();
  return graph;
}

/// Returns the message of the Error that a bench throws. Expects the same message with and without
/// the log of operations.
template <typename Error>
std::string failure_of(void (*run)(runtime::Context&), bench::RunOptions options = {}) {
  const bench::Bench bench{"test", "", {}, run};
  std::string messages[2];
  for (const bool op_log : {false, true}) {
    options.op_log = op_log;
    try {
      (void)bench::run_bench(bench, small_graph(), options);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      messages[op_log ? 1 : 0] = error.what();
    }
  }
  EXPECT_EQ(messages[0], messages[1]);
  return messages[0];
}

}  // namespace kernbench::model::kernel
