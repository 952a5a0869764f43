#include "model/kernel/pe_executor.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/components/pe_cpu.hpp"
#include "model/components/pe_mmu.hpp"
#include "model/memory/resolve_access.hpp"
#include "topology/routing/phys_addr.hpp"

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
                       data::Recorder& recorder, engine::Fiber& fiber, Activity& activity)
    : Executor(activity, &fiber, recorder.keeps_operations()),
      machine_(machine),
      pe_(context.pe),
      cpu_(context.cpu),
      place_(place),
      allocator_(allocator),
      tcm_(topology::encode(topology::PhysAddr::pe_tcm(static_cast<std::uint8_t>(pe_.sip),
                                                       static_cast<std::uint8_t>(pe_.cube),
                                                       static_cast<std::uint8_t>(pe_.pe), 0))),
      recorder_(recorder),
      table_(
          machine.component_as<components::PeMmu>(machine.pe_part(pe_, NodeKind::PeMmu)).table()),
      ipcq_(machine.component_as<components::PeIpcq>(machine.pe_part(pe_, NodeKind::PeIpcq))) {
  for (const NodeKind kind : topology::kPeParts) {
    parts_.at(static_cast<std::size_t>(kind)) = machine.sibling(cpu_.node(), kind);
  }
}

std::uint64_t PeExecutor::allocate(std::uint64_t bytes) {
  return tcm_ + allocator_.tcm().allocate(bytes);
}

void PeExecutor::free(std::uint64_t pa, std::uint64_t bytes) {
  allocator_.tcm().free(pa - tcm_, bytes);
}

bool PeExecutor::resolve_in_slice(std::uint64_t va, std::uint64_t bytes, data::Block& block) const {
  if (slice_.bytes == 0 || bytes == 0 || va + bytes < va) return false;
  const std::optional<std::uint64_t> pa = table_.translate_whole(va, bytes);
  if (!pa || *pa < slice_.pa || bytes > slice_.bytes || *pa - slice_.pa > slice_.bytes - bytes) {
    return false;
  }
  block.space = data::Space::Hbm;
  if (keeps_operations()) block.stretches = {{*pa, bytes}};
  return true;
}

void PeExecutor::resolve(std::uint64_t va, data::Block& block) {
  const std::uint64_t bytes = block.span_bytes();
  if (resolve_in_slice(va, bytes, block)) return;
  const topology::MemoryMapSpec& memories = machine_.spec().cube.memory_map;
  const std::vector<memory::AccessPiece> pieces =
      memory::resolve_access(table_, va, bytes, machine_.resolver(), memories);
  for (const memory::AccessPiece& piece : pieces)
    block.stretches.push_back({piece.pa, piece.bytes});
  block.space = space_of(pieces.front().pa);
  if (block.space == data::Space::Hbm) {
    slice_ = {pieces.front().pa - pieces.front().offset, memories.hbm_slice_bytes()};
  }
}

void PeExecutor::find_channel(std::string_view direction, data::IpcqCopyParams& copy) {
  const std::string name(direction);
  const components::PeIpcq::Peer peer = ipcq_.peer(name);
  ipcq_.check_bytes(copy.send ? "send" : "receive", copy.local.bytes());
  copy.receiver = copy.send ? peer.ipcq : ipcq_.node();
  copy.direction = copy.send ? peer.direction : ipcq_.number_of(name);
}

void PeExecutor::begin(Operation& operation) {
  operation.record.start = machine_.simulation().now();
  operation.record.component = parts_.at(static_cast<std::size_t>(operation.engine));
  operation.command.operation = recorder_.begin(std::move(operation.record));
  cpu_.start(operation.command);
}

void PeExecutor::end(const Operation& operation) {
  recorder_.end(operation.command.operation, machine_.simulation().now());
}

}  // namespace kernbench::model::kernel
