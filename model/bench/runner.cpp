#include "model/bench/runner.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/data/replay.hpp"
#include "model/engine/fiber.hpp"
#include "model/engine/simulation.hpp"

namespace kernbench::model::bench {

RunResult run_bench(const Bench& bench, const topology::TopologyGraph& graph,
                    const RunOptions& options) {
  if (options.device >= graph.spec().system.sips) {
    throw std::invalid_argument(fmt::format("there is no device {}; the system has SIPs 0 to {}",
                                            options.device, graph.spec().system.sips - 1));
  }
  const std::map<std::string, std::string> parameters =
      resolve_parameters(bench, options.parameters);
  RunResult result;
  result.recorder = std::make_unique<data::Recorder>();

  // Kernels that still run when the simulation ends use all of these: it goes first.
  auto simulation = std::make_unique<engine::Simulation>();
  components::MachineOptions machine_options;
  machine_options.trace = options.trace;
  machine_options.make_fabric = options.make_fabric;
  machine_options.stages = result.recorder.get();
  components::Machine machine(*simulation, graph, machine_options);
  runtime::Session session(machine, *result.recorder);
  struct EndFirst {
    std::unique_ptr<engine::Simulation>& simulation;
    ~EndFirst() { simulation.reset(); }
  };
  const EndFirst end_first{simulation};

  simulation->spawn("bench " + bench.name, engine::run_on_fiber([&](engine::Fiber& fiber) {
                      runtime::Context context(session, options.device, fiber, parameters);
                      bench.run(context);
                      context.synchronize();
                      result.end = simulation->now();
                    }));
  if (simulation->run_until(options.time_limit)) {
    throw TimeLimitReached(fmt::format("simulated time reached {:.3f} us; running:\n  {}",
                                       options.time_limit.ns() / 1000.0,
                                       fmt::join(session.running(), "\n  ")));
  }
  simulation->run();  // finds out whether something waits
  result.submissions = session.submissions();
  result.flit_hops = machine.network().flit_hops();
  result.launches = session.launches();
  result.checks_asked = session.checks().size();
  if (result.submissions == 0) {
    throw NothingSubmitted(fmt::format("bench '{}' submitted no operation", bench.name));
  }
  if (options.verify) {
    data::Replay replay;
    replay.run(result.recorder->log());
    result.checks = runtime::evaluate(session.checks(), replay);
  }
  return result;
}

}  // namespace kernbench::model::bench
