// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/neighbors.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace kernbench::model::ccl {

using components::NeighborLink;

namespace {

/// Links each PE of one cube to the same PE of another.
void join(std::vector<NeighborLink>& links, std::uint32_t pes, std::uint32_t a_sip,
          std::uint32_t a_cube, const std::string& a_direction, std::uint32_t b_sip,
          std::uint32_t b_cube, const std::string& b_direction) {
  for (std::uint32_t pe = 0; pe < pes; ++pe) {
    links.push_back({{a_sip, a_cube, pe}, a_direction, {b_sip, b_cube, pe}, b_direction});
  }
}

}  // namespace

std::vector<NeighborLink> mesh_links(std::uint32_t world_size, const Grid& cubes,
                                     std::uint32_t pes) {
  std::vector<NeighborLink> links;
  for (std::uint32_t sip = 0; sip < world_size; ++sip) {
    for (std::uint32_t cube = 0; cube < cubes.size(); ++cube) {
      if (cube % cubes.w + 1 < cubes.w) join(links, pes, sip, cube, "E", sip, cube + 1, "W");
      if (cube / cubes.w + 1 < cubes.h) join(links, pes, sip, cube, "S", sip, cube + cubes.w, "N");
    }
  }
  return links;
}

std::vector<NeighborLink> sip_links(SipTopology topology, std::uint32_t world_size,
                                    const Grid& sips, const Grid& cubes, std::uint32_t root_cube,
                                    std::uint32_t pes) {
  std::vector<NeighborLink> links;
  const auto link = [&](std::uint32_t a, const std::string& a_direction, std::uint32_t b,
                        const std::string& b_direction) {
    join(links, pes, a, root_cube, a_direction, b, root_cube, b_direction);
  };
  switch (topology) {
    case SipTopology::Ring:
      for (std::uint32_t sip = 0; sip < world_size && world_size > 1; ++sip) {
        link(sip, "global_next", (sip + 1) % world_size, "global_prev");
      }
      break;
    case SipTopology::Torus:
    case SipTopology::Mesh: {
      const bool wraps = topology == SipTopology::Torus;
      for (std::uint32_t sip = 0; sip < world_size; ++sip) {
        const std::uint32_t x = sip % sips.w;
        const std::uint32_t y = sip / sips.w;
        if (sips.w > 1 && (wraps || x + 1 < sips.w)) {
          link(sip, "global_E", y * sips.w + (x + 1) % sips.w, "global_W");
        }
        if (sips.h > 1 && (wraps || y + 1 < sips.h)) {
          link(sip, "global_S", (y + 1) % sips.h * sips.w + x, "global_N");
        }
      }
      break;
    }
    case SipTopology::Hypercube:
      for (std::uint32_t bit = 0; (std::uint32_t{1} << bit) < world_size; ++bit) {
        const std::string direction = fmt::format("global_{}", bit);
        for (std::uint32_t sip = 0; sip < world_size; ++sip) {
          const std::uint32_t other = sip ^ (std::uint32_t{1} << bit);
          if (sip < other && other < world_size) link(sip, direction, other, direction);
        }
      }
      break;
    case SipTopology::Tree:
      for (std::uint32_t sip = 1; sip < world_size; ++sip) {
        link((sip - 1) / 2, sip % 2 == 1 ? "global_left" : "global_right", sip, "global_parent");
      }
      break;
    case SipTopology::Snake: {
      const std::uint32_t first = snake_cube(cubes, 0);
      const std::uint32_t last = snake_cube(cubes, cubes.size() - 1);
      for (std::uint32_t sip = 0; sip < world_size && world_size > 1; ++sip) {
        join(links, pes, sip, last, "global_snake_next", (sip + 1) % world_size, first,
             "global_snake_prev");
      }
      break;
    }
  }
  return links;
}

std::uint32_t snake_cube(const Grid& cubes, std::uint32_t position) {
  const std::uint32_t y = position / cubes.w;
  const std::uint32_t x = position % cubes.w;
  return y * cubes.w + (y % 2 == 0 ? x : cubes.w - 1 - x);
}

std::uint32_t snake_position(const Grid& cubes, std::uint32_t cube) {
  return snake_cube(cubes, cube);  // the mapping is its own inverse
}

std::string_view direction_to(const Grid& cubes, std::uint32_t from, std::uint32_t to) {
  if (to == from + 1 && to % cubes.w != 0) return "E";
  if (from == to + 1 && from % cubes.w != 0) return "W";
  if (to == from + cubes.w) return "S";
  if (from == to + cubes.w) return "N";
  throw std::logic_error(fmt::format("cube {} is not beside cube {}", to, from));
}

}  // namespace kernbench::model::ccl
