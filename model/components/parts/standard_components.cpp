// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/registration.hpp"
#include "common/text_distance.hpp"
#include "model/components/machine/component_registration.hpp"
#include "model/components/machine/machine.hpp"
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

/// Components that plugins replace, by name. Filled before the first machine is made; constant
/// afterwards.
std::map<std::string, ComponentRegistry::Factory>& replacements() {
  static std::map<std::string, ComponentRegistry::Factory> all;
  return all;
}

ComponentRegistry make_all() {
  ComponentRegistry registry = make_standard();
  for (const auto& [name, factory] : replacements()) registry.add(name, factory);
  return registry;
}

}  // namespace

const ComponentRegistry& standard_components() {
  static const ComponentRegistry registry = make_all();
  return registry;
}

ComponentRegistration::ComponentRegistration(const std::string& name,
                                             ComponentRegistry::Factory factory) {
  const ComponentRegistry standard = make_standard();
  const std::vector<std::string_view> names = standard.names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    common::refuse_registration(fmt::format("there is no component '{}' to replace{}", name,
                                            common::did_you_mean(name, names)));
  } else if (!replacements().try_emplace(name, std::move(factory)).second) {
    common::refuse_registration(fmt::format("the component '{}' is already replaced", name));
  }
}

}  // namespace kernbench::model::components
