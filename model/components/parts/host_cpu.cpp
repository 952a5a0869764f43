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

namespace {

std::string name_of(const PeLocation& pe) {
  return fmt::format("sip{}.cube{}.pe{}", pe.sip, pe.cube, pe.pe);
}

}  // namespace

void HostCpu::on_message(Message message) {
  const auto* const done = std::get_if<CommandDone>(&message.payload);
  if (done == nullptr) reject(message);
  const auto answer = answers_.find(done->request);
  if (--*answer->second.missing == 0) answer->second.done->trigger();
  answers_.erase(answer);
}

void HostCpu::expect(std::uint64_t transaction, std::size_t& missing, engine::Event& done) {
  ++missing;
  answers_.emplace(transaction, Answer{&missing, &done});
}

Process HostCpu::write(std::vector<Shard> shards) {
  return access(true, std::move(shards));
}

Process HostCpu::read(std::vector<Shard> shards) {
  return access(false, std::move(shards));
}

Process HostCpu::access(bool write, std::vector<Shard> shards) {
  if (shards.empty()) throw std::invalid_argument("a host access must have at least one shard");
  std::vector<Place> places;
  places.reserve(shards.size());
  for (const Shard& shard : shards) places.push_back(place_of(shard));
  AccessGroup group(machine(), write ? "the answers of a host write" : "the data of a host read");
  for (std::size_t i = 0; i < shards.size(); ++i) {
    RoutedAccess access;
    access.write = write;
    access.route = &machine().network().route(
        machine().router().find_memory_path(node(), places[i].memory).edges);
    access.address = places[i].address;
    access.bytes = shards[i].bytes;
    group.submit(access);
  }
  co_await group.done();
}

Process HostCpu::write_copies(std::vector<Shard> copies) {
  if (copies.empty()) throw std::invalid_argument("a host access must have at least one shard");
  const Shard& first = copies.front();
  PlaceData data;
  for (const Shard& copy : copies) {
    if (copy.pe.sip != first.pe.sip || copy.pe.cube != first.pe.cube || copy.bytes != first.bytes) {
      throw std::invalid_argument("copies must have the same size and be in the same cube");
    }
    const Place place = place_of(copy);
    data.destinations.push_back({place.memory, place.address});
  }
  engine::Event done("the answer to a host write of copies");
  std::size_t missing = 0;
  const std::uint64_t transaction = machine().new_transaction();
  expect(transaction, missing, done);
  const NodeId m_cpu = machine().resolver().find_m_cpu(first.pe.sip, first.pe.cube);
  const std::uint64_t bytes = first.bytes + kPlacementBytes * data.destinations.size();
  machine().send(machine().router().find_memory_path(node(), m_cpu).edges, bytes,
                 {transaction, "copies"}, std::move(data), transport::SourceOverhead::Added);
  co_await done;
}

Process HostCpu::run(HostCommand command, std::vector<PeLocation> targets, std::string io_id) {
  check_targets(action_name(command), targets);
  const auto* const launch = std::get_if<KernelLaunch>(&command.action);
  if (launch != nullptr && launch->kernel == nullptr) {
    throw std::invalid_argument(fmt::format("launch '{}' has no kernel", launch->name));
  }
  if (io_id.empty()) io_id = machine().spec().sip.io_chiplets.front().id;
  const auto shared = std::make_shared<const HostCommand>(std::move(command));
  std::map<std::uint32_t, CommandRequest> by_sip;
  for (const PeLocation& target : targets) {
    CommandRequest& request = by_sip[target.sip];
    request.command = shared;
    request.targets.push_back(target);
  }
  engine::Event done(fmt::format("the answers to a {}", action_name(*shared)));
  std::size_t missing = 0;
  for (auto& [sip, request] : by_sip) {
    const std::uint64_t transaction = machine().new_transaction();
    expect(transaction, missing, done);
    const NodeId io_cpu = machine().resolver().find_io_cpu(sip, io_id);
    const std::uint64_t bytes = request_bytes(machine().spec(), request);
    machine().send(machine().router().find_node_path(node(), io_cpu).edges, bytes,
                   {transaction, action_name(*shared)}, std::move(request),
                   transport::SourceOverhead::Added);
  }
  co_await done;
}

HostCpu::Place HostCpu::place_of(const Shard& shard) const {
  const std::vector<memory::AccessPiece> pieces =
      resolve_access(memory::PageTable(), shard.pa, shard.bytes, machine().resolver(),
                     machine().spec().cube.memory_map);
  const topology::Node& node = machine().graph().node(pieces.front().node);
  const bool in_pe = node.pe != topology::kNoIndex;
  if (node.kind == NodeKind::PeTcm) {
    throw std::invalid_argument(fmt::format("{:#x} is in the TCM of {}, which only PEs reach",
                                            shard.pa, name_of(shard.pe)));
  }
  if (pieces.size() > 1 || node.sip != shard.pe.sip || node.cube != shard.pe.cube ||
      (in_pe && node.pe != shard.pe.pe)) {
    throw std::invalid_argument(
        fmt::format("the {} bytes at {:#x} are in {}, not entirely in memory of {}", shard.bytes,
                    shard.pa, machine().graph().name(pieces.back().node), name_of(shard.pe)));
  }
  return {pieces.front().node, pieces.front().offset};
}

void HostCpu::check_targets(std::string_view what, const std::vector<PeLocation>& targets) const {
  if (targets.empty()) throw std::invalid_argument(fmt::format("a {} has no targets", what));
  const topology::TopologySpec& spec = machine().spec();
  std::vector<std::string> absent;
  for (const PeLocation& target : targets) {
    if (target.sip >= spec.system.sips || target.cube >= spec.sip.cubes() ||
        target.pe >= spec.cube.pes()) {
      absent.push_back(name_of(target));
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
    throw std::invalid_argument(fmt::format("a {} names {} twice", what, name_of(*twice)));
  }
}

}  // namespace kernbench::model::components
