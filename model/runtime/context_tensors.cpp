// SPDX-License-Identifier: Apache-2.0
// The tensors of a context: memory, mappings and copies.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "model/engine/occurrence.hpp"
#include "model/runtime/context.hpp"
#include "topology/routing/phys_addr.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::runtime {

using engine::Process;
using memory::Mapping;
using memory::PeLocation;

namespace {

/// Elements of the largest tensor: its size at 4 bytes an element, and all offsets, fit in 63 bits.
constexpr std::uint64_t kMaxTensorElements = std::uint64_t{1} << 60U;

/// Runs processes concurrently and ends with the last.
Process run_all(engine::Simulation& simulation, std::string name, std::vector<Process> processes) {
  std::vector<engine::Occurrence> ends;
  ends.reserve(processes.size());
  for (Process& process : processes) {
    ends.emplace_back(simulation.spawn(name, std::move(process)));
  }
  co_await engine::all_of(ends);
}

data::Block block_of(const DeviceShard& shard, data::DataType type) {
  data::Block block;
  block.space = data::Space::Hbm;
  block.type = type;
  block.rows = shard.part.rows;
  block.columns = shard.part.columns;
  block.row_stride = shard.part.columns;
  block.stretches = {{shard.pa, shard.bytes}};
  return block;
}

/// Returns the parameters of a copy, without its parts.
data::HostCopyParams copy_of(const DeviceTensor& tensor, bool to_device) {
  data::HostCopyParams params;
  params.to_device = to_device;
  params.rows = tensor.layout.rows();
  params.columns = tensor.layout.columns();
  params.type = tensor.type;
  return params;
}

}  // namespace

Tensor Context::tensor(std::uint64_t rows, std::uint64_t columns, data::DataType type,
                       const DpPolicy& policy, HostData data, data::SourceLine line) {
  const std::uint32_t used_cubes = policy.cubes.value_or(cubes());
  const std::uint32_t used_pes = policy.pes.value_or(pes());
  if (used_cubes == 0 || used_cubes > cubes() || used_pes == 0 || used_pes > pes()) {
    throw std::invalid_argument(
        fmt::format("cannot place a tensor on {}x{} PEs: {} has {} cubes of {} PEs", used_cubes,
                    used_pes, device_.name(), cubes(), pes()));
  }
  auto tensor =
      std::make_shared<DeviceTensor>(DeviceTensor{0,
                                                  rows * columns * bytes_of(type),
                                                  type,
                                                  {rows, columns, policy, used_cubes, used_pes},
                                                  {},
                                                  false,
                                                  0,
                                                  {}});
  if (rows == 0 || columns == 0) return tensor;
  if (rows > kMaxTensorElements / columns) {
    refuse_size(*tensor, line, "a tensor has at most 2^60 elements");
  }
  try {
    tensor->va = session_.allocate_range(tensor->bytes);
    try {
      allocate_shards(*tensor);
    } catch (...) {
      free_memory(*tensor);
      throw;
    }
  } catch (const memory::OutOfMemory& error) {
    if (parameters_.empty()) throw;
    refuse_size(*tensor, line, error.what());
  }
  data::TensorRecord record{rows, columns, type, line, {}};
  for (const DeviceShard& shard : tensor->shards) {
    record.parts.push_back({shard.part.row, shard.part.column, block_of(shard, type)});
  }
  tensor->record = session_.recorder().add_tensor(std::move(record));
  if (data) ++session_.record().submissions;
  if (data && initial_ && !session_.options().upload) {
    place(*tensor, std::exchange(data, nullptr));
  }
  RequestRecord request{data ? RequestKind::CopyToDevice : RequestKind::Other,
                        "deployment of a tensor", tensor->bytes};
  enqueue(deploy(tensor, std::move(data)), std::move(request));
  return tensor;
}

std::size_t Context::offsets_of(const memory::Mappings& regions) const {
  const std::uint64_t of_pe = session_.spec().cube.hbm_bytes_of_pe();
  std::set<std::uint64_t> offsets;
  for (const Mapping& region : regions) {
    offsets.insert(topology::decode_phys_addr(region.pa).hbm_offset % of_pe);
  }
  return offsets.size();
}

void Context::allocate_shards(DeviceTensor& tensor) {
  std::vector<std::uint64_t> physical(std::size_t{tensor.layout.cubes()} * tensor.layout.pes());
  for (std::uint32_t cube = 0; cube < tensor.layout.cubes(); ++cube) {
    for (std::uint32_t pe = 0; pe < tensor.layout.pes(); ++pe) {
      const ShardPlace place = tensor.layout.shard(cube, pe);
      if (place.part.empty()) continue;
      const PeLocation location = device_.at(cube, pe);
      const components::ElementSize size = bytes_of(tensor.type);
      if (!size.fills(place.part.columns)) {
        throw BadParameter(fmt::format(
            "a tensor of {} x {} of {} has parts of {} columns, but two elements share a byte: the "
            "number must be even",
            tensor.layout.rows(), tensor.layout.columns(), name_of(tensor.type),
            place.part.columns));
      }
      const std::uint64_t bytes = place.part.rows * place.part.columns * size;
      const std::uint64_t pa = topology::encode(session_.allocator(location).allocate_hbm(bytes));
      tensor.shards.push_back({location, place.part, tensor.va + place.offset * size, pa, bytes});
      physical[std::size_t{cube} * tensor.layout.pes() + pe] = pa;
    }
  }
  if (session_.options().addresses == AddressModel::Physical) {
    tensor.physical = std::make_shared<const std::vector<std::uint64_t>>(std::move(physical));
  }
}

void Context::free_memory(const DeviceTensor& tensor) {
  for (const DeviceShard& shard : tensor.shards) {
    session_.allocator(shard.pe).free(topology::decode_phys_addr(shard.pa), shard.bytes);
  }
  session_.free_range(tensor.va, tensor.bytes);
}

Process Context::deploy(Tensor tensor, HostData data) {
  co_await change_maps(tensor, true);
  if (data) co_await copy_in(std::move(tensor), std::move(data));
}

Process Context::change_maps(Tensor tensor, bool map) {
  const AddressModel model = session_.options().addresses;
  if (model == AddressModel::Physical) co_return;
  const DpPolicy& policy = tensor->layout.policy();
  const bool own_cube = policy.cube == Placement::Replicate;
  const bool own_pe = policy.pe == Placement::Replicate;
  // PEs that map the tensor to the same memory get one message.
  std::map<std::pair<std::uint32_t, std::uint32_t>, memory::Mappings> regions;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<PeLocation>> targets;
  const auto key = [&](std::uint32_t cube, std::uint32_t pe) {
    return std::pair(own_cube ? cube : 0, own_pe ? pe : 0);
  };
  for (const DeviceShard& shard : tensor->shards) {
    regions[key(shard.pe.cube, shard.pe.pe)].push_back({shard.va, shard.pa, shard.bytes});
  }
  for (std::uint32_t cube = 0; cube < cubes(); ++cube) {
    for (std::uint32_t pe = 0; pe < pes(); ++pe) {
      const PeLocation target = device_.at(cube, pe);
      const auto which = key(target.cube, target.pe);
      if (regions.count(which) != 0) targets[which].push_back(target);
    }
  }
  std::vector<Process> messages;
  for (auto& [which, list] : regions) {
    std::sort(list.begin(), list.end(),
              [](const Mapping& a, const Mapping& b) { return a.va < b.va; });
    const std::size_t sent = model == AddressModel::Logical ? offsets_of(list) : list.size();
    components::HostCommand command;
    if (map) {
      command.action = components::MmuMap{list, sent};
    } else {
      command.action = components::MmuUnmap{list, sent};
    }
    messages.push_back(host().run(std::move(command), targets[which]));
  }
  co_await run_all(session_.machine().simulation(), map ? "map" : "unmap", std::move(messages));
}

std::uint32_t Context::begin_copy(data::HostCopyParams params) {
  data::OpRecord record;
  record.start = now();
  record.component = session_.machine().resolver().find_host_cpu();
  record.params = std::move(params);
  return session_.recorder().begin(std::move(record));
}

void Context::place(const DeviceTensor& tensor, HostData data) {
  data::HostCopyParams params = copy_of(tensor, true);
  params.data = std::move(data);
  for (const DeviceShard& shard : tensor.shards) {
    params.parts.push_back({shard.part.row, shard.part.column, block_of(shard, tensor.type)});
  }
  session_.recorder().end(begin_copy(std::move(params)), now());
}

Process Context::copy_in(Tensor tensor, HostData data) {
  data::HostCopyParams params = copy_of(*tensor, true);
  params.data = std::move(data);
  // Replicas within a cube are sent to it once.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<components::Shard>> copies;
  std::vector<components::Shard> shards;
  const bool replicas =
      tensor->layout.policy().pe == Placement::Replicate && tensor->layout.pes() > 1;
  for (const DeviceShard& shard : tensor->shards) {
    params.parts.push_back({shard.part.row, shard.part.column, block_of(shard, tensor->type)});
    const components::Shard piece{shard.pe, shard.pa, shard.bytes};
    if (replicas) {
      copies[{shard.pe.cube, shard.va}].push_back(piece);
    } else {
      shards.push_back(piece);
    }
  }
  const std::uint32_t number = begin_copy(std::move(params));
  std::vector<Process> writes;
  writes.reserve(copies.size() + 1);
  for (auto& [where, pieces] : copies) writes.push_back(host().write_copies(std::move(pieces)));
  if (!shards.empty()) writes.push_back(host().write(std::move(shards)));
  co_await run_all(session_.machine().simulation(), "host write", std::move(writes));
  session_.recorder().end(number, now());
}

HostCopy Context::read(const Tensor& tensor) {
  if (tensor->freed) throw std::invalid_argument("cannot read a freed tensor");
  const HostCopy copy{session_.new_result(), tensor->type};
  ++session_.record().submissions;
  enqueue(copy_out(tensor, copy), {RequestKind::CopyToHost, "copy to the host", tensor->bytes});
  return copy;
}

Process Context::copy_out(Tensor tensor, HostCopy copy) {
  data::HostCopyParams params = copy_of(*tensor, false);
  params.result = copy.result;
  std::vector<components::Shard> shards;
  std::vector<std::uint64_t> seen;  // virtual addresses
  for (const DeviceShard& shard : tensor->shards) {
    if (std::find(seen.begin(), seen.end(), shard.va) != seen.end()) continue;
    seen.push_back(shard.va);
    params.parts.push_back({shard.part.row, shard.part.column, block_of(shard, tensor->type)});
    shards.push_back({shard.pe, shard.pa, shard.bytes});
  }
  const std::uint32_t number = begin_copy(std::move(params));
  if (!shards.empty()) co_await host().read(std::move(shards));
  session_.recorder().end(number, now());
}

void Context::free(const Tensor& tensor) {
  if (tensor->freed) throw std::invalid_argument("the tensor has already been freed");
  tensor->freed = true;
  if (tensor->bytes != 0) {
    enqueue(release(tensor), {RequestKind::Other, "release of a tensor"});
  }
}

Process Context::release(Tensor tensor) {
  co_await change_maps(tensor, false);
  free_memory(*tensor);
  session_.recorder().release_tensor(tensor->record);
}

std::uint32_t Context::peek(const Tensor& tensor, std::uint32_t cube) {
  data::HostCopyParams params = copy_of(*tensor, false);
  params.result = session_.new_peek();
  const std::uint32_t result = params.result;
  std::vector<std::uint64_t> seen;  // virtual addresses
  for (const DeviceShard& shard : tensor->shards) {
    if (shard.pe.cube != device_.cubes[cube]) continue;
    if (std::find(seen.begin(), seen.end(), shard.va) != seen.end()) continue;
    seen.push_back(shard.va);
    params.parts.push_back({shard.part.row, shard.part.column, block_of(shard, tensor->type)});
  }
  session_.recorder().end(begin_copy(std::move(params)), now());
  return result;
}

}  // namespace kernbench::model::runtime
