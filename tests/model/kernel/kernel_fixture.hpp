// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "model/components/machine/machine.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/data/recorder.hpp"
#include "model/engine/fiber.hpp"
#include "model/kernel/pe_executor.hpp"
#include "model/kernel/tl.hpp"
#include "model/trace/hop_trace.hpp"
#include "topology/graph/compile.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/routing/phys_addr.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {

/// Runs kernels on PEs of a machine, without a host.
class KernelMachine {
 public:
  explicit KernelMachine(const topology::TopologySpec& spec,
                         data::Recorder::Keeps keeps = data::Recorder::Keeps::Operations)
      : graph_(topology::compile_topology(spec)),
        recorder_(keeps),
        machine_(simulation_, graph_, options()) {}

  [[nodiscard]] components::Machine& machine() { return machine_; }
  [[nodiscard]] const topology::TopologyGraph& graph() const { return graph_; }
  [[nodiscard]] const data::OpLog& log() const { return recorder_.log(); }
  [[nodiscard]] const trace::HopTrace& trace() const { return trace_; }
  [[nodiscard]] std::int64_t now() const { return simulation_.now().ps(); }
  /// Returns the free bytes of the TCM of a PE that has run a kernel.
  [[nodiscard]] std::uint64_t free_tcm(const memory::PeLocation& pe = {}) const {
    return pes_.at(pe)->allocator.tcm().free_bytes();
  }
  /// Returns a physical address in a PE's slice. Kernels can use it without a mapping.
  [[nodiscard]] std::uint64_t slice(std::uint64_t offset = 0, std::uint32_t pe = 0) const {
    return topology::encode(
        topology::PhysAddr::hbm(0, 0, pe * spec().cube.memory_map.hbm_slice_bytes() + offset));
  }
  [[nodiscard]] const topology::TopologySpec& spec() const { return graph_.spec(); }

  void start(const memory::PeLocation& pe, const std::function<void(Tl&)>& kernel) {
    std::unique_ptr<Pe>& place = pes_[pe];
    if (!place) place = std::make_unique<Pe>(spec(), pe);
    simulation_.spawn("kernel", engine::run_on_fiber([this, pe, kernel, &place](engine::Fiber& f) {
                        auto& cpu = machine_.component_as<components::PeCpu>(
                            machine_.pe_part(pe, topology::NodeKind::PeCpu));
                        const components::KernelContext context{pe, cpu};
                        PeExecutor executor(machine_, context, {pe.pe, pe.cube, 8, 16},
                                            place->allocator, recorder_, f, place->activity);
                        Tl tl(executor);
                        kernel(tl);
                        tl.end();
                      }));
  }
  void run() { simulation_.run(); }
  void run(const std::function<void(Tl&)>& kernel) {
    start({}, kernel);
    run();
  }

 private:
  struct Pe {
    Pe(const topology::TopologySpec& spec, const memory::PeLocation& pe) : allocator(spec, pe) {}
    memory::PeAllocator allocator;
    Activity activity;
  };
  [[nodiscard]] components::MachineOptions options() {
    components::MachineOptions options;
    options.trace = &trace_;
    options.stages = &recorder_;
    return options;
  }

  topology::TopologyGraph graph_;
  data::Recorder recorder_;
  trace::HopTrace trace_;
  std::map<memory::PeLocation, std::unique_ptr<Pe>> pes_;
  engine::Simulation simulation_;
  components::Machine machine_;
};

}  // namespace kernbench::model::kernel
