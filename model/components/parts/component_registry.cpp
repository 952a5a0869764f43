#include "model/components/machine/component_registry.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "model/components/parts/forwarding.hpp"
#include "model/components/parts/hbm_ctrl.hpp"
#include "model/components/parts/host_cpu.hpp"
#include "model/components/parts/io_cpu.hpp"
#include "model/components/parts/m_cpu.hpp"
#include "model/components/parts/pcie_ep.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/components/parts/pe_dma.hpp"
#include "model/components/parts/pe_fetch_store.hpp"
#include "model/components/parts/pe_gemm.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/components/parts/pe_math.hpp"
#include "model/components/parts/pe_mmu.hpp"
#include "model/components/parts/pe_scheduler.hpp"
#include "model/components/parts/pe_tcm.hpp"
#include "model/components/parts/sram.hpp"

namespace kernbench::model::components {

using topology::NodeKind;

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

std::string_view component_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::Switch:
    case NodeKind::IoNoc:
    case NodeKind::IoUcie:
    case NodeKind::IoConn:
    case NodeKind::Router:
    case NodeKind::UciePhy:
    case NodeKind::UcieConn:
    case NodeKind::Maze:
      return "forwarding";
    default:
      return topology::name(kind);
  }
}

std::unique_ptr<Component> ComponentRegistry::make(std::string_view name, Machine& machine,
                                                   topology::NodeId node) const {
  const auto found = factories_.find(name);
  if (found == factories_.end()) {
    std::vector<std::string_view> names;
    for (const auto& [known, factory] : factories_) names.push_back(known);
    throw std::invalid_argument(
        fmt::format("there is no component '{}'; there is {}", name, fmt::join(names, ", ")));
  }
  return found->second(machine, node);
}

const ComponentRegistry& standard_components() {
  static const ComponentRegistry registry = make_standard();
  return registry;
}

}  // namespace kernbench::model::components
