// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/host_cpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "model/components/machine/machine.hpp"
#include "model/engine/occurrence.hpp"
#include "model/memory/resolve_access.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using engine::Process;
using memory::PeLocation;
using topology::NodeId;
using topology::NodeKind;

void HostCpu::on_message(Message message) {
  const auto* const done = std::get_if<CommandDone>(&message.payload);
  if (done == nullptr) reject(message);
  const auto answer = answers_.find(done->request);
  Answer& waiting = answer->second;
  if (waiting.failure != nullptr && waiting.failure->empty()) *waiting.failure = done->failure;
  if (--*waiting.missing == 0) waiting.done->trigger();
  answers_.erase(answer);
}

void HostCpu::expect(std::uint64_t transaction, const Answer& answer) {
  ++*answer.missing;
  answers_.emplace(transaction, answer);
}

Process HostCpu::write(std::vector<Shard> shards) {
  return access(true, std::move(shards));
}

Process HostCpu::read(std::vector<Shard> shards) {
  return access(false, std::move(shards));
}

Process HostCpu::access(bool write, std::vector<Shard> shards) {
  if (shards.empty()) throw std::invalid_argument("a host access must have at least one shard");
  std::vector<memory::AccessPiece> pieces;
  for (const Shard& shard : shards) {
    for (const memory::AccessPiece& piece : pieces_of(shard)) pieces.push_back(piece);
  }
  AccessGroup group(machine(), write ? "the answers of a host write" : "the data of a host read");
  for (const memory::AccessPiece& piece : pieces) {
    RoutedAccess access;
    access.write = write;
    access.route =
        &machine().network().route(machine().router().find_memory_path(node(), piece.node).edges);
    access.address = piece.offset;
    access.bytes = piece.bytes;
    group.submit(access);
  }
  co_await group.done();
}

Process HostCpu::write_copies(std::vector<Shard> copies) {
  if (copies.empty()) throw std::invalid_argument("a host access must have at least one shard");
  const Shard& first = copies.front();
  PlaceData data{first.bytes, {}};
  for (const Shard& copy : copies) {
    if (copy.pe.sip != first.pe.sip || copy.pe.cube != first.pe.cube || copy.bytes != first.bytes) {
      throw std::invalid_argument("copies must have the same size and be in the same cube");
    }
    (void)pieces_of(copy);
    data.places.push_back(copy.pa);
  }
  engine::Event done("the answer to a host write of copies");
  std::size_t missing = 0;
  const std::uint64_t transaction = machine().new_transaction();
  expect(transaction, {&missing, &done, nullptr});
  const NodeId m_cpu = machine().resolver().find_m_cpu(first.pe.sip, first.pe.cube);
  const std::uint64_t bytes =
      first.bytes + machine().spec().system.placement_bytes * data.places.size();
  machine().send(machine().router().find_memory_path(node(), m_cpu).edges, bytes,
                 {transaction, "copies"}, std::move(data), transport::SourceOverhead::Added);
  co_await done;
}

Process HostCpu::run(HostCommand command, std::vector<PeLocation> targets) {
  check_targets(action_name(command), targets);
  const auto shared = std::make_shared<const HostCommand>(std::move(command));
  std::map<std::pair<std::uint32_t, std::size_t>, CommandRequest> by_chiplet;
  for (const PeLocation& target : targets) {
    CommandRequest& request = by_chiplet[{target.sip, nearest_chiplet(target.sip, target.cube)}];
    request.command = shared;
    request.targets.push_back(target);
  }
  engine::Event done(fmt::format("the answers to a {}", action_name(*shared)));
  std::size_t missing = 0;
  std::string failure;
  for (auto& [chiplet, request] : by_chiplet) {
    const std::uint64_t transaction = machine().new_transaction();
    expect(transaction, {&missing, &done, &failure});
    const NodeId io_cpu = machine().resolver().find_io_cpus(chiplet.first)[chiplet.second];
    const std::uint64_t bytes = request_bytes(machine().spec(), request);
    machine().send(machine().router().find_node_path(node(), io_cpu).edges, bytes,
                   {transaction, action_name(*shared)}, std::move(request),
                   transport::SourceOverhead::Added);
  }
  co_await done;
  if (!failure.empty()) throw std::invalid_argument(failure);
}

std::vector<memory::AccessPiece> HostCpu::pieces_of(const Shard& shard) const {
  const topology::MemoryMapSpec& memories = machine().spec().cube.memory_map;
  std::vector<memory::AccessPiece> pieces =
      memory::resolve_physical(shard.pa, shard.bytes, machine().resolver(), memories);
  bool elsewhere = pieces.size() > 1 && !memories.is_striped();
  for (const memory::AccessPiece& piece : pieces) {
    const topology::Node& node = machine().graph().node(piece.node);
    if (node.kind == NodeKind::PeTcm) {
      throw std::invalid_argument(fmt::format("{:#x} is in the TCM of {}, which only PEs reach",
                                              shard.pa, shard.pe.name()));
    }
    const bool of_a_pe = node.pe != topology::kNoIndex && !memories.is_striped();
    elsewhere |= node.sip != shard.pe.sip || node.cube != shard.pe.cube ||
                 (of_a_pe && node.pe != shard.pe.pe);
  }
  if (elsewhere) {
    throw std::invalid_argument(
        fmt::format("the {} bytes at {:#x} are in {}, not entirely in memory of {}", shard.bytes,
                    shard.pa, machine().graph().name(pieces.back().node), shard.pe.name()));
  }
  return pieces;
}

std::size_t HostCpu::nearest_chiplet(std::uint32_t sip, std::uint32_t cube) {
  if (machine().spec().sip.io_chiplets.size() == 1) return 0;
  const auto [known, is_new] = nearest_.try_emplace({sip, cube}, 0);
  if (!is_new) return known->second;
  const std::vector<NodeId> io_cpus = machine().resolver().find_io_cpus(sip);
  const NodeId m_cpu = machine().resolver().find_m_cpu(sip, cube);
  const auto distance = [&](std::size_t chiplet) {
    return machine().router().find_node_path(io_cpus[chiplet], m_cpu).distance_nm;
  };
  for (std::size_t i = 1; i < io_cpus.size(); ++i) {
    if (distance(i) < distance(known->second)) known->second = i;
  }
  return known->second;
}

void HostCpu::check_targets(std::string_view what, const std::vector<PeLocation>& targets) const {
  if (targets.empty()) throw std::invalid_argument(fmt::format("a {} has no targets", what));
  const topology::TopologySpec& spec = machine().spec();
  std::vector<std::string> absent;
  for (const PeLocation& target : targets) {
    if (target.sip >= spec.system.sips || target.cube >= spec.sip.cubes() ||
        target.pe >= spec.cube.pes()) {
      absent.push_back(target.name());
    }
  }
  if (!absent.empty()) {
    throw std::invalid_argument(
        fmt::format("a {} for PEs that the topology lacks: {}", what, fmt::join(absent, ", ")));
  }
  std::vector<PeLocation> sorted = targets;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw std::invalid_argument(fmt::format("a {} names {} twice", what, twice->name()));
  }
}

}  // namespace kernbench::model::components
