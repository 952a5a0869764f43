// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/dimension_order.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::topology::zoo {
namespace {

/// A packet in one dimension.
struct Axis {
  std::uint32_t from = 0;
  std::uint32_t dst = 0;
  std::uint32_t side = 1;
};

/// A hop within a dimension: the next coordinate and its virtual channel.
struct Step {
  std::uint32_t to = 0;
  std::uint32_t vc = 0;
};

std::uint32_t above(std::uint32_t coordinate, std::uint32_t side) {
  return coordinate + 1 == side ? 0 : coordinate + 1;
}

/// Returns a hop around a ring. `last_vc` is the virtual channel of the last hop if that was in the
/// same dimension.
Step step_around(const Axis& axis, bool up, std::optional<std::uint32_t> last_vc) {
  // On the way down, coordinates count from the other end.
  const std::uint32_t from = up ? axis.from : axis.side - 1 - axis.from;
  const std::uint32_t dst = up ? axis.dst : axis.side - 1 - axis.dst;
  const std::uint32_t next = above(from, axis.side);
  const std::uint32_t to = up ? next : axis.side - 1 - next;
  if (dst < from) return {to, 1};  // the wrap-around channel is still ahead
  if (!last_vc) return {to, dst <= axis.side / 2 ? 1U : 0U};
  return {to, from == 0 ? 0 : *last_vc};  // at 0 it was the last hop
}

/// Returns whether the way up is the shorter one; `tie` if both are equally long.
bool is_shorter_up(const Axis& axis, bool tie) {
  const std::uint32_t up = (axis.dst + axis.side - axis.from) % axis.side;
  return 2 * up == axis.side ? tie : 2 * up < axis.side;
}

bool is_ring(DimensionStep rule) {
  return rule == DimensionStep::ForwardRing || rule == DimensionStep::ShortestRing;
}

}  // namespace

DimensionOrderRouting::DimensionOrderRouting(const BaseTopology& topology, const Grid& grid,
                                             DimensionStep step, DimensionOrder order)
    : RoutingRelation(topology), grid_(grid), step_(step), order_(order) {
  if (grid.nodes() != topology.n_nodes()) {
    throw std::invalid_argument(
        fmt::format("{} is not a grid of {} x {}", topology.name(), grid.nx, grid.ny));
  }
}

std::string DimensionOrderRouting::name() const {
  std::string text = "dimension order";
  if (grid_.ny > 1) text += order_ == DimensionOrder::XY ? " XY" : " YX";
  if (is_ring(step_)) text += " with datelines";
  return text;
}

std::uint32_t DimensionOrderRouting::n_vcs() const {
  return is_ring(step_) ? 2 : 1;
}

std::vector<Hop> DimensionOrderRouting::next(std::uint32_t at, std::optional<Hop> in,
                                             std::uint32_t dst) const {
  const Axis x{grid_.x_of(at), grid_.x_of(dst), grid_.nx};
  const Axis y{grid_.y_of(at), grid_.y_of(dst), grid_.ny};
  const bool x_is_first = order_ == DimensionOrder::XY;
  const Axis& first = x_is_first ? x : y;
  const Axis& second = x_is_first ? y : x;
  const bool is_in_first = first.from != first.dst;
  const Axis& axis = is_in_first ? first : second;

  std::optional<std::uint32_t> last_vc;  // if the last hop was in the same dimension
  // As many packets come up the first ring as come down it, but for the one over half of an even
  // ring. An injected packet counts for the other direction than that one.
  const bool half_came_up = (first.from + first.side / 2 + second.dst) % 2 == 0;
  bool came_up = first.side % 2 == 0 && !half_came_up;
  if (in) {
    const std::uint32_t before = topology().channels()[in->channel].src;
    const std::uint32_t was_at = x_is_first ? grid_.x_of(before) : grid_.y_of(before);
    if ((was_at != first.from) == is_in_first) last_vc = in->vc;
    came_up = above(was_at, first.side) == first.from;
  }
  Step step;
  switch (step_) {
    case DimensionStep::Neighbour:
      step.to = axis.from < axis.dst ? axis.from + 1 : axis.from - 1;
      break;
    case DimensionStep::Direct:
      step.to = axis.dst;
      break;
    case DimensionStep::ForwardRing:
      step = step_around(axis, true, last_vc);
      break;
    case DimensionStep::ShortestRing: {
      const bool tie = (axis.from + (is_in_first ? second.dst : came_up ? 1 : 0)) % 2 == 0;
      step = step_around(axis, is_shorter_up(axis, tie), last_vc);
      break;
    }
  }
  const bool along_x = is_in_first == x_is_first;
  return hop(at, along_x ? grid_.at(step.to, y.from) : grid_.at(x.from, step.to), step.vc);
}

}  // namespace kernbench::topology::zoo
