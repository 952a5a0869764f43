// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/machine.hpp"

#include <memory>

#include "model/components/parts/control_cpus.hpp"
#include "model/components/parts/forwarding.hpp"
#include "model/components/parts/host_cpu.hpp"
#include "model/components/parts/memories.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/components/parts/pe_dma.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/components/parts/pe_mmu.hpp"
#include "model/components/parts/pe_scheduler.hpp"
#include "model/components/parts/tile_engines.hpp"

namespace kernbench::model::components {

namespace {

template <typename T>
std::unique_ptr<Component> make_component(Machine& machine, topology::NodeId node) {
  return std::make_unique<T>(machine, node);
}

ComponentRegistry make_standard() {
  ComponentRegistry registry;
  registry.add("forwarding", make_component<Forwarding>);
  registry.add("hbm_ctrl", make_component<HbmCtrl>);
  registry.add("host_cpu", make_component<HostCpu>);
  registry.add("io_cpu", make_component<IoCpu>);
  registry.add("m_cpu", make_component<MCpu>);
  registry.add("pcie_ep", make_component<PcieEp>);
  registry.add("pe_cpu", make_component<PeCpu>);
  registry.add("pe_dma", make_component<PeDma>);
  registry.add("pe_fetch_store", make_component<PeFetchStore>);
  registry.add("pe_gemm", make_component<PeGemm>);
  registry.add("pe_ipcq", make_component<PeIpcq>);
  registry.add("pe_math", make_component<PeMath>);
  registry.add("pe_mmu", make_component<PeMmu>);
  registry.add("pe_scheduler", make_component<PeScheduler>);
  registry.add("pe_tcm", make_component<PeTcm>);
  registry.add("sram", make_component<Sram>);
  return registry;
}

}  // namespace

const ComponentRegistry& standard_components() {
  static const ComponentRegistry registry = make_standard();
  return registry;
}

}  // namespace kernbench::model::components
