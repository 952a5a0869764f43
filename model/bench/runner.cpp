// SPDX-License-Identifier: Apache-2.0
#include "model/bench/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "common/crash_handler.hpp"
#include "common/diagnostics.hpp"
#include "common/progress.hpp"
#include "model/bench/host_time_limit.hpp"
#include "model/data/replay.hpp"
#include "model/engine/errors.hpp"
#include "model/engine/fiber.hpp"
#include "model/engine/simulation.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

namespace {

constexpr std::size_t kListed = 20;

/// Returns "; running:\n  kernel ..." with a line for each running kernel, or an empty text.
std::string list_of(const runtime::Session& session) {
  std::vector<std::string> running = session.running();
  if (running.empty()) return {};
  const std::size_t all = running.size();
  running.resize(std::min(all, kListed));
  if (all > kListed) running.push_back(fmt::format("and {} more", all - kListed));
  return fmt::format("; running:\n  {}", fmt::join(running, "\n  "));
}

/// Throws RunFailed with the message of the innermost exception, or of the kernel failure around
/// it, which also says where. Exceptions for bad input of the bench pass unchanged.
[[noreturn]] void fail(const std::exception& error, const runtime::Session& session) {
  try {
    std::rethrow_if_nested(error);
  } catch (const common::BadInput&) {
    throw;
  } catch (const runtime::BadParameter&) {
    throw;
  } catch (const data::ReplayError&) {
    throw;
  } catch (const memory::OutOfMemory& inner) {
    // The tensors of the host do not fit. In a kernel the reason may be a tile that is kept.
    if (dynamic_cast<const runtime::KernelFailure*>(&error) == nullptr) throw;
    fail(inner, session);
  } catch (const std::exception& inner) {
    fail(inner, session);
  }
  const bool of_kernel = dynamic_cast<const runtime::KernelFailure*>(&error) != nullptr;
  throw RunFailed(of_kernel ? error.what() : error.what() + list_of(session));
}

bool is_running(const runtime::MeasuredRegion& region) {
  return !region.started ||
         std::any_of(region.ranks.begin(), region.ranks.end(),
                     [](const runtime::RegionRank& rank) { return rank.end == common::SimTime(); });
}

/// Simulates until the measured regions of the options have ended. Throws TimeLimitReached when
/// they take too long, for which it looks often.
void simulate_regions(engine::Simulation& simulation, const runtime::Session& session,
                      const RunOptions& options) {
  constexpr std::int64_t kLooks = 32;
  const RunOptions::RegionLimit& limit = *options.region_limit;
  const auto step =
      std::max(common::SimTime::from_ps(limit.span.ps() / kLooks), common::SimTime::from_ps(1));
  const auto& regions = session.record().regions;
  for (common::SimTime until = step; until < options.time_limit; until = until + step) {
    if (simulation.run_within(until)) return;
    if (regions.empty() || !regions.front().started) continue;
    if (regions.size() == limit.regions && !is_running(regions.back())) return;
    if (is_running(regions.back()) && until - regions.front().start > limit.span) break;
  }
  throw TimeLimitReached("the measured regions take longer than the limit");
}

void simulate(engine::Simulation& simulation, const runtime::Session& session,
              const RunOptions& options) {
  std::optional<HostTimeLimit> limit;
  if (options.on_host_timeout) {
    limit.emplace(options.host_time_limit, [&] {
      options.on_host_timeout(fmt::format(
          "the simulation took more than {} s{}",
          std::chrono::duration<double>(options.host_time_limit).count(), list_of(session)));
    });
  }
  try {
    if (options.region_limit) return simulate_regions(simulation, session, options);
    if (!simulation.run_within(options.time_limit)) {
      throw TimeLimitReached(fmt::format("simulated time reached {:.3f} us{}",
                                         options.time_limit.ns() / 1000.0, list_of(session)));
    }
  } catch (const engine::ProcessError& error) {
    fail(error, session);
  } catch (const engine::Deadlock& error) {
    std::string text = error.what();
    for (const std::string& line : session.waits()) text += "\n  " + line;
    throw RunDeadlocked(text + list_of(session));
  }
}

/// Throws std::invalid_argument for modes that exclude each other.
void check_modes(const RunOptions& options) {
  const bool needs_flits = options.explain || options.trace != nullptr;
  const bool needs_all =
      needs_flits || options.verify || options.live || options.races || options.op_log;
  if (options.whole_messages && needs_flits) {
    throw std::invalid_argument("whole messages have no flits for explain and a trace");
  }
  if (options.reuse && needs_all) {
    throw std::invalid_argument(
        "reuse leaves out work that verify, live, races, op_log, explain and a trace need");
  }
}

}  // namespace

RunOptions timed_only(const RunOptions& options) {
  RunOptions plain = options;
  plain.trace = nullptr;
  plain.explain = plain.verify = plain.races = plain.op_log = plain.requests = false;
  plain.show_progress = false;
  return plain;
}

RunResult run_bench(const Bench& bench, const topology::TopologyGraph& graph,
                    const RunOptions& options) {
  if (options.device >= graph.spec().system.sips) {
    throw std::invalid_argument(fmt::format("unknown device {}; the system has SIPs 0 to {}",
                                            options.device, graph.spec().system.sips - 1));
  }
  check_modes(options);
  const ParameterValues values = resolve_parameters(bench, options.parameters);
  const runtime::DevicePart part = part_of(bench, values, graph.spec());
  const ParameterValues parameters = own_parameters(bench, values);
  const common::CrashWatch watch(fmt::format("bench '{}': ", bench.name));
  RunResult result;
  using Keeps = data::Recorder::Keeps;
  const bool logs = options.verify || options.op_log || options.races;
  result.recorder = std::make_unique<data::Recorder>(options.live ? Keeps::Live
                                                     : logs       ? Keeps::Operations
                                                                  : Keeps::Stages);

  // Kernels still running at the end use all of the following, so the simulation is destroyed
  // first.
  auto simulation = std::make_unique<engine::Simulation>();
  if (options.explain) simulation->record_causes();
  components::MachineOptions machine_options;
  machine_options.trace = options.trace;
  machine_options.make_fabric = options.make_fabric;
  machine_options.stages = result.recorder.get();
  components::Machine machine(*simulation, graph, machine_options);
  runtime::SessionOptions session_options{.ccl = options.ccl,
                                          .part = part,
                                          .upload = options.upload,
                                          .verifies = options.verify,
                                          .addresses = options.addresses,
                                          .predicts = options.predicts,
                                          .keeps_requests = options.requests,
                                          .delays = options.delays ? &*options.delays : nullptr,
                                          .recorded_program = options.record};
  if (options.reuse || options.whole_messages) {
    session_options.repeats = {options.reuse, options.whole_messages, options.sample_seed,
                               options.samples};
  }
  runtime::Session session(machine, *result.recorder, result, std::move(session_options));
  if (options.whole_messages) machine.network().set_fidelity(transport::Fidelity::Message);
  struct EndFirst {
    std::unique_ptr<engine::Simulation>& simulation;
    ~EndFirst() { simulation.reset(); }
  };
  const EndFirst end_first{simulation};

  simulation->spawn("bench " + bench.name,
                    engine::run_on_fiber(
                        [&](engine::Fiber& fiber) {
                          runtime::Context context(
                              session, runtime::Device::of_sip(graph.spec(), options.device, part),
                              fiber, parameters);
                          bench.run(context);
                          context.synchronize();
                          result.end = simulation->now();
                          result.cause = simulation->cause();
                        },
                        bench.stack_bytes));
  try {
    std::optional<common::Progress> progress;
    if (options.show_progress) {
      progress.emplace([&] {
        return common::ProgressState{std::nullopt,
                                     fmt::format("bench '{}', {:.3f} us simulated", bench.name,
                                                 simulation->last_event().ns() / 1000.0)};
      });
    }
    simulate(*simulation, session, options);
  } catch (const memory::OutOfMemory& error) {
    throw runtime::BadParameter(fmt::format("bench '{}' does not fit with {}: {}", bench.name,
                                            runtime::text_of(parameters), error.what()));
  }
  result.flit_hops = machine.network().flit_hops();
  if (options.explain) result.use = machine.use();
  result.operations = result.recorder->operations() - session.peeks();
  if (session.repeats() != nullptr) result.repeats = session.repeats()->summary();
  result.checks_asked = session.checks().size();
  if (result.submissions == 0) {
    throw NothingSubmitted(fmt::format("bench '{}' submitted no operation", bench.name));
  }
  if (options.races) result.races = data::find_races(result.recorder->log(), graph);
  if (options.verify) {
    data::Replay second_pass;
    if (!options.live) second_pass.run(result.recorder->log());
    const data::Replay& replay = options.live ? *result.recorder->live() : second_pass;
    result.checks = runtime::evaluate(session.checks(), replay);
    for (const auto& contract : session.contracts()) result.contracts.push_back(contract(replay));
    const auto first_peek = replay.results().lower_bound(runtime::Session::kFirstPeek);
    result.results = {replay.results().begin(), first_peek};
    result.peeks = {first_peek, replay.results().end()};
  }
  simulation.reset();  // what still runs writes to the result
  return result;
}

std::vector<std::pair<std::string, trace::CriticalPath>> explain(const RunResult& result) {
  std::vector<std::pair<std::string, trace::CriticalPath>> paths;
  for (const runtime::MeasuredRegion& region : result.regions) {
    const engine::Cause& last = region.ranks[region.last_rank()].cause;
    paths.emplace_back(fmt::format("region '{}'", region.name),
                       trace::find_critical_path(last, region.start, region.end()));
  }
  if (paths.empty()) {
    paths.emplace_back("the run",
                       trace::find_critical_path(result.cause, common::SimTime(), result.end));
  }
  return paths;
}

void call_named(const std::string& name, const std::function<void()>& work) {
  const auto named = [&name](const std::exception& error) {
    return fmt::format("{}: {}", name, error.what());
  };
  const common::CrashWatch watch(name + ": ");
  try {
    work();
  } catch (const RunFailed& error) {
    throw RunFailed(named(error));
  } catch (const RunDeadlocked& error) {
    throw RunDeadlocked(named(error));
  } catch (const TimeLimitReached& error) {
    throw TimeLimitReached(named(error));
  }
}

RunResult run_case(const std::string& name, const Bench& bench,
                   const topology::TopologyGraph& graph, const RunOptions& options) {
  RunResult result;
  call_named(name, [&] { result = run_bench(bench, graph, options); });
  return result;
}

}  // namespace kernbench::model::bench
