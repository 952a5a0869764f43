// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/context.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "model/engine/occurrence.hpp"

namespace kernbench::model::runtime {

using engine::Event;
using engine::Process;
using memory::PeLocation;

namespace {

/// Calls a function.
Process call(std::function<void()> function) {
  function();
  co_return;
}

}  // namespace

Context::Context(Session& session, Device device, engine::Fiber& fiber,
                 const std::map<std::string, std::string>& parameters,
                 std::shared_ptr<RegionBarrier> ranks, std::uint32_t rank)
    : session_(session),
      device_(std::move(device)),
      fiber_(fiber),
      parameters_(parameters),
      ranks_(std::move(ranks)),
      rank_(rank) {
  if (!ranks_) ranks_ = std::make_shared<RegionBarrier>(session, std::vector{device_});
}

std::uint32_t Context::cubes() const {
  return static_cast<std::uint32_t>(device_.cubes.size());
}

std::uint32_t Context::pes() const {
  return static_cast<std::uint32_t>(device_.pes.size());
}

common::SimTime Context::now() const {
  return session_.machine().simulation().now();
}

components::HostCpu& Context::host() {
  components::Machine& machine = session_.machine();
  return machine.component_as<components::HostCpu>(machine.resolver().find_host_cpu());
}

void Context::launch(const std::string& name, KernelBody body, const LaunchGrid& grid,
                     LaunchHooks hooks) {
  launch(name, {.body = std::move(body)}, grid, std::move(hooks));
}

void Context::launch(const std::string& name, std::vector<KernelArgument> arguments,
                     const LaunchGrid& grid) {
  launch(name, {.of_registered = std::move(arguments)}, grid, {});
}

void Context::launch(const std::string& name, Session::LaunchArguments arguments,
                     const LaunchGrid& grid, LaunchHooks hooks) {
  const std::uint32_t used_cubes = grid.cubes.value_or(cubes());
  const std::uint32_t used_pes = grid.pes.value_or(pes());
  if (used_cubes == 0 || used_cubes > cubes() || used_pes == 0 || used_pes > pes()) {
    throw std::invalid_argument(fmt::format("cannot launch on {}x{} PEs: {} has {} cubes of {} PEs",
                                            used_cubes, used_pes, device_.name(), cubes(), pes()));
  }
  std::vector<PeLocation> targets;
  for (std::uint32_t cube = 0; cube < used_cubes; ++cube) {
    for (std::uint32_t pe = 0; pe < used_pes; ++pe) targets.push_back(device_.at(cube, pe));
  }
  arguments.grid.pes = used_pes;
  arguments.grid.cubes = used_cubes;
  arguments.stack_bytes = grid.stack_bytes;
  arguments.device = device_;
  components::KernelLaunch message = session_.prepare(name, std::move(arguments));
  ++session_.record().submissions;
  initial_ = false;
  RequestRecord request{hooks.communication ? RequestKind::Communication : RequestKind::Launch,
                        "kernel " + name, 0, hooks.communication};
  enqueue(run_kernel(std::move(message), std::move(targets), used_cubes, region_, std::move(hooks)),
          std::move(request));
}

Process Context::run_kernel(components::KernelLaunch launch, std::vector<PeLocation> targets,
                            std::uint64_t cubes, std::optional<std::size_t> region,
                            LaunchHooks hooks) {
  if (hooks.before) hooks.before();
  const components::MemoryAccesses& accesses = session_.machine().accesses();
  const components::ChannelLoad before = accesses.channel_load(device_.sip);
  transport::Network& network = session_.machine().network();
  const bool metered = session_.machine().simulation().records_causes();
  const std::vector<transport::WireUse> used =
      metered ? network.uses() : std::vector<transport::WireUse>();
  LaunchRecord record{launch.name, device_, targets.size(), cubes, now(), {}, {}, region, {}, {}};
  components::HostCommand command;
  command.action = launch;
  co_await host().run(std::move(command), std::move(targets));
  session_.finish(launch);
  record.end = now();
  record.channel_load = accesses.channel_load(device_.sip) - before;
  if (metered) record.busiest_wires = network.busiest_since(used);
  if (hooks.after) hooks.after();
  session_.record().launches.push_back(std::move(record));
}

void Context::enqueue(Process work, RequestRecord record) {
  auto done = std::make_shared<Event>("the end of " + record.name);
  std::string name = record.name;
  record.rank = rank_;
  session_.machine().simulation().spawn(std::move(name),
                                        in_order(mark(), std::move(work), done, std::move(record)));
  last_[current_] = std::move(done);
}

Process Context::in_order(std::shared_ptr<Event> before, Process work, std::shared_ptr<Event> done,
                          RequestRecord record) {
  if (before) co_await *before;
  record.start = now();
  co_await std::move(work);
  record.end = now();
  if (session_.options().keeps_requests) session_.record().requests.push_back(std::move(record));
  done->trigger();
}

Stream Context::add_stream() {
  if (last_.size() == kMaxStreams) {
    throw std::invalid_argument(fmt::format("a context has at most {} streams", kMaxStreams));
  }
  last_.emplace_back();
  return Stream(last_.size() - 1);
}

void Context::in(Stream stream, const std::function<void()>& work) {
  const Stream outer = enter(stream);
  work();
  enter(outer);
}

Stream Context::enter(Stream stream) {
  const auto number = static_cast<std::size_t>(stream);
  if (number >= last_.size()) {
    throw std::invalid_argument(
        fmt::format("unknown stream {}; the context has {}", number, last_.size()));
  }
  return Stream(std::exchange(current_, number));
}

void Context::wait_for(const Mark& mark) {
  if (mark && !mark->triggered() && mark != last_[current_]) {
    enqueue(end_of(mark), {RequestKind::Other, "the requests before a mark"});
  }
}

Process Context::end_of(Mark mark) {
  co_await *mark;
}

void Context::measure(const std::string& name, const std::function<void()>& work) {
  begin_region(name);
  work();
  end_region();
}

void Context::begin_region(const std::string& name) {
  if (name.empty()) throw std::invalid_argument("a measured region needs a name");
  if (region_) {
    throw std::invalid_argument(
        fmt::format("the measured region '{}' begins inside the region '{}'; regions cannot be "
                    "nested",
                    name, measured_region()));
  }
  initial_ = false;
  synchronize();
  region_ = ranks_->enter(rank_, name, fiber_);
}

void Context::end_region() {
  synchronize();
  ranks_->leave(rank_, *region_);
  region_.reset();
}

void Context::repeat(const RepeatedWork& what, const std::function<void()>& work) {
  Repeats* const repeats = session_.repeats();
  if (repeats == nullptr) {
    work();
    return;
  }
  synchronize();
  Repeats::Pass& pass = repeats->arrive(what, now());
  if (pass.kind() != Repeats::Pass::Kind::Repeated) {
    using transport::Fidelity;
    transport::Network& network = session_.machine().network();
    const bool by_flits = pass.kind() == Repeats::Pass::Kind::Sampled && repeats->options().wholes;
    if (by_flits && repeats->begin_sample()) network.set_fidelity(Fidelity::Flit);
    const std::size_t before = session_.record().launches.size();
    work();
    synchronize();
    if (by_flits && !repeats->end_sample()) network.set_fidelity(Fidelity::Message);
    std::vector<std::size_t> mine;
    for (std::size_t i = before; i < session_.record().launches.size(); ++i) {
      if (session_.record().launches[i].device == device_) mine.push_back(i);
    }
    pass.end(what.member, now(), std::move(mine));
    return;
  }
  fiber_.wait(pass.all_arrived());
  initial_ = false;
  const common::SimTime end = pass.end_of(what.member);
  ++session_.record().submissions;
  enqueue(let_pass(end, pass.model()->end_in(what.member), pass.model()->launches(what.member)),
          {RequestKind::Other, "repeated work"});
  synchronize();
}

Process Context::let_pass(common::SimTime end, common::SimTime end_then,
                          std::vector<std::size_t> launches) {
  co_await session_.machine().simulation().delay(end - now());
  for (const std::size_t number : launches) {
    LaunchRecord again = session_.record().launches[number];
    again.start = end - (end_then - again.start);
    again.end = end - (end_then - again.end);
    again.region = region_;
    again.repeats = number;
    session_.record().launches.push_back(std::move(again));
  }
}

std::string Context::measured_region() const {
  return region_ ? session_.record().regions[*region_].name : std::string();
}

void Context::notify(std::function<void()> function) {
  enqueue(call(std::move(function)), {RequestKind::Other, "notification"});
}

void Context::synchronize() {
  for (const Mark& last : last_) {
    if (last) fiber_.wait(*last);
  }
}

void Context::expect(std::string name, const HostCopy& copy, HostData expected,
                     std::optional<Tolerance> tolerance) {
  session_.add_check({std::move(name), copy.result, std::move(expected),
                      tolerance.value_or(default_tolerance(copy.type))});
}

void Context::expect(std::string name, std::function<CheckReport()> judge) {
  session_.add_check({std::move(name), 0, {}, {}, std::move(judge)});
}

}  // namespace kernbench::model::runtime
