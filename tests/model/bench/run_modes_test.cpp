// SPDX-License-Identifier: Apache-2.0
// Modes of a run that exclude each other are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "model/bench/runner.hpp"
#include "model/trace/hop_trace.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using testing::ThrowsMessage;

void run_with(const RunOptions& options) {
  Bench idle;
  idle.name = "idle";
  idle.run = [](runtime::Context&) {};
  (void)run_bench(idle, topology::compile_topology({}), options);
}

TEST(RunModes, ReuseLeavesNothingOutThatIsAskedFor) {
  trace::HopTrace hops;
  RunOptions reuse;
  reuse.reuse = true;
  std::vector<RunOptions> all(6, reuse);
  all[0].verify = true;
  all[1].live = true;
  all[2].races = true;
  all[3].op_log = true;
  all[4].explain = true;
  all[5].trace = &hops;
  for (const RunOptions& options : all) {
    EXPECT_THAT([&] { run_with(options); },
                ThrowsMessage<std::invalid_argument>(
                    "reuse leaves out work that verify, live, races, op_log, explain and a trace "
                    "need"));
  }
  EXPECT_THROW(run_with(reuse), NothingSubmitted);
}

TEST(RunModes, WholeMessagesHaveNoFlitsToFollow) {
  RunOptions messages;
  messages.whole_messages = true;
  messages.verify = true;
  EXPECT_THROW(run_with(messages), NothingSubmitted);
  messages.explain = true;
  EXPECT_THAT(
      [&] { run_with(messages); },
      ThrowsMessage<std::invalid_argument>("whole messages have no flits for explain and a trace"));
}

}  // namespace
}  // namespace kernbench::model::bench
