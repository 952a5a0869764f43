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
  const Kernel* const kernel = machine().kernels().find(launch->name);
  if (kernel == nullptr) {
    machine().reply(
        message, "kernel failed",
        CommandDone{message.label.transaction,
                    fmt::format("{}: {}", name(), machine().kernels().refusal(launch->name))});
    return;
  }
  const std::uint32_t arguments = launch->arguments;
  std::string process = fmt::format("{} on {}", launch->name, name());
  machine().simulation().spawn(std::move(process),
                               run_kernel(*kernel, arguments, std::move(message)));
}

engine::Process PeCpu::run_kernel(const Kernel& kernel, std::uint32_t arguments, Message message) {
  const topology::Node& place = machine().graph().node(node());
  const KernelContext context{{place.sip, place.cube, place.pe}, *this, arguments};
  engine::Process body = kernel(context);
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
