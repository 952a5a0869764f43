// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/measure_costs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "model/components/machine/machine.hpp"
#include "model/data/recorder.hpp"
#include "model/engine/fiber.hpp"
#include "model/engine/simulation.hpp"
#include "model/runtime/context.hpp"
#include "model/runtime/session.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {

using kernel::Tile;
using kernel::Tl;

namespace {

constexpr std::array<std::uint64_t, 2> kMeasuredBytes = {64, 16384};
constexpr std::uint32_t kRepeats = 3;

/// The ns that each step takes the slowest lane.
struct StepTimes {
  std::array<double, kSteps> ns{};
  /// Lanes that exchange messages between members and between cubes, and how often one of them has
  /// waited for the others.
  std::array<std::uint32_t, 2> lanes{};
  std::array<std::uint32_t, 2> arrived{};
  std::array<std::deque<engine::Event>, 2> all_arrived{};  ///< an event for each such wait
  [[nodiscard]] double& at(Step step) { return ns[static_cast<std::size_t>(step)]; }
};

/// Runs the steps of one size on a lane. `to` is the direction to the other member, `inner` to the
/// other cube; both are empty where there is none.
class Lane {
 public:
  Lane(Tl& tl, engine::Simulation& simulation, StepTimes& times, std::uint64_t bytes)
      : tl_(tl), simulation_(simulation), times_(times), columns_(bytes / 4) {}

  void work_alone(const runtime::TensorView& tensor) {
    const kernel::TensorRef part = tensor.local(tl_).block(0, 0, 1, columns_);
    std::optional<Tile> tile;
    measure(Step::Load, [&] { tile = tl_.load(part); });
    measure(Step::Add, [&] { tile = *tile + *tile; });
    measure(Step::Store, [&] { tl_.store(part, *tile); });
    measure(Step::Copy, [&] {
      const Tile copy = tl_.buffer(columns_, data::DataType::I32);
      tl_.copy_into(copy, *tile);
    });
  }

  void exchange(const std::string& to, Step message, Step further, std::uint32_t slots) {
    if (to.empty()) return;
    const Tile tile = tl_.full(1, columns_, 1.0, data::DataType::I32);
    const auto swap = [&](std::uint32_t messages) {
      std::vector<kernel::PendingTile> pending;
      for (std::uint32_t i = 0; i < messages; ++i) {
        pending.push_back(tl_.irecv(to, 1, columns_, data::DataType::I32));
      }
      for (std::uint32_t i = 0; i < messages; ++i) tl_.send(to, tile);
      for (kernel::PendingTile& one : pending) (void)tl_.wait(std::move(one));
    };
    meet(message);
    measure(message, [&] {
      for (std::uint32_t i = 0; i < kRepeats; ++i) swap(1);
    });
    meet(message);
    pause(message);
    measure(further, [&] { swap(slots); });
    if (message != Step::Message) return;
    pause(message);
    tl_.send(to, tile);
    pause(message);  // the message arrives
    measure(Step::Take, [&] { (void)tl_.recv(to, 1, columns_, data::DataType::I32); });
  }

 private:
  /// Waits until all lanes that exchange messages of this kind are here, in steps of one operation.
  void meet(Step message) {
    const std::size_t kind = message == Step::Message ? 0 : 1;
    std::uint32_t& arrived = times_.arrived[kind];
    std::deque<engine::Event>& waits = times_.all_arrived[kind];
    if (arrived % times_.lanes[kind] == 0) waits.emplace_back("all lanes");
    engine::Event& all_arrived = waits.back();
    if (++arrived % times_.lanes[kind] == 0) {
      all_arrived.trigger();
      return;
    }
    const common::SimTime step = wait_a_step();
    const common::SimTime from = simulation_.now();
    fiber().wait(all_arrived);
    sleep_until(simulation_.now(), from, step);
  }
  /// Waits until credits of earlier messages are back, in steps of one operation.
  void pause(Step message) {
    const common::SimTime from = simulation_.now();
    const common::SimTime end = from + common::SimTime::from_ns(times_.at(message));
    if (end != from) sleep_until(end, from, wait_a_step());
  }
  /// Takes one operation, and returns how long. A wait for others is as long as a loop of these,
  /// without simulating it: over a MAZE that took five sixths of the time of a small all-reduce.
  [[nodiscard]] common::SimTime wait_a_step() {
    const common::SimTime from = simulation_.now();
    (void)tl_.full(1, 1, 1.0, data::DataType::I32);
    return simulation_.now() - from;
  }
  /// Sleeps until `end`, or until the first time behind it that is whole steps after `from`.
  void sleep_until(common::SimTime end, common::SimTime from, common::SimTime step) {
    const std::int64_t steps = ((end - from).ps() + step.ps() - 1) / step.ps();
    const common::SimTime duration = from + step * steps - simulation_.now();
    if (duration == common::SimTime()) return;
    engine::Event over("the end of a pause");
    simulation_.spawn("pause", trigger_after(simulation_, duration, over));
    fiber().wait(over);
  }
  static engine::Process trigger_after(engine::Simulation& simulation, common::SimTime duration,
                                       engine::Event& event) {
    co_await simulation.delay(duration);
    event.trigger();
  }
  /// Returns the fiber of this lane, which runs.
  static engine::Fiber& fiber() {
    return const_cast<engine::Fiber&>(*engine::Fiber::running());  // not const, only read elsewhere
  }
  [[nodiscard]] double now() const { return simulation_.now().ns(); }
  template <typename Work>
  void measure(Step step, const Work& work) {
    const double from = now();
    work();
    times_.at(step) = std::max(times_.at(step), now() - from);
  }

  Tl& tl_;
  engine::Simulation& simulation_;
  StepTimes& times_;
  std::uint64_t columns_;
};

/// Returns a cube next to the root of a mesh, and the root's direction to it.
std::pair<std::uint32_t, const char*> beside(const Grid& cubes, std::uint32_t root) {
  if (root % cubes.nx != 0) return {root - 1, "W"};
  if (cubes.nx > 1) return {root + 1, "E"};
  if (root / cubes.nx != 0) return {root - cubes.nx, "N"};
  return {root + cubes.nx, "S"};
}

std::string back_of(const std::string& direction) {
  if (direction == "W") return "E";
  if (direction == "E") return "W";
  return direction == "N" ? "S" : "N";
}

CostParameters measure_costs(topology::TopologySpec spec, const MeasuredPair& pair) {
  // A network between SIPs has an endpoint for each.
  const bool are_counted = spec.system.inter_sip == topology::InterSip::Noc;
  if (!are_counted) spec.system.sips = std::min(spec.system.sips, 2U);
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  data::Recorder recorder(data::Recorder::Keeps::Stages);
  auto simulation = std::make_unique<engine::Simulation>();
  components::MachineOptions options;
  options.stages = &recorder;
  components::Machine machine(*simulation, graph, options);
  runtime::RunRecord record;
  runtime::Session session(machine, recorder, record);

  const bool alone = pair.a == pair.b;
  const std::uint32_t slots = spec.pe.pe_ipcq_slots;
  const bool has_inner = pair.cubes.nodes() > 1;
  const auto beside_root =
      has_inner ? beside(pair.cubes, pair.root_cube) : std::pair<std::uint32_t, const char*>{0, ""};
  const std::uint32_t other = beside_root.first;
  const char* const direction = beside_root.second;
  const std::vector<runtime::Device> devices =
      alone ? std::vector<runtime::Device>{pair.a} : std::vector<runtime::Device>{pair.a, pair.b};
  std::vector<components::NeighborLink> links;
  for (std::uint32_t pe = 0; pe < pair.a.pes.size(); ++pe) {
    if (!alone) {
      links.push_back({pair.a.at(pair.root_cube, pe), "global_peer", pair.b.at(pair.root_cube, pe),
                       "global_peer"});
    }
    for (const runtime::Device& device : devices) {
      if (!has_inner) continue;
      links.push_back(
          {device.at(pair.root_cube, pe), direction, device.at(other, pe), back_of(direction)});
    }
  }
  session.install_neighbors(links, pair.slot_memory);

  std::array<StepTimes, 2> times{};
  for (StepTimes& one : times) {
    const auto lanes = static_cast<std::uint32_t>(devices.size() * pair.a.pes.size());
    one.lanes = {lanes, 2 * lanes};
  }
  const auto ranks = std::make_shared<runtime::RegionBarrier>(session, devices);
  for (std::uint32_t rank = 0; rank < devices.size(); ++rank) {
    simulation->spawn(
        "measurement", engine::run_on_fiber([&, rank](engine::Fiber& fiber) {
          runtime::Context kb(session, devices[rank], fiber, {}, ranks, rank);
          const runtime::Tensor tensor =
              kb.tensor(1, kb.pes() * kMeasuredBytes.back() / 4, data::DataType::I32,
                        {runtime::Placement::Replicate, runtime::Placement::ColumnWise});
          kb.measure("launch", [&] { kb.launch("nothing", [](Tl& /*tl*/) {}); });
          const auto view = tensor->view();
          for (std::size_t i = 0; i < times.size(); ++i) {
            kb.measure("steps", [&] {
              kb.launch("steps", [&, i, view](Tl& tl) {
                Lane lane(tl, *simulation, times[i], kMeasuredBytes[i]);
                const std::uint64_t cube = tl.program_id(1);
                if (cube == pair.root_cube) {
                  lane.work_alone(view);
                  lane.exchange(has_inner ? direction : "", Step::InnerMessage, Step::InnerFurther,
                                slots);
                  lane.exchange(alone ? "" : "global_peer", Step::Message, Step::Further, slots);
                } else if (has_inner && cube == other) {
                  lane.exchange(back_of(direction), Step::InnerMessage, Step::InnerFurther, slots);
                }
              });
            });
          }
          kb.synchronize();
        }));
  }
  simulation->run();
  CostParameters parameters;
  parameters.launch = record.regions.front().time().ns();
  const auto line = [&](Step step) {
    std::array<double, 2> ns{};
    for (std::size_t i = 0; i < 2; ++i) {
      ns[i] = times[i].at(step);
      if (step == Step::Message || step == Step::InnerMessage) ns[i] /= kRepeats;
    }
    return ns;
  };
  for (std::size_t index = 0; index < kSteps; ++index) {
    const auto step = static_cast<Step>(index);
    if (times[0].at(step) == 0.0) continue;
    std::array<double, 2> ns = line(step);
    if (step == Step::Further || step == Step::InnerFurther) {
      const auto one = line(step == Step::Further ? Step::Message : Step::InnerMessage);
      for (std::size_t i = 0; i < 2; ++i) {
        ns[i] = slots == 1 ? one[i] : (ns[i] - one[i]) / (slots - 1);
      }
    }
    const auto bytes = static_cast<double>(kMeasuredBytes[1] - kMeasuredBytes[0]);
    const double beta = (ns[1] - ns[0]) / bytes;
    parameters.steps[index] = {ns[0] - beta * static_cast<double>(kMeasuredBytes[0]), beta};
  }
  simulation.reset();
  return parameters;
}

struct Known {
  Known(const topology::TopologySpec& of_spec, const MeasuredPair& of_pair)
      : spec(of_spec), pair(of_pair) {}

  topology::TopologySpec spec;
  MeasuredPair pair;
  std::once_flag is_measured{};
  CostParameters costs{};
};

/// Returns what is known of a pair, or will be.
Known& known_of(const topology::TopologySpec& spec, const MeasuredPair& pair) {
  static std::mutex mutex;
  static std::list<Known> all;
  const std::lock_guard lock(mutex);
  for (Known& known : all) {
    if (known.pair == pair && known.spec == spec) return known;
  }
  return all.emplace_back(spec, pair);
}

}  // namespace

const CostParameters& measured_costs(const topology::TopologySpec& spec, const MeasuredPair& pair) {
  Known& known = known_of(spec, pair);
  // Others measure other pairs meanwhile.
  std::call_once(known.is_measured, [&] {
    // In a thread of its own, as the caller runs on a fiber of another simulation.
    std::exception_ptr failure;
    std::thread([&] {
      try {
        known.costs = measure_costs(spec, pair);
      } catch (...) {
        failure = std::current_exception();
      }
    }).join();
    if (failure) std::rethrow_exception(failure);
  });
  return known.costs;
}

const CostParameters& measured_costs(const topology::TopologySpec& spec, std::uint32_t root_cube,
                                     std::optional<topology::SlotBacking> slot_memory) {
  const std::uint32_t other = spec.system.sips > 1 ? 1 : 0;
  return measured_costs(spec, {runtime::Device::of_sip(spec, 0),
                               runtime::Device::of_sip(spec, other),
                               {spec.sip.cube_mesh_w, spec.sip.cube_mesh_h},
                               root_cube,
                               slot_memory});
}

}  // namespace kernbench::model::ccl
