// SPDX-License-Identifier: Apache-2.0
// How a group chooses the algorithm, the neighbour kind and the root cube of a call.

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/ccl/group.hpp"
#include "model/ccl/measure_costs.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {

using runtime::Tensor;

namespace {

/// Returns the elements of a lane's part of the first block of a call.
std::uint64_t lane_elements(const CallArguments& arguments) {
  const Tensor& tensor = arguments.tensor();
  if (!tensor) return 0;
  const std::vector<std::uint64_t>& rows = arguments.rows();
  const std::uint64_t most = *std::max_element(rows.begin(), rows.end());
  const runtime::Layout& layout = tensor->layout;
  const bool shared = layout.policy().pe != runtime::Placement::Replicate;
  const std::uint64_t lanes = shared ? layout.pes() : 1;
  return (most * layout.columns() + lanes - 1) / lanes;
}

/// Returns the cubes of a member that may be its root: the middle, which is near to all cubes, and
/// the middle of each side with an IO chiplet, which is near to other SIPs. A corner is as far from
/// the chiplet as the middle of its side, and farther from the cubes.
std::vector<std::uint32_t> root_cubes(const Algorithm& algorithm, const topology::SipSpec& sip,
                                      const Grid& cubes) {
  if (algorithm.ends == Ends::Corner) return {0};
  std::vector<std::uint32_t> roots{center_of(cubes)};
  if (algorithm.ends != Ends::Roots) return roots;
  for (const topology::IoChipletSpec& io : sip.io_chiplets) {
    const std::uint32_t x = cubes.nx / 2;
    const std::uint32_t y = cubes.ny / 2;
    switch (io.side) {
      case topology::Side::North:
        roots.push_back(x);
        break;
      case topology::Side::South:
        roots.push_back((cubes.ny - 1) * cubes.nx + x);
        break;
      case topology::Side::West:
        roots.push_back(y * cubes.nx);
        break;
      case topology::Side::East:
        roots.push_back(y * cubes.nx + cubes.nx - 1);
        break;
    }
  }
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

std::string place_name(const Grid& cubes, std::uint32_t root) {
  if (root == center_of(cubes)) return "middle";
  const bool at_x = root % cubes.nx == 0 || root % cubes.nx == cubes.nx - 1;
  const bool at_y = root / cubes.nx == 0 || root / cubes.nx == cubes.ny - 1;
  return at_x && at_y ? "corner" : "side";
}

}  // namespace

std::vector<Plan> Group::plans_for(const CallArguments& arguments) const {
  const std::string& collective = arguments.collective->name;
  const Algorithm* const named = config_->algorithms.at(collective);
  const std::vector<const Algorithm*> algorithms =
      named != nullptr ? std::vector<const Algorithm*>{named} : algorithms_of(collective);
  std::vector<Plan> plans;
  for (const Algorithm* const algorithm : algorithms) {
    if (named == nullptr && !algorithm->uneven && !arguments.even) continue;
    const GroupShape shape = shape_of(algorithm->ends);
    if (algorithm->refuse != nullptr && !algorithm->refuse(shape).empty()) {
      if (named == nullptr) continue;
      throw std::invalid_argument(fmt::format("'{}' {}; group '{}' has {}", algorithm->name,
                                              algorithm->refuse(shape), name_, size()));
    }
    std::vector<std::string> kinds = algorithm->neighbors;
    if (std::find(kinds.begin(), kinds.end(), config_->neighbors) != kinds.end()) {
      kinds = {config_->neighbors};
    } else if (named != nullptr) {
      kinds.resize(1);
    }
    for (const std::string& kind : kinds) {
      const NeighborKind* const neighbors = find_neighbor_kind(kind);
      if (neighbors == nullptr) {
        throw std::invalid_argument(fmt::format(
            "'{}' needs the neighbour kind '{}', which is unknown", algorithm->name, kind));
      }
      for (const std::uint32_t root : root_cubes(*algorithm, session_.spec().sip, cubes_)) {
        plans.push_back({algorithm, neighbors, root});
      }
    }
  }
  return plans;
}

const CostParameters& Group::costs(std::uint32_t root_cube) const {
  const auto away = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const auto& device) { return device.sip != devices_[0].sip; });
  const bool spans_sips = away != devices_.end();
  MeasuredPair pair{devices_[0], spans_sips ? *away : devices_[size() > 1 ? 1 : 0], cubes_,
                    root_cube, config_->slot_memory};
  pair.a.sip = 0;
  pair.b.sip = spans_sips ? 1 : 0;
  return measured_costs(session_.spec(), pair);
}

CostQuery Group::query_of(const Plan& plan, const CallArguments& arguments) const {
  const CallShape call{size(), arguments.root};
  const GroupShape shape = shape_of(plan.algorithm->ends);
  CostQuery query;
  query.members = shape.size;
  query.grid = shape.grid;
  query.kind = plan.neighbors->name;
  std::map<std::uint32_t, std::uint32_t> members;
  for (const runtime::Device& device : devices_) {
    query.sip_members = std::max(query.sip_members, ++members[device.sip]);
  }
  query.sips = static_cast<std::uint32_t>(members.size());
  for (std::uint32_t member = 0; member < size(); ++member) {
    query.input_blocks = std::max(query.input_blocks,
                                  std::uint64_t{arguments.collective->input_blocks(member, call)});
    query.output_blocks = std::max(
        query.output_blocks, std::uint64_t{arguments.collective->output_blocks(member, call)});
  }
  if (plan.algorithm->ends != Ends::Cubes) query.cubes = cubes_;
  query.rank_links = size() == 1 ? 0 : size();
  query.root_cube = plan.algorithm->ends == Ends::Cubes ? 0 : plan.root_cube;
  query.sums = arguments.collective->sums;
  const Tensor& tensor = arguments.tensor();
  query.element = tensor ? whole_bytes_of(tensor->type) : 4;
  query.bytes = lane_elements(arguments) * query.element;
  query.slot_bytes = slot_bytes_of(plan);
  query.lanes = static_cast<std::uint32_t>(devices_[0].pes.size());
  query.slots = session_.spec().pe.pe_ipcq_slots;
  query.tile_bytes = quarter_of_tcm();
  query.parameters = costs(plan.root_cube);
  return query;
}

Plan Group::plan_of(const CallArguments& arguments) {
  std::vector<Plan> plans = plans_for(arguments);
  const std::string& collective = arguments.collective->name;
  if (plans.empty()) {
    throw std::invalid_argument(
        fmt::format("no algorithm of {} runs in group '{}'", collective, name_));
  }
  if (plans.size() == 1 && !session_.options().predicts) return plans.front();
  const std::uint64_t bytes = lane_elements(arguments);
  const auto key = std::tuple(collective, bytes, arguments.root, arguments.even);
  if (const auto known = chosen_.find(key); known != chosen_.end()) return known->second;
  const auto slowest = [](const Plan& plan) { return plan.algorithm->cost == nullptr; };
  for (Plan& plan : plans) {
    if (slowest(plan)) continue;
    const CostQuery query = query_of(plan, arguments);
    plan.predicted_ns = plan.algorithm->cost(query).time(query.parameters);
  }
  std::stable_sort(plans.begin(), plans.end(), [&](const Plan& a, const Plan& b) {
    if (slowest(a) != slowest(b)) return slowest(b);
    return a.predicted_ns < b.predicted_ns;
  });
  const Plan& best = plans.front();
  chosen_[key] = best;
  const Tensor& tensor = arguments.tensor();
  runtime::CollectiveChoice choice;
  choice.collective = collective;
  choice.group = name_;
  choice.bytes =
      tensor ? tensor->layout.columns() * bytes_of(tensor->type) * arguments.rows()[0] : 0;
  choice.algorithm = best.algorithm->name;
  choice.neighbors = best.neighbors->name;
  choice.predicted_ns = best.predicted_ns;
  if (cubes_.nodes() > 1 && best.algorithm->ends != Ends::Cubes) {
    choice.root_cube = best.root_cube;
    choice.root_place = place_name(cubes_, best.root_cube);
  }
  for (const Plan& plan : plans) {
    if (plan.algorithm == best.algorithm || slowest(plan)) continue;
    choice.next = plan.algorithm->name;
    choice.next_ns = plan.predicted_ns;
    break;
  }
  session_.record().choices.push_back(std::move(choice));
  return best;
}

}  // namespace kernbench::model::ccl
