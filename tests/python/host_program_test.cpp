// SPDX-License-Identifier: Apache-2.0
#include "python/host_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <thread>

#include "model/engine/event.hpp"
#include "tests/places.hpp"
#include "topology/graph/compile.hpp"
#include "topology/resolve/resolve_topology.hpp"

namespace kernbench::python {
namespace {

using model::runtime::Context;

const topology::TopologyGraph& small() {
  static const topology::ResolvedTopology resolved =
      topology::resolve_topology(places::source("/configs/topology.yaml"),
                                 {"system.sips.count=1", "sip.cube_mesh.w=2", "sip.cube_mesh.h=1"});
  return resolved.graph;
}

/// Makes a tensor and copies it to the host.
void copy(Context& kb) {
  const auto tensor = kb.tensor(8, 8, model::data::DataType::F32, {});
  (void)kb.read(tensor);
}

template <typename E, typename Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

model::bench::RunResult run(HostProgram& program, const std::function<void()>& host) {
  return program.run("b", small(), {}, host);
}

constexpr const char* kDeadlock =
    "deadlock at 0 ps: nothing is scheduled, and 1 process has to wait\n"
    "  'bench b' waits for event 'never'";

TEST(HostProgram, CallsOnTheFiberOfTheBenchInTheOrderOfTheHostPart) {
  const auto twin = model::bench::run_bench(
      {"b", "", {}, [](Context& kb) { copy(kb), kb.synchronize(), copy(kb); }}, small(), {});
  HostProgram program;
  const auto result = run(program, [&] {
    program.call(copy);
    program.call([](Context& kb) { kb.synchronize(); });
    program.call(copy);
  });
  EXPECT_EQ(result.end, twin.end);
  EXPECT_EQ(result.flit_hops, twin.flit_hops);
}

TEST(HostProgram, RethrowsAFailedCallToTheHostPartWhichMayContinue) {
  HostProgram program;
  std::string error;
  const auto result = run(program, [&] {
    error = error_of<std::invalid_argument>(
        [&] { program.call([](Context& kb) { kb.measure("", [] {}); }); });
    program.call(copy);
  });
  EXPECT_EQ(error, "a measured region needs a name");
  EXPECT_EQ(result.submissions, 1U);
}

TEST(HostProgram, ThrowsADeadlockInTheCallThatWaits) {
  HostProgram program;
  model::engine::Event never("never");
  std::string in_host;
  std::string later;
  const auto wait = [&](Context& kb) { kb.wait(never); };
  const std::string at_caller = error_of<model::bench::RunDeadlocked>([&] {
    (void)run(program, [&] {
      in_host = error_of<model::bench::RunDeadlocked>([&] { program.call(wait); });
      later = error_of<model::bench::RunDeadlocked>([&] { program.call(copy); });
    });
  });
  EXPECT_EQ(in_host, kDeadlock);
  EXPECT_EQ(later, kDeadlock);
  EXPECT_EQ(at_caller, kDeadlock);
}

TEST(HostProgram, PrefersTheErrorOfTheHostPart) {
  HostProgram program;
  EXPECT_EQ(error_of<std::out_of_range>([&] {
              (void)run(program, [&] {
                program.call(copy);
                throw std::out_of_range("own");
              });
            }),
            "own");
  HostProgram waiting;
  model::engine::Event never("never");
  EXPECT_EQ(error_of<std::out_of_range>([&] {
              (void)run(waiting, [&] {
                try {
                  waiting.call([&](Context& kb) { kb.wait(never); });
                } catch (const model::bench::RunDeadlocked&) {
                  throw std::out_of_range("instead");
                }
              });
            }),
            "instead");
}

TEST(HostProgram, RefusesASecondThreadWhileOneWaitsAndCallsAfterTheEnd) {
  HostProgram program;
  std::string second;
  (void)run(program, [&] {
    program.call([&](Context& kb) {
      std::thread([&] { second = error_of<std::logic_error>([&] { program.call(copy); }); }).join();
      copy(kb);
    });
  });
  EXPECT_EQ(second, "another thread is using this host");
  EXPECT_EQ(error_of<std::logic_error>([&] { program.call(copy); }),
            "the run of this host has ended");
}

TEST(HostProgram, DoesNotStartTheHostPartOfARunThatCannotBegin) {
  HostProgram program;
  bool started = false;
  model::bench::RunOptions options;
  options.device = 9;
  EXPECT_EQ(error_of<std::invalid_argument>(
                [&] { (void)program.run("b", small(), options, [&] { started = true; }); }),
            "unknown device 9; the system has SIPs 0 to 0");
  EXPECT_FALSE(started);
}

}  // namespace
}  // namespace kernbench::python
