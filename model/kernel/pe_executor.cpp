#include "model/kernel/pe_executor.hpp"

#include <string>
#include <utility>

#include "model/components/pe_cpu.hpp"
#include "model/components/pe_mmu.hpp"
#include "model/memory/resolve_access.hpp"
#include "topology/routing/phys_addr.hpp"

namespace kernbench::model::kernel {

using components::PeCommand;
using topology::NodeKind;

/// An operation under way.
struct PeExecutor::Started final : Pending {
  Started(std::string_view name, PeCommand::Work work)
      : command(std::string(name), std::move(work)) {}

  PeCommand command;
};

PeExecutor::PeExecutor(components::Machine& machine, const components::KernelContext& context,
                       const ProgramPlace& place, memory::PeAllocator& allocator,
                       data::Recorder& recorder, engine::Fiber& fiber)
    : machine_(machine),
      pe_(context.pe),
      cpu_(context.cpu),
      place_(place),
      allocator_(allocator),
      recorder_(recorder),
      fiber_(fiber),
      table_(
          machine.component_as<components::PeMmu>(machine.pe_part(pe_, NodeKind::PeMmu)).table()),
      ipcq_(machine.component_as<components::PeIpcq>(machine.pe_part(pe_, NodeKind::PeIpcq))) {}

std::uint64_t PeExecutor::allocate(std::uint64_t bytes) {
  return topology::encode(allocator_.allocate_tcm(bytes));
}

void PeExecutor::free(std::uint64_t pa, std::uint64_t bytes) {
  allocator_.free(topology::decode_phys_addr(pa), bytes);
}

std::vector<data::Stretch> PeExecutor::resolve(std::uint64_t va, std::uint64_t bytes) {
  std::vector<data::Stretch> stretches;
  for (const memory::AccessPiece& piece : memory::resolve_access(
           table_, va, bytes, machine_.resolver(), machine_.spec().cube.memory_map)) {
    stretches.push_back({piece.pa, piece.bytes});
  }
  return stretches;
}

data::Space PeExecutor::space_of(std::uint64_t pa) const {
  const topology::PhysAddr address = topology::decode_phys_addr(pa);
  if (address.kind == topology::AddressKind::Hbm) return data::Space::Hbm;
  return address.unit == topology::UnitType::Pe ? data::Space::Tcm : data::Space::Sram;
}

void PeExecutor::find_channel(std::string_view direction, data::IpcqCopyParams& copy) {
  const std::string name(direction);
  const components::PeIpcq::Peer peer = ipcq_.peer(name);
  ipcq_.check_bytes(copy.send ? "send" : "receive", copy.local.bytes());
  copy.receiver = copy.send ? peer.ipcq : ipcq_.node();
  copy.direction = copy.send ? peer.direction : ipcq_.number_of(name);
}

std::uint32_t PeExecutor::begin(Operation& operation) {
  data::OpRecord record;
  record.start = machine_.simulation().now();
  record.component = machine_.pe_part(pe_, operation.engine);
  record.params = std::move(operation.params);
  record.dependencies = std::move(operation.producers);
  record.line = operation.line;
  return recorder_.begin(std::move(record));
}

std::uint32_t PeExecutor::execute(Operation operation) {
  PeCommand command(std::string(operation.name), std::move(operation.work));
  command.operation = begin(operation);
  cpu_.start(command);
  fiber_.wait(command.done);
  recorder_.end(command.operation, machine_.simulation().now());
  return command.operation;
}

std::unique_ptr<Pending> PeExecutor::start(Operation operation) {
  auto started = std::make_unique<Started>(operation.name, std::move(operation.work));
  started->command.operation = begin(operation);
  cpu_.start(started->command);
  return started;
}

std::uint32_t PeExecutor::finish(Pending& pending) {
  auto& started = dynamic_cast<Started&>(pending);
  fiber_.wait(started.command.done);
  recorder_.end(started.command.operation, machine_.simulation().now());
  return started.command.operation;
}

}  // namespace kernbench::model::kernel
