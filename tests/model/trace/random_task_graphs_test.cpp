// SPDX-License-Identifier: Apache-2.0
// Critical paths of random task graphs on random systems, compared with those that follow from the
// durations of the tasks alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "model/components/machine/access_group.hpp"
#include "model/components/machine/machine.hpp"
#include "model/engine/occurrence.hpp"
#include "model/engine/resource.hpp"
#include "model/trace/critical_path.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::trace {
namespace {

using common::SimTime;

/// Times of a critical path in ps, by PE.
using Times = std::map<std::string, std::int64_t>;

Times times_of(const CriticalPath& path, const topology::TopologyGraph& graph) {
  Times times;
  for (const PathPart& part : path.by_pe(graph)) times[part.name] = part.time.ps();
  return times;
}

/// A read by a PE from its own slice, after other tasks. Tasks of a PE run one after the other.
struct Task {
  std::uint32_t cube = 0;
  std::uint32_t pe = 0;
  std::uint64_t bytes = 0;
  std::vector<std::size_t> after;  ///< tasks with smaller numbers

  [[nodiscard]] std::uint32_t place(const topology::TopologySpec& spec) const {
    return cube * spec.cube.pes() + pe;
  }
};

topology::TopologySpec random_spec(common::Rng& rng) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = static_cast<std::uint32_t>(1 + rng.below(2));
  spec.sip.cube_mesh_h = static_cast<std::uint32_t>(1 + rng.below(2));
  spec.cube.pe_per_corner = static_cast<std::uint32_t>(1 + rng.below(2));
  spec.cube.memory_map.slices_per_cube = 4 * spec.cube.pe_per_corner;
  spec.cube.memory_map.hbm_total_bw_gbs = 100.0 + static_cast<double>(rng.below(3000));
  spec.cube.hbm_ctrl_overhead_ns = static_cast<double>(rng.below(100));
  spec.cube.router_overhead_ns = static_cast<double>(rng.below(10));
  spec.pe.pe_dma_overhead_ns = static_cast<double>(rng.below(10));
  return spec;
}

std::vector<Task> random_tasks(common::Rng& rng, const topology::TopologySpec& spec) {
  std::vector<Task> tasks(20);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].cube = static_cast<std::uint32_t>(rng.below(spec.sip.cubes()));
    tasks[i].pe = static_cast<std::uint32_t>(rng.below(spec.cube.pes()));
    tasks[i].bytes = 1 + rng.below(20'000);
    for (std::size_t other = 0; other < i; ++other) {
      if (rng.below(5) == 0) tasks[i].after.push_back(other);
    }
  }
  return tasks;
}

/// Tasks on a machine that records causes.
class Tasks {
 public:
  Tasks(const topology::TopologyGraph& graph, const std::vector<Task>& tasks)
      : tasks_(tasks), simulation_(recording()), machine_(*simulation_, graph) {
    const std::uint32_t pes = graph.spec().sip.cubes() * graph.spec().cube.pes();
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
      pes_.push_back(std::make_unique<engine::Resource>(*simulation_, fmt::format("pe{}", pe), 1));
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      done_.push_back(std::make_unique<engine::Event>(fmt::format("task {}", i)));
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) simulation_->spawn("task", run(i));
  }

  CriticalPath path() {
    simulation_->run();
    return find_critical_path(last_, SimTime(), simulation_->now());
  }

 private:
  static std::unique_ptr<engine::Simulation> recording() {
    auto simulation = std::make_unique<engine::Simulation>();
    simulation->record_causes();
    return simulation;
  }

  engine::Process run(std::size_t index) {
    const Task& task = tasks_[index];
    std::vector<engine::Occurrence> before;
    for (const std::size_t other : task.after) before.emplace_back(*done_[other]);
    if (!before.empty()) co_await engine::all_of(before);
    const topology::TopologySpec& spec = machine_.spec();
    engine::Lease lease = co_await pes_[task.place(spec)]->acquire();
    components::RoutedAccess access;
    access.route = &machine_.network().route(
        machine_.router()
            .find_path(fmt::format("sip0.cube{}.pe{}", task.cube, task.pe),
                       fmt::format("sip0.cube{}.hbm_ctrl.pe{}", task.cube, task.pe))
            .edges);
    access.bytes = task.bytes;
    components::AccessGroup group(machine_, "a task");
    group.submit(access);
    co_await group.done();
    lease.release();
    last_ = simulation_->cause();
    done_[index]->trigger();
  }

  const std::vector<Task>& tasks_;
  std::unique_ptr<engine::Simulation> simulation_;
  components::Machine machine_;
  std::vector<std::unique_ptr<engine::Resource>> pes_;
  std::vector<std::unique_ptr<engine::Event>> done_;
  engine::Cause last_;
};

/// When a task ran, and what it waited for last.
struct TaskRun {
  std::int64_t end = 0;
  std::optional<std::size_t> cause;
};

/// Runs the tasks on paper: a PE takes them in the order in which they become ready.
std::vector<TaskRun> schedule(const std::vector<Task>& tasks,
                              const std::vector<std::int64_t>& durations,
                              const topology::TopologySpec& spec) {
  std::vector<std::optional<TaskRun>> runs(tasks.size());
  std::map<std::uint32_t, std::size_t> last_of_pe;
  for (std::size_t count = 0; count < tasks.size(); ++count) {
    std::size_t next = tasks.size();
    TaskRun best;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto& after = tasks[i].after;
      if (runs[i] || !std::all_of(after.begin(), after.end(),
                                  [&](std::size_t other) { return runs[other].has_value(); })) {
        continue;
      }
      TaskRun ready;
      for (const std::size_t other : after) {
        if (!ready.cause || runs[other]->end > ready.end) ready = {runs[other]->end, other};
      }
      if (next == tasks.size() || ready.end < best.end) {
        next = i;
        best = ready;
      }
    }
    const std::uint32_t pe = tasks[next].place(spec);
    const auto before = last_of_pe.find(pe);
    if (before != last_of_pe.end() && runs[before->second]->end > best.end) {
      best = {runs[before->second]->end, before->second};
    }
    runs[next] = TaskRun{best.end + durations[next], best.cause};
    last_of_pe[pe] = next;
  }
  std::vector<TaskRun> all;
  for (const auto& run : runs) all.push_back(*run);
  return all;
}

TEST(RandomTaskGraphs, HaveTheCriticalPathThatTheirDurationsSay) {
  std::size_t tasks_on_paths = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    common::Rng rng = common::Rng::stream(seed, "task graphs");
    const topology::TopologySpec spec = random_spec(rng);
    const topology::TopologyGraph graph = topology::compile_topology(spec);
    const std::vector<Task> tasks = random_tasks(rng, spec);
    std::vector<std::int64_t> durations;
    std::vector<Times> times;
    for (Task task : tasks) {
      task.after.clear();
      const std::vector<Task> alone{task};
      const CriticalPath path = Tasks(graph, alone).path();
      durations.push_back(path.time().ps());
      times.push_back(times_of(path, graph));
    }
    const std::vector<TaskRun> runs = schedule(tasks, durations, spec);
    const auto last = std::max_element(
        runs.begin(), runs.end(), [](const TaskRun& a, const TaskRun& b) { return a.end < b.end; });
    Times expected;
    for (std::optional<std::size_t> task = last - runs.begin(); task; task = runs[*task].cause) {
      for (const auto& [pe, ps] : times[*task]) expected[pe] += ps;
      ++tasks_on_paths;
    }
    const CriticalPath found = Tasks(graph, tasks).path();
    EXPECT_EQ(found.time().ps(), last->end);
    EXPECT_EQ(found.unnamed(), SimTime());
    EXPECT_EQ(times_of(found, graph), expected);
  }
  EXPECT_GT(tasks_on_paths, 200U * 3U);
}

}  // namespace
}  // namespace kernbench::model::trace
