// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/pe_scheduler.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

using topology::NodeKind;

void PeScheduler::on_message(Message message) {
  if (const auto* const token = std::get_if<CommandToken>(&message.payload)) {
    start(*token->command);
  } else if (const auto* const tile = std::get_if<TileArrival>(&message.payload)) {
    finish(*tile->token);
  } else {
    reject(message);
  }
}

void PeScheduler::start(PeCommand& command) {
  const auto& work = std::get<PipelineWork>(command.work);
  const std::uint64_t first = std::min<std::uint64_t>(work.tiles_in_flight, work.plan.size());
  if (first == 0) {
    send_to(NodeKind::PeCpu, {command.transaction, "command done"}, CommandTokenDone{&command});
  }
  for (std::uint64_t i = 0; i < first; ++i) dispatch_next(command);
}

void PeScheduler::dispatch_next(PeCommand& command) {
  const auto& work = std::get<PipelineWork>(command.work);
  const std::uint32_t slot = tokens_.take();
  TileToken& token = tokens_[slot];
  token.slot = slot;
  token.command = &command;
  const std::uint64_t tile = command.next_tile++;
  if (const TileSequence* const only = work.plan.only()) {
    token.stages = *only;
  } else {
    token.own_stages = work.plan.sequence(tile);
    token.stages = token.own_stages;
  }
  token.stage = 0;
  token.transaction = machine().new_transaction();
  send_to(engine_of(token.at().kind), {token.transaction, "tile"}, TileArrival{&token});
}

void PeScheduler::finish(TileToken& token) {
  PeCommand& command = *token.command;
  tokens_.release(token.slot);
  ++command.tiles_done;
  const std::uint64_t tiles = std::get<PipelineWork>(command.work).plan.size();
  if (command.next_tile < tiles) {
    dispatch_next(command);
  } else if (command.tiles_done == tiles) {
    send_to(NodeKind::PeCpu, {command.transaction, "command done"}, CommandTokenDone{&command});
  }
}

}  // namespace kernbench::model::components
