// SPDX-License-Identifier: Apache-2.0
#include "topology/traffic_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "common/registration.hpp"
#include "common/utf8.hpp"

namespace kernbench::topology {
namespace {

/// Filled before main() and by plugins; constant afterwards. References to its elements stay valid.
std::deque<TrafficKind>& registered() {
  static std::deque<TrafficKind> all;
  return all;
}

bool is_traffic_name(std::string_view name) {
  if (name.empty() || name.front() < 'a' || name.front() > 'z') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

}  // namespace

TrafficRegistration::TrafficRegistration(TrafficKind kind) {
  const std::string name = common::in_quotes(kind.name);
  if (!is_traffic_name(kind.name) || kind.name.ends_with(".csv") || kind.name.ends_with(".json")) {
    common::refuse_registration(fmt::format(
        "the traffic name {} is not lower-case words such as 'bit_reverse' or 'booksim.tornado'",
        name));
  } else if (find_traffic(kind.name) != nullptr) {
    common::refuse_registration(fmt::format("the traffic name {} is already registered", name));
  } else if (std::find(other_traffic_names().begin(), other_traffic_names().end(), kind.name) !=
             other_traffic_names().end()) {
    common::refuse_registration(
        fmt::format("the traffic name {} is that of another workload", name));
  } else if (kind.destinations == nullptr) {
    common::refuse_registration(fmt::format("the traffic {} has no function", name));
  } else {
    registered().push_back(std::move(kind));
  }
}

const std::deque<TrafficKind>& traffic_kinds() {
  return registered();
}

std::vector<std::string_view> traffic_names() {
  std::vector<std::string_view> names;
  for (const TrafficKind& kind : registered()) names.push_back(kind.name);
  return names;
}

const TrafficKind* find_traffic(std::string_view name) {
  for (const TrafficKind& kind : registered()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

std::string refusal(const TrafficKind& kind, const TrafficShape& shape) {
  return kind.refuse == nullptr ? std::string() : kind.refuse(shape);
}

const std::vector<std::string_view>& other_traffic_names() {
  static const std::vector<std::string_view> names = {
      "all_to_all",        "concurrent",   "multicasts",     "probe",
      "probe_at_once",     "all_links",    "link_walk",      "bursts",
      "heavy_tailed",      "length_sweep", "trace",          "alone",
      "drawn_permutation", "detours",      "moving_hotspot", "permutations"};
  return names;
}

// The kinds that ship. Per-dimension rules treat a topology without a grid as one row. Sources:
// Dally and Towles, "Principles and Practices of Interconnection Networks" (2004), table 3.1;
// tornado and neighbor as implemented by BookSim 2 and by Garnet, which differ; half_rotation is
// defined here.
namespace {

using Endpoints = std::vector<std::uint32_t>;

Endpoints all_endpoints(std::uint32_t /*source*/, const TrafficShape& shape) {
  Endpoints all(shape.count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::string refuse_odd_grid(const TrafficShape& shape) {
  if (shape.has_grid && shape.grid.nx == shape.grid.ny) return {};
  return fmt::format("needs a square grid, which {} is not", shape.topology);
}

std::string refuse_odd_count(const TrafficShape& shape) {
  if (std::has_single_bit(shape.count)) return {};
  return fmt::format("needs 2^b endpoints; {} has {}", shape.topology, shape.count);
}

Endpoints transposed(std::uint32_t source, const TrafficShape& shape) {
  return {shape.grid.at(shape.grid.y_of(source), shape.grid.x_of(source))};
}

Endpoints complement(std::uint32_t source, const TrafficShape& shape) {
  return {shape.count - 1 - source};
}

Endpoints reversed_bits(std::uint32_t source, const TrafficShape& shape) {
  std::uint32_t reversed = 0;
  for (std::uint32_t bit = 1; bit < shape.count; bit *= 2) {
    reversed = reversed * 2 + ((source & bit) != 0 ? 1 : 0);
  }
  return {reversed};
}

Endpoints shuffled(std::uint32_t source, const TrafficShape& shape) {
  return {source * 2 < shape.count ? source * 2 : source * 2 - shape.count + 1};
}

Endpoints half_rotated(std::uint32_t source, const TrafficShape& shape) {
  return {(source + shape.count / 2) % shape.count};
}

Endpoints shifted(std::uint32_t source, const TrafficShape& shape, std::uint32_t by_x,
                  std::uint32_t by_y) {
  const Grid& grid = shape.grid;
  return {grid.at((grid.x_of(source) + by_x) % grid.nx, (grid.y_of(source) + by_y) % grid.ny)};
}

Endpoints tornado(std::uint32_t source, const TrafficShape& shape) {
  return shifted(source, shape, (shape.grid.nx + 1) / 2 - 1, (shape.grid.ny + 1) / 2 - 1);
}

Endpoints tornado_in_x(std::uint32_t source, const TrafficShape& shape) {
  return shifted(source, shape, (shape.grid.nx + 1) / 2 - 1, 0);
}

Endpoints neighbor_in_x(std::uint32_t source, const TrafficShape& shape) {
  return shifted(source, shape, 1, 0);
}

Endpoints neighbor(std::uint32_t source, const TrafficShape& shape) {
  return shifted(source, shape, 1, 1);
}

const TrafficRegistration kUniformRandom{{.name = "uniform_random",
                                          .description = "any other endpoint, equally likely",
                                          .destinations = all_endpoints,
                                          .skips_unreachable = true}};
const TrafficRegistration kTranspose{
    {"transpose", "(x,y) to (y,x); square grids", transposed, refuse_odd_grid}};
const TrafficRegistration kBitComplement{
    {"bit_complement", "i to ~i; 2^b endpoints", complement, refuse_odd_count}};
const TrafficRegistration kBitReverse{{"bit_reverse",
                                       "i to its bits in reverse order; 2^b endpoints",
                                       reversed_bits, refuse_odd_count}};
const TrafficRegistration kHalfRotation{
    {"half_rotation", "i to (i + floor(n/2)) mod n", half_rotated}};
const TrafficRegistration kTornado{
    {"booksim.tornado", "ceil(k/2)-1 further in every dimension of size k", tornado}};
const TrafficRegistration kNeighbor{{"booksim.neighbor", "1 further in every dimension", neighbor}};
const TrafficRegistration kHotspot{
    {.name = "hotspot",
     .description = "one node for a share of the transfers, otherwise uniform_random",
     .destinations = all_endpoints,
     .skips_unreachable = true,
     .hotspot = true}};
const TrafficRegistration kShuffle{
    {"shuffle", "i to its bits rotated left by one; 2^b endpoints", shuffled, refuse_odd_count}};
const TrafficRegistration kTornadoInX{
    {"garnet.tornado", "ceil(k/2)-1 further in the first dimension, of size k", tornado_in_x}};
const TrafficRegistration kNeighborInX{
    {"garnet.neighbor", "1 further in the first dimension", neighbor_in_x}};

}  // namespace
}  // namespace kernbench::topology
