// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/group.hpp"
#include "topology/spec/topology_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace kernbench::model::ccl {

using components::NeighborLink;
using runtime::Tensor;

namespace {

constexpr const char* kWorld = "world";

std::string list_of(const std::vector<std::uint32_t>& ranks) {
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(ranks, ", "));
}

/// Returns "8 x 16 of f32", or "nothing".
std::string text_of(const Tensor& tensor) {
  if (!tensor) return "nothing";
  return fmt::format("{} x {} of {}", tensor->layout.rows(), tensor->layout.columns(),
                     name_of(tensor->type));
}

}  // namespace

bool are_alike(const Tensor& a, const Tensor& b) {
  return a->type == b->type && a->layout.columns() == b->layout.columns() &&
         a->layout.pes() == b->layout.pes() && a->layout.policy() == b->layout.policy();
}

Group::Group(runtime::Session& session, std::shared_ptr<const CclConfig> config, std::string name,
             std::vector<std::uint32_t> ranks, const std::vector<runtime::Device>& world)
    : session_(session),
      config_(std::move(config)),
      name_(std::move(name)),
      prefix_(name_ == kWorld ? "global_" : name_ + "."),
      ranks_(std::move(ranks)),
      called_(ranks_.size()) {
  if (ranks_.empty()) throw std::invalid_argument(fmt::format("group '{}' has no ranks", name_));
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const std::uint32_t rank = ranks_[i];
    if (rank >= world.size()) {
      throw std::invalid_argument(
          fmt::format("group '{}' has rank {}, but the world has ranks 0 to {}", name_, rank,
                      world.size() - 1));
    }
    if (index_of(rank) != i) {
      throw std::invalid_argument(fmt::format("group '{}' has rank {} twice", name_, rank));
    }
    devices_.push_back(world[rank]);
  }
  if (config_->rank == RankKind::Sip) cubes_ = session.options().part.grid(session.spec());
}

std::optional<std::uint32_t> Group::index_of(std::uint32_t rank) const {
  const auto found = std::find(ranks_.begin(), ranks_.end(), rank);
  if (found == ranks_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - ranks_.begin());
}

std::string Group::describe(const GroupCall& call) const {
  return fmt::format("{}, call {} of group '{}'", call.members[call.first]->collective->name,
                     call.number, name_);
}

void Group::check_against(const GroupCall& call, std::uint32_t member,
                          const CallArguments& arguments) const {
  const CallArguments& first = *call.members[call.first];
  const auto refuse = [&](const std::string& what, const auto& mine, const auto& theirs) {
    throw std::invalid_argument(fmt::format("{}: rank {} calls it with {} {}, but rank {} with {}",
                                            describe(call), ranks_[member], what, mine,
                                            ranks_[call.first], theirs));
  };
  if (first.collective != arguments.collective) {
    throw std::invalid_argument(fmt::format("{}, is {} at rank {}", describe(call),
                                            arguments.collective->name, ranks_[member]));
  }
  if (first.even != arguments.even) {
    const auto text = [](const CallArguments& one) { return one.even ? "equal" : "given"; };
    refuse("block sizes that are", text(arguments), text(first));
  }
  if (first.root != arguments.root) refuse("root", ranks_[arguments.root], ranks_[first.root]);
  const Tensor& mine = arguments.tensor();
  const Tensor& theirs = first.tensor();
  if (!mine || !theirs) return;
  const bool fits = are_alike(mine, theirs) && (arguments.collective->uneven ||
                                                arguments.rows().front() == first.rows().front());
  if (!fits) refuse("tensors that do not fit:", text_of(mine), text_of(theirs));
  if (!arguments.collective->uneven) return;
  for (std::uint32_t other = 0; other < size(); ++other) {
    if (!call.members[other]) continue;
    const CallArguments& peer = *call.members[other];
    const auto check = [&](std::uint32_t from, std::uint64_t sent, std::uint32_t to,
                           std::uint64_t expected) {
      if (sent == expected) return;
      throw std::invalid_argument(
          fmt::format("{}: rank {} sends {} rows to rank {}, which expects {}", describe(call),
                      ranks_[from], sent, ranks_[to], expected));
    };
    check(member, arguments.input_rows[other], other, peer.output_rows[member]);
    check(other, peer.input_rows[member], member, arguments.output_rows[other]);
  }
}

GroupCall& Group::call(std::uint32_t member, CallArguments arguments) {
  const std::size_t index = called_[member]++;
  if (index == calls_.size()) {
    GroupCall& call = calls_.emplace_back();
    call.number = calls_.size();
    call.first = member;
    call.members.resize(size());
    call.plan = plan_of(arguments);
  } else {
    check_against(calls_[index], member, arguments);
  }
  calls_[index].members[member] = std::move(arguments);
  return calls_[index];
}

GroupShape Group::shape_of(Ends ends) const {
  const std::uint32_t each = ends == Ends::Cubes ? cubes_.nodes() : 1;
  GroupShape shape;
  shape.size = size() * each;
  shape.grid = name_ == kWorld && each == 1 ? config_->grid : most_square(shape.size);
  for (const runtime::Device& device : devices_) {
    shape.sips.insert(shape.sips.end(), each, device.sip);
  }
  if (const auto pes = whole_cube()) {
    shape.grid = pes->grid;
    for (const runtime::Device& device : devices_) {
      shape.places.push_back(pes->places[device.pes.front()]);
    }
  }
  return shape;
}

std::optional<PeGrid> Group::whole_cube() const {
  const topology::CubeSpec& cube = session_.spec().cube;
  const runtime::Device& first = devices_.front();
  const bool whole = config_->rank == RankKind::Pe && size() == cube.pes() &&
                     std::all_of(devices_.begin(), devices_.end(), [&](const auto& device) {
                       return device.sip == first.sip && device.cubes == first.cubes;
                     });
  return whole ? pe_grid(cube) : std::nullopt;
}

memory::PeLocation Group::end_at(Ends ends, std::uint32_t root_cube, std::uint32_t place,
                                 std::uint32_t pe) const {
  if (ends != Ends::Cubes) return devices_[place].at(root_cube, pe);
  return devices_[place / cubes_.nodes()].at(snake(cubes_, place % cubes_.nodes()), pe);
}

std::uint64_t Group::quarter_of_tcm() const {
  return std::uint64_t{session_.spec().cube.memory_map.tcm_mb} << 18U;
}

std::uint32_t Group::slot_bytes_for(std::size_t directions) const {
  const topology::PeSpec& pe = session_.spec().pe;
  const std::uint64_t budget = quarter_of_tcm();
  if (directions * pe.pe_ipcq_ring_bytes() <= budget) return pe.pe_ipcq_slot_bytes;
  constexpr std::uint64_t kGranule = 64;
  const std::uint64_t share = budget / (directions * pe.pe_ipcq_slots) / kGranule * kGranule;
  return static_cast<std::uint32_t>(std::max(share, kGranule));
}

std::string Group::prefix_of(const Plan& plan) const {
  if (plan.neighbors->from_start) return {};
  const char* const ends = plan.algorithm->ends == Ends::Cubes ? "cubes_" : "";
  return fmt::format("{}{}{}_", prefix_, ends, plan.neighbors->name);
}

std::uint64_t Group::slot_bytes_of(const Plan& plan) const {
  const Ends ends = plan.algorithm->ends;
  const auto key = std::pair(plan.neighbors->name, ends == Ends::Cubes);
  if (const auto known = slot_bytes_.find(key); known != slot_bytes_.end()) return known->second;
  std::map<std::uint32_t, std::size_t> directions;
  std::size_t most = 0;
  for (const Join& join : joins_of(*plan.neighbors, shape_of(ends))) {
    most = std::max({most, ++directions[join.a], ++directions[join.b]});
  }
  return slot_bytes_[key] = slot_bytes_for(most);
}

std::uint64_t Group::install(const Plan& plan) {
  const Ends ends = plan.algorithm->ends;
  const auto slot_bytes = static_cast<std::uint32_t>(slot_bytes_of(plan));
  const auto key = std::tuple(plan.neighbors->name, ends == Ends::Cubes, plan.root_cube);
  if (plan.neighbors->from_start || !installed_.insert(key).second) return slot_bytes;
  const std::vector<Join> joins = joins_of(*plan.neighbors, shape_of(ends));
  const std::string prefix = prefix_of(plan);
  std::vector<NeighborLink> links;
  for (const Join& join : joins) {
    for (std::uint32_t pe = 0; pe < devices_[0].pes.size(); ++pe) {
      links.push_back({end_at(ends, plan.root_cube, join.a, pe), prefix + join.a_direction,
                       end_at(ends, plan.root_cube, join.b, pe), prefix + join.b_direction,
                       slot_bytes});
    }
  }
  session_.install_neighbors(links, config_->slot_memory);
  return slot_bytes;
}

CollectiveArgs Group::arguments_of(const GroupCall& call, std::uint32_t member) {
  const CallArguments& given = *call.members[member];
  const Tensor& tensor = given.tensor();
  const auto view = [&](const Tensor& one) {
    if (one) return one->view();
    if (!tensor) return runtime::TensorView(0, data::DataType::I32, {0, 0, {}, 1, 1});
    const runtime::Layout& layout = tensor->layout;
    return runtime::TensorView(
        tensor->va, tensor->type,
        {0, layout.columns(), layout.policy(), layout.cubes(), layout.pes()});
  };
  CollectiveArgs args{given.collective, view(given.input), view(given.output)};
  args.input_rows = given.input_rows;
  args.output_rows = given.output_rows;
  args.cubes = cubes_;
  args.root_cube = call.plan.root_cube;
  args.ends = call.plan.algorithm->ends;
  args.call = {size(), given.root};
  args.rank = member;
  args.team.shape = std::make_shared<const GroupShape>(shape_of(args.ends));
  args.team.size = args.team.shape->size;
  args.team.index = member;
  args.team.neighbors = call.plan.neighbors;
  args.team.prefix = prefix_of(call.plan);
  args.slot_bytes = install(call.plan);
  args.slots = session_.spec().pe.pe_ipcq_slots;
  args.tile_bytes = quarter_of_tcm();
  return args;
}

std::string Group::join(const std::string& kind) {
  static const Algorithm kAnyAlgorithm{};
  const Plan plan{&kAnyAlgorithm, find_neighbor_kind(kind), center_of(cubes_)};
  if (plan.neighbors == nullptr) {
    throw std::invalid_argument(fmt::format("unknown neighbour kind '{}'", kind));
  }
  (void)install(plan);
  return prefix_of(plan);
}

std::uint32_t Group::message_bytes() const {
  constexpr std::uint32_t kLargest = 16384;  // so that the TCM has room for slots of many members
  return std::min(session_.spec().pe.pe_ipcq_slot_bytes, kLargest);
}

std::string Group::connect(std::uint32_t a, std::uint32_t b) {
  const std::string to_b = fmt::format("{}rank_{}", prefix_, ranks_[b]);
  const std::string to_a = fmt::format("{}rank_{}", prefix_, ranks_[a]);
  if (!connected_.emplace(std::min(a, b), std::max(a, b)).second) return to_b;
  std::vector<NeighborLink> links;
  const std::uint32_t root = center_of(cubes_);
  for (std::uint32_t pe = 0; pe < devices_[0].pes.size(); ++pe) {
    links.push_back(
        {devices_[a].at(root, pe), to_b, devices_[b].at(root, pe), to_a, message_bytes()});
  }
  session_.install_neighbors(links, config_->slot_memory);
  return to_b;
}

std::vector<std::string> Group::unfinished() const {
  std::vector<std::string> lines;
  for (const GroupCall& call : calls_) {
    std::vector<std::uint32_t> missing;
    for (std::uint32_t member = 0; member < size(); ++member) {
      if (!call.members[member]) missing.push_back(ranks_[member]);
    }
    if (missing.empty()) continue;
    lines.push_back(
        fmt::format("{}, waits for {}, which never called it", describe(call), list_of(missing)));
  }
  return lines;
}

}  // namespace kernbench::model::ccl
