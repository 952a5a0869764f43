// SPDX-License-Identifier: Apache-2.0
#include "tests/model/properties/run_accesses.hpp"

#include <deque>

#include "model/components/machine/machine.hpp"
#include "model/engine/simulation.hpp"

namespace kernbench::model::properties {

using components::AccessListener;
using components::AccessTimes;
using components::Machine;

namespace {

class Answers final : public AccessListener {
 public:
  Answers(AccessTimes& times, std::uint32_t& count) : times_(times), count_(count) {}
  void on_access_done(const AccessTimes& times) override {
    times_ = times;
    ++count_;
  }

 private:
  AccessTimes& times_;
  std::uint32_t& count_;
};

/// Submits each access when it is due.
class Submitter final : public engine::EventHandler {
 public:
  Submitter(Machine& machine, std::span<const TimedAccess> accesses, std::deque<Answers>& answers)
      : machine_(machine), accesses_(accesses), answers_(answers) {}
  void on_event(engine::EventArgument argument) override {
    const std::uint64_t access = argument.number();
    machine_.accesses().submit(accesses_[access].request, &answers_[access]);
  }

 private:
  Machine& machine_;
  std::span<const TimedAccess> accesses_;
  std::deque<Answers>& answers_;
};

}  // namespace

AccessesRun run_accesses(const RandomSystem& system, std::span<const TimedAccess> accesses,
                         const RunOptions& options) {
  engine::Simulation simulation;
  Machine machine(simulation, system.graph(),
                  {options.trace, &system.router(), options.components});
  AccessesRun run;
  run.times.resize(accesses.size());
  run.answers.resize(accesses.size());
  std::deque<Answers> answers;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    answers.emplace_back(run.times[i], run.answers[i]);
  }
  Submitter submitter(machine, accesses, answers);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    simulation.schedule(accesses[i].at, submitter, i);
  }
  simulation.run();
  run.pending = machine.accesses().pending();
  if (!options.wires) return run;
  for (std::uint32_t edge = 0; edge < system.graph().edges().size(); ++edge) {
    run.uses.push_back(machine.network().use(topology::EdgeId(edge)));
  }
  return run;
}

common::SimTime latency_alone(const RandomSystem& system, const components::AccessRequest& request,
                              const RunOptions& options) {
  const TimedAccess access{{}, request};
  return run_accesses(system, {&access, 1}, options).latency(0);
}

}  // namespace kernbench::model::properties
