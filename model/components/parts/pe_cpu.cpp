// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/pe_cpu.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

using topology::NodeKind;

void PeCpu::on_message(Message message) {
  if (const auto* const done = std::get_if<CommandTokenDone>(&message.payload)) {
    done->command->done.trigger();
    return;
  }
  const auto* const request = std::get_if<CommandRequest>(&message.payload);
  if (request == nullptr) reject(message);
  const auto* const launch = std::get_if<KernelLaunch>(&request->command->action);
  if (launch == nullptr) reject(message);
  std::string process = fmt::format("{} on {}", launch->name, name());
  machine().simulation().spawn(std::move(process), run_kernel(std::move(message)));
}

engine::Process PeCpu::run_kernel(Message message) {
  const std::shared_ptr<const HostCommand> command =
      std::get<CommandRequest>(message.payload).command;
  const auto& launch = std::get<KernelLaunch>(command->action);
  const topology::Node& place = machine().graph().node(node());
  const KernelContext context{{place.sip, place.cube, place.pe}, *this};
  engine::Process body = (*launch.kernel)(context);
  co_await std::move(body);
  machine().reply(message, "kernel done", CommandDone{message.label.transaction});
}

void PeCpu::start(PeCommand& command) {
  command.transaction = machine().new_transaction();
  const bool pipeline = std::holds_alternative<PipelineWork>(command.work);
  send_to(pipeline ? NodeKind::PeScheduler : NodeKind::PeIpcq, {command.transaction, "command"},
          CommandToken{&command});
}

}  // namespace kernbench::model::components
