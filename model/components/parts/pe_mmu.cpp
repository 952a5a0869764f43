// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/pe_mmu.hpp"

#include <memory>
#include <variant>

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

void PeMmu::on_message(Message message) {
  const auto* const request = std::get_if<CommandRequest>(&message.payload);
  if (request == nullptr) reject(message);
  const HostCommand& command = *request->command;
  if (const auto* const map = std::get_if<MmuMap>(&command.action)) {
    table_.map(std::shared_ptr<const memory::Mappings>(request->command, &map->regions));
  } else if (const auto* const unmap = std::get_if<MmuUnmap>(&command.action)) {
    for (const memory::Mapping& region : unmap->regions) {
      (void)table_.unmap(region.va, region.bytes);
    }
  } else {
    reject(message);
  }
  machine().reply(message, "mapped", CommandDone{message.label.transaction});
}

}  // namespace kernbench::model::components
