// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/fan_out.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/components/machine/machine.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using topology::NodeId;

namespace {

std::size_t regions_of(const HostCommand& command) {
  if (const auto* const map = std::get_if<MmuMap>(&command.action)) {
    return map->sent.value_or(map->regions.size());
  }
  if (const auto* const unmap = std::get_if<MmuUnmap>(&command.action)) {
    return unmap->sent.value_or(unmap->regions.size());
  }
  return 0;
}

}  // namespace

std::uint64_t request_bytes(const topology::TopologySpec& spec, const CommandRequest& request) {
  const topology::SystemSpec& system = spec.system;
  return system.request_bytes + system.target_bytes * request.targets.size() +
         system.region_bytes * regions_of(*request.command);
}

std::string_view action_name(const HostCommand& command) {
  if (std::holds_alternative<KernelLaunch>(command.action)) return "launch";
  return std::holds_alternative<MmuMap>(command.action) ? "map" : "unmap";
}

void FanOut::on_message(Message message) {
  if (const auto* const done = std::get_if<CommandDone>(&message.payload)) {
    take_answer(*done);
  } else if (const auto* const request = std::get_if<CommandRequest>(&message.payload)) {
    const CommandRequest asked = *request;
    forward(std::move(message), asked);
  } else {
    reject(message);
  }
}

void FanOut::forward(Message message, const CommandRequest& request) {
  // In the order of their first target.
  std::vector<std::pair<NodeId, CommandRequest>> parts;
  for (const memory::PeLocation& target : request.targets) {
    const NodeId next = next_for(*request.command, target);
    const auto known = std::find_if(parts.begin(), parts.end(),
                                    [next](const auto& part) { return part.first == next; });
    CommandRequest& part =
        known != parts.end() ? known->second
                             : parts.emplace_back(next, CommandRequest{request.command, {}}).second;
    part.targets.push_back(target);
  }
  const trace::Label label{message.label.transaction, action_name(*request.command)};
  pending_.emplace(label.transaction, Pending{std::move(message), parts.size(), {}});
  for (auto& [next, part] : parts) {
    const std::uint64_t bytes = request_bytes(machine().spec(), part);
    machine().send(machine().router().find_node_path(node(), next).edges, bytes, label,
                   std::move(part));
  }
}

void FanOut::take_answer(const CommandDone& answer) {
  const auto waiting = pending_.find(answer.request);
  if (waiting->second.failure.empty()) waiting->second.failure = answer.failure;
  if (--waiting->second.missing != 0) return;
  Pending done = std::move(waiting->second);
  pending_.erase(waiting);
  machine().reply(done.request, "done", CommandDone{answer.request, std::move(done.failure)});
}

}  // namespace kernbench::model::components
