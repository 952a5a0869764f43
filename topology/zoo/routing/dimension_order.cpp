// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/dimension_order.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::topology::zoo {
namespace {

/// A hop within a dimension: the next coordinate and its virtual channel.
struct Step {
  std::uint32_t to = 0;
  std::uint32_t vc = 0;
};

/// `vc` is the virtual channel of the last hop if it was in the same dimension, else 0.
Step step_up(std::uint32_t from, std::uint32_t side, std::uint32_t vc) {
  const bool wraps = from + 1 == side;
  return {wraps ? 0 : from + 1, wraps ? 1 : vc};
}

Step step_down(std::uint32_t from, std::uint32_t side, std::uint32_t vc) {
  const bool wraps = from == 0;
  return {wraps ? side - 1 : from - 1, wraps ? 1 : vc};
}

Step step_along(DimensionStep rule, std::uint32_t from, std::uint32_t dst, std::uint32_t side,
                std::uint32_t vc) {
  switch (rule) {
    case DimensionStep::Neighbour:
      return {from < dst ? from + 1 : from - 1, 0};
    case DimensionStep::Direct:
      return {dst, 0};
    case DimensionStep::ForwardRing:
      return step_up(from, side, vc);
    case DimensionStep::ShortestRing: {
      const std::uint32_t up = (dst + side - from) % side;
      return up <= side - up ? step_up(from, side, vc) : step_down(from, side, vc);
    }
  }
  throw std::logic_error("a rule without a step");
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
  const std::uint32_t x = grid_.x_of(at);
  const std::uint32_t y = grid_.y_of(at);
  const bool x_is_right = x == grid_.x_of(dst);
  const bool y_is_right = y == grid_.y_of(dst);
  const bool along_x = order_ == DimensionOrder::XY ? !x_is_right : y_is_right;

  std::uint32_t vc = 0;
  if (in) {
    const std::uint32_t before = topology().channels()[in->channel].src;
    const bool was_along_x = grid_.y_of(before) == y;
    if (was_along_x == along_x) vc = in->vc;
  }
  if (along_x) {
    const Step step = step_along(step_, x, grid_.x_of(dst), grid_.nx, vc);
    return hop(at, grid_.at(step.to, y), step.vc);
  }
  const Step step = step_along(step_, y, grid_.y_of(dst), grid_.ny, vc);
  return hop(at, grid_.at(x, step.to), step.vc);
}

}  // namespace kernbench::topology::zoo
