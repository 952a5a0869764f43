// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/pe_executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/components/parts/pe_cpu.hpp"
#include "model/components/parts/pe_mmu.hpp"
#include "model/memory/resolve_access.hpp"
#include "topology/routing/phys_addr.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {

using topology::NodeKind;

namespace {

data::Space space_of(std::uint64_t pa) {
  const topology::PhysAddr address = topology::decode_phys_addr(pa);
  if (address.kind == topology::AddressKind::Hbm) return data::Space::Hbm;
  return address.unit == topology::UnitType::Pe ? data::Space::Tcm : data::Space::Sram;
}

}  // namespace

PeExecutor::PeExecutor(components::Machine& machine, const components::KernelContext& context,
                       const ProgramPlace& place, memory::PeAllocator& allocator,
                       data::Recorder& recorder, engine::Fiber& fiber, Activity& activity,
                       std::uint32_t launch)
    : Executor(activity, &fiber,
               machine.component_as<components::PeMmu>(machine.pe_part(context.pe, NodeKind::PeMmu))
                   .table(),
               allocator, machine.spec().pe.pe_gemm_accumulator_bytes(),
               recorder.keeps_operations()),
      machine_(machine),
      pe_(context.pe),
      cpu_(context.cpu),
      place_(place),
      recorder_(recorder),
      ipcq_(machine.component_as<components::PeIpcq>(machine.pe_part(pe_, NodeKind::PeIpcq))),
      launch_(launch) {
  for (const NodeKind kind : topology::kPeParts) {
    parts_.at(static_cast<std::size_t>(kind)) = machine.sibling(cpu_.node(), kind);
  }
}

void PeExecutor::resolve(std::uint64_t va, data::Block& block) {
  const std::uint64_t bytes = block.span_bytes();
  if (known_mapped(va, bytes)) {
    block.space = data::Space::Hbm;
    block.stretches = {{window_.pa + (va - window_.va), bytes}};
    return;
  }
  const topology::MemoryMapSpec& memories = machine_.spec().cube.memory_map;
  const std::vector<memory::AccessStretch> stretches =
      memory::resolve_stretches(table_, va, bytes, machine_.resolver(), memories);
  for (const memory::AccessStretch& stretch : stretches) {
    block.stretches.push_back({stretch.pa, stretch.bytes});
  }
  const memory::AccessStretch& first = stretches.front();
  block.space = space_of(first.pa);
  if (block.space != data::Space::Hbm) return;
  const memory::Translation mapped = table_.stretch_at(va);
  const std::uint64_t before = std::min(va - mapped.va, first.offset);
  const std::uint64_t after = std::min(mapped.va + mapped.bytes - va, first.room);
  window_ = {va - before, before + after, first.pa - before, table_.version()};
}

void PeExecutor::find_channel(std::string_view direction, data::IpcqCopyParams& copy) {
  const std::string name(direction);
  const components::PeIpcq::Peer peer = ipcq_.peer(name);
  ipcq_.check_bytes(copy.send ? "send" : "receive", name, copy.local.bytes());
  copy.receiver = copy.send ? peer.ipcq : ipcq_.node();
  copy.direction = copy.send ? peer.direction : ipcq_.number_of(name);
}

data::Array PeExecutor::values(const data::Block& block) {
  if (recorder_.live() == nullptr) {
    throw std::invalid_argument(
        "the numbers are not computed while kernels run; `kernbench run --data live` computes them "
        "then");
  }
  return recorder_.live()->store().read(block);
}

void PeExecutor::begin(Operation& operation) {
  if (operation.record) {
    data::OpRecord& record = *operation.record;
    record.start = machine_.simulation().now();
    record.component = parts_.at(static_cast<std::size_t>(operation.engine));
    record.line = operation.line;
    record.launch = launch_;
    record.awaited_later = operation.awaited_later;
    operation.command.operation = recorder_.begin(std::move(record));
  } else {
    operation.command.operation = recorder_.count_unkept();
  }
  cpu_.start(operation.command);
}

void PeExecutor::end(const Operation& operation) {
  recorder_.end(operation.command.operation, machine_.simulation().now());
}

}  // namespace kernbench::model::kernel
