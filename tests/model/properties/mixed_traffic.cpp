// SPDX-License-Identifier: Apache-2.0
#include "tests/model/properties/mixed_traffic.hpp"

#include "model/components/machine/machine.hpp"
#include "model/components/machine/pe_command.hpp"
#include "model/components/parts/host_cpu.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/engine/occurrence.hpp"
#include "model/engine/simulation.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::properties {

using common::Rng;
using common::SimTime;
using components::HostCommand;
using components::HostCpu;
using components::KernelContext;
using components::KernelLaunch;
using components::Machine;
using components::PeCommand;
using components::Shard;
using engine::Process;
using memory::PeLocation;
using topology::PhysAddr;

namespace {

class MixedTraffic {
 public:
  MixedTraffic(Machine& machine, std::uint64_t seed)
      : machine_(machine), seed_(seed), random_(Rng::stream(seed, "host")) {}

  std::vector<SimTime> run() {
    HostCpu& host = machine_.component_as<HostCpu>(machine_.resolver().find_host_cpu());
    spawn(host.write(shards(3)));
    spawn(host.read(shards(3)));
    spawn(host.write_copies(copies()));
    HostCommand launch;
    machine_.kernels().define("traffic",
                              [this](const KernelContext& context) { return kernel(context); });
    launch.action = KernelLaunch{"traffic"};
    spawn(host.run(launch, targets()));
    machine_.simulation().run();
    return std::move(took_);
  }

 private:
  void spawn(Process process) { machine_.simulation().spawn("part", timed(std::move(process))); }
  Process timed(Process part) {
    const SimTime from = machine_.simulation().now();
    co_await std::move(part);
    took_.push_back(machine_.simulation().now() - from);
  }

  Process kernel(const KernelContext& context) {
    Rng random = Rng::stream(seed_, "kernel", context.pe.sip, context.pe.cube, context.pe.pe);
    for (int i = 0; i < 2; ++i) {
      const bool write = random.below(2) == 0;
      const std::uint64_t bytes = draw_bytes(random);
      PeCommand command("a DMA command", components::dma_work(write, draw_address(random), bytes));
      const SimTime from = machine_.simulation().now();
      context.cpu.start(command);
      co_await command.done;
      took_.push_back(machine_.simulation().now() - from);
    }
  }

  [[nodiscard]] PeLocation draw_pe(Rng& random) const {
    const topology::TopologySpec& spec = machine_.spec();
    PeLocation pe;
    pe.sip = static_cast<std::uint16_t>(random.below(spec.system.sips));
    pe.cube = static_cast<std::uint16_t>(random.below(spec.sip.cubes()));
    pe.pe = static_cast<std::uint16_t>(random.below(spec.cube.pes()));
    return pe;
  }
  [[nodiscard]] std::uint64_t draw_bytes(Rng& random) const {
    return 1 + random.below(std::uint64_t{16} * machine_.spec().system.flit_bytes);
  }
  [[nodiscard]] std::uint64_t hbm_address(const PeLocation& pe, Rng& random) const {
    return encode(
        PhysAddr::hbm(static_cast<std::uint8_t>(pe.sip), static_cast<std::uint8_t>(pe.cube),
                      pe.pe * machine_.spec().cube.hbm_bytes_of_pe() + random.below(1U << 20U)));
  }
  [[nodiscard]] std::uint64_t draw_address(Rng& random) const {
    const PeLocation pe = draw_pe(random);
    const auto sip = static_cast<std::uint8_t>(pe.sip);
    const auto cube = static_cast<std::uint8_t>(pe.cube);
    const auto offset = static_cast<std::uint32_t>(random.below(1U << 16U));
    switch (random.below(4)) {
      case 0:
        return encode(PhysAddr::sram(sip, cube, offset));
      case 1:
        return encode(PhysAddr::pe_tcm(sip, cube, static_cast<std::uint8_t>(pe.pe), offset));
      default:
        return hbm_address(pe, random);
    }
  }

  [[nodiscard]] std::vector<Shard> shards(int count) {
    std::vector<Shard> drawn;
    for (int i = 0; i < count; ++i) {
      const PeLocation pe = draw_pe(random_);
      drawn.push_back({pe, hbm_address(pe, random_), draw_bytes(random_)});
    }
    return drawn;
  }
  [[nodiscard]] std::vector<Shard> copies() {
    PeLocation pe = draw_pe(random_);
    const std::uint64_t bytes = draw_bytes(random_);
    std::vector<Shard> drawn;
    const std::uint32_t pes = std::min(machine_.spec().cube.pes(), 2U);
    for (pe.pe = 0; pe.pe < pes; ++pe.pe) drawn.push_back({pe, hbm_address(pe, random_), bytes});
    return drawn;
  }
  [[nodiscard]] std::vector<PeLocation> targets() {
    PeLocation pe = draw_pe(random_);
    std::vector<PeLocation> drawn;
    for (pe.pe = 0; pe.pe < machine_.spec().cube.pes(); ++pe.pe) drawn.push_back(pe);
    return drawn;
  }

  Machine& machine_;
  std::uint64_t seed_;
  Rng random_;
  std::vector<SimTime> took_;
};

}  // namespace

std::vector<SimTime> run_mixed_traffic(const RandomSystem& system, std::uint64_t seed,
                                       const components::ComponentRegistry& components,
                                       trace::HopTrace* trace) {
  engine::Simulation simulation;
  Machine machine(simulation, system.graph(), {trace, &system.router(), &components});
  return MixedTraffic(machine, seed).run();
}

}  // namespace kernbench::model::properties
