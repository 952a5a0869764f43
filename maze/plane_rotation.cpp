// SPDX-License-Identifier: Apache-2.0
#include "maze/plane_rotation.hpp"

namespace kernbench::maze {
namespace {

bool is_x_port(const Shape& shape, unsigned port) {
  return port < shape.x_ports();
}

unsigned side_of(const Shape& shape, unsigned port) {
  return is_x_port(shape, port) ? shape.nx : shape.ny;
}

/// Output i of an axis leads i+1 nodes up that axis, modulo its side.
unsigned steps_of(const Shape& shape, unsigned port) {
  return is_x_port(shape, port) ? port + 1 : port - shape.x_ports() + 1;
}

}  // namespace

PlaneRotation PlaneRotation::to_receiver(const Shape& shape, unsigned port) {
  return {shape, is_x_port(shape, port), steps_of(shape, port)};
}

PlaneRotation PlaneRotation::to_sender(const Shape& shape, unsigned port) {
  return {shape, is_x_port(shape, port), side_of(shape, port) - steps_of(shape, port)};
}

PlaneRotation::PlaneRotation(const Shape& shape, bool along_x, unsigned steps) {
  const unsigned stride = along_x ? 1 : shape.nx;
  up_ = steps * stride;
  down_ = ((along_x ? shape.nx : shape.ny) - steps) * stride;
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    const unsigned position = along_x ? node % shape.nx : node / shape.nx;
    auto& mask = position >= steps ? up_mask_ : down_mask_;
    mask[node / 64] |= std::uint64_t{1} << (node % 64);
  }
}

}  // namespace kernbench::maze
