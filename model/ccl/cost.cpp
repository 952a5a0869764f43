// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/cost.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "model/ccl/rounds.hpp"
#include "model/ccl/trees.hpp"

namespace kernbench::model::ccl {

Cost Cost::of(Step step, double count, double bytes) {
  Cost cost;
  cost.count[static_cast<std::size_t>(step)] = count;
  cost.bytes[static_cast<std::size_t>(step)] = count * bytes;
  return cost;
}

double Cost::time(const CostParameters& parameters) const {
  double ns = parameters.launch;
  for (std::size_t i = 0; i < kSteps; ++i) {
    ns += count[i] * parameters.steps[i].alpha + bytes[i] * parameters.steps[i].beta;
  }
  return ns;
}

Cost& Cost::operator+=(const Cost& other) {
  for (std::size_t i = 0; i < kSteps; ++i) {
    count[i] += other.count[i];
    bytes[i] += other.bytes[i];
  }
  return *this;
}

Cost operator*(double times, Cost cost) {
  for (std::size_t i = 0; i < kSteps; ++i) {
    cost.count[i] *= times;
    cost.bytes[i] *= times;
  }
  return cost;
}

TreeShape::TreeShape(std::vector<std::vector<std::uint32_t>> children, std::uint32_t root,
                     bool inner)
    : message_(inner ? Step::InnerMessage : Step::Message),
      further_(inner ? Step::InnerFurther : Step::Further) {
  std::vector<Path> paths(children.size());
  std::vector<std::uint32_t> open{root};
  while (!open.empty()) {
    const std::uint32_t place = open.back();
    open.pop_back();
    const auto count = static_cast<std::uint32_t>(children[place].size());
    most_children_ = std::max(most_children_, count);
    if (place == root) root_children_ = count;
    if (count == 0) paths_.push_back(paths[place]);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t child = children[place][i];
      paths[child] = paths[place];
      ++paths[child].hops;
      paths[child].before += i;
      paths[child].after += count - 1 - i;
      open.push_back(child);
    }
  }
}

TreeShape TreeShape::of_grid(const Grid& grid, std::uint32_t root, bool inner) {
  std::vector<std::vector<std::uint32_t>> children(grid.nodes());
  for (std::uint32_t place = 0; place < grid.nodes(); ++place) {
    for (const std::string& direction : Tree::in_grid(grid, place, root).children) {
      const std::uint32_t step = direction == "W" || direction == "E" ? 1 : grid.nx;
      const bool back = direction == "W" || direction == "N";
      children[place].push_back(back ? place - step : place + step);
    }
  }
  return {std::move(children), root, inner};
}

TreeShape TreeShape::of_places(std::uint32_t size,
                               TreePlace (*place_of)(std::uint32_t, std::uint32_t)) {
  std::vector<std::vector<std::uint32_t>> children(size);
  std::uint32_t root = 0;
  for (std::uint32_t member = 0; member < size; ++member) {
    const TreePlace place = place_of(member, size);
    if (!place.parent) root = member;
    for (const auto& child : {place.left, place.right}) {
      if (child) children[member].push_back(*child);
    }
  }
  return {std::move(children), root, false};
}

Cost TreeShape::reduce(const CostQuery& query, double bytes, double pieces) const {
  if (most_children_ == 0) return {};
  Cost slowest;
  for (const Path& path : paths_) {
    slowest = query.slower(slowest, way(query, path.hops, bytes) +
                                        Cost::of(Step::Add, path.hops + path.after, bytes) +
                                        Cost::of(Step::Take, path.after, bytes));
  }
  return slowest + (pieces - 1) * limited(query, take_children(query, bytes), bytes, pieces);
}

Cost TreeShape::take_children(const CostQuery& query, double bytes) const {
  return query.slower(
      most_children_ * (Cost::of(Step::Take, 1, bytes) + Cost::of(Step::Add, 1, bytes)) +
          Cost::of(further_, depth() > 1 ? 1 : 0, bytes),
      Cost::of(further_, most_children_, bytes));
}

Cost TreeShape::broadcast(const CostQuery& query, double bytes, double pieces) const {
  if (most_children_ == 0) return {};
  Cost slowest;
  for (const Path& path : paths_) {
    slowest = query.slower(slowest,
                           way(query, path.hops, bytes) + Cost::of(further_, path.before, bytes));
  }
  return slowest + (pieces - 1) * limited(query, give_children(query, bytes), bytes, pieces);
}

Cost TreeShape::give_children(const CostQuery& query, double bytes) const {
  Cost sends = Cost::of(further_, most_children_, bytes);
  if (further_ == Step::InnerFurther) {
    sends = query.slower(Cost::of(further_, 1, bytes),
                         Cost::of(further_, most_children_, bytes / query.lanes));
  }
  return sends + Cost::of(Step::Take, depth() > 1 ? 1 : 0, bytes);
}

Cost TreeShape::way(const CostQuery& query, std::uint32_t hops, double bytes) const {
  return message_ == Step::Message ? query.sequence(hops, bytes) : Cost::of(message_, hops, bytes);
}

Cost TreeShape::limited(const CostQuery& query, const Cost& work, double bytes,
                        double pieces) const {
  if (message_ != Step::Message || pieces <= query.slots) return work;
  return query.slower(work, query.per_credit(bytes));
}

std::uint32_t TreeShape::depth() const {
  std::uint32_t hops = 0;
  for (const Path& path : paths_) hops = std::max(hops, path.hops);
  return hops;
}

namespace {

/// The pieces of a shard, cut as Groups cuts it.
struct Pieces {
  double count = 0;       ///< pieces of a group that are not empty
  double groups = 0;      ///< groups with full pieces
  double bytes = 0;       ///< size of a full piece
  double last_bytes = 0;  ///< size of a piece of the last group
};

Pieces pieces_of(const CostQuery& query, std::uint32_t pieces, std::uint64_t most) {
  const std::uint64_t elements = query.bytes / query.element;
  const Groups groups(elements, pieces, most);
  if (groups.count() == 0) return {};
  const auto bytes = [&](std::uint64_t group) {
    return static_cast<double>(groups.piece(group, 0).size * query.element);
  };
  double count = 0;
  for (std::uint32_t i = 0; i < pieces; ++i) count += groups.piece(0, i).size != 0 ? 1 : 0;
  return {count, static_cast<double>(groups.count() - 1), bytes(0), bytes(groups.count() - 1)};
}

}  // namespace

Cost cost_in_groups(const CostQuery& query, const ExchangeCost& exchange, std::uint32_t pieces) {
  const Pieces all = pieces_of(
      query, pieces, piece_elements(query.slot_bytes, query.tile_bytes, pieces, query.element));
  const TreeShape tree = TreeShape::of_grid(query.cubes, query.root_cube, true);
  const auto in = [&](double bytes) {
    return Cost::of(Step::Load, all.count, bytes) + tree.reduce(query, bytes, all.count);
  };
  const auto out = [&](double bytes) {
    return tree.broadcast(query, bytes, all.count) + Cost::of(Step::Store, all.count, bytes);
  };
  Cost cost = all.groups * exchange(query, all.bytes, all.count) +
              exchange(query, all.last_bytes, all.count);
  if (pieces > query.slots) {
    return cost + all.groups * (in(all.bytes) + out(all.bytes)) + in(all.last_bytes) +
           out(all.last_bytes);
  }
  // The cubes sum the next group during the exchange.
  cost += in(all.groups > 0 ? all.bytes : all.last_bytes) + out(all.last_bytes);
  const Cost between =
      Cost::of(Step::Load, all.count, all.bytes) + Cost::of(Step::Store, all.count, all.bytes) +
      (query.cubes.nodes() == 1 ? Cost{}
                                : all.count * (tree.take_children(query, all.bytes) +
                                               tree.give_children(query, all.bytes)));
  return cost + all.groups * between;
}

Cost cost_in_rounds(const CostQuery& query, const ExchangeCost& exchange, std::uint32_t packed,
                    const ExchangeCost& next) {
  const std::uint64_t most = piece_elements(query.slot_bytes / packed, query.tile_bytes,
                                            4 * std::uint64_t{query.members}, query.element);
  const Pieces all = pieces_of(query, 1, most);
  const TreeShape tree = TreeShape::of_grid(query.cubes, query.root_cube, true);
  const auto inputs = static_cast<double>(query.input_blocks);
  const auto outputs = static_cast<double>(query.output_blocks);
  const auto before = [&](double bytes) {
    return Cost::of(Step::Load, inputs, bytes) +
           (query.sums ? tree.reduce(query, bytes, inputs) : Cost{});
  };
  const auto after = [&](double bytes) {
    return tree.broadcast(query, bytes, outputs) + Cost::of(Step::Store, outputs, bytes);
  };
  const auto round = [&](double bytes) {
    return before(bytes) + exchange(query, bytes, 1) + after(bytes);
  };
  const auto further = [&](double bytes) {
    if (next == nullptr && query.sums) return round(bytes);
    Cost work = Cost::of(Step::Load, inputs, bytes) + Cost::of(Step::Store, outputs, bytes);
    if (query.cubes.nodes() > 1) {
      work += outputs * tree.give_children(query, bytes);
      if (query.sums) work += inputs * tree.take_children(query, bytes);
    }
    if (next == nullptr) return work + exchange(query, bytes, 1);
    // The work of a lane overlaps with the messages of the others.
    return query.slower(next(query, bytes, 1), work + exchange(query, bytes / query.lanes, 1));
  };
  return round(all.last_bytes) + all.groups * further(all.bytes);
}

Cost ring_cost(const CostQuery& query, std::uint32_t places, double bytes, bool adds) {
  return query.sequence(places - 1, bytes) + Cost::of(Step::Add, adds ? places - 1 : 0, bytes);
}

Cost ring_all_reduce_cost(const CostQuery& query, std::uint32_t places, double bytes,
                          double behind) {
  if (places == 1) return {};
  const std::uint32_t steps = 2 * (places - 1);
  const Cost adds = Cost::of(Step::Add, (places - 1) * behind, bytes);
  if (behind <= 1) return query.sequence(steps, bytes) + adds;
  // The messages of the next step need the credits of those before.
  const Cost step = query.following(bytes) + Cost::of(Step::Further, behind - 1, bytes);
  return Cost::of(Step::Message, 1, bytes) + Cost::of(Step::Further, behind - 1, bytes) +
         (steps - 1) * query.slower(step, behind * query.per_credit(bytes)) + adds;
}

Cost token_cost(const CostQuery& query) {
  const TreeShape tree = TreeShape::of_grid(query.cubes, query.root_cube, true);
  return Cost::of(Step::Add, 1, 4) + tree.reduce(query, 4, 1) + tree.broadcast(query, 4, 1);
}

}  // namespace kernbench::model::ccl
