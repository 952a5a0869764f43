#pragma once

// How the planes of a MAZE cycle lie in the ports of tb/maze_tb_top.sv: each plane is one array of
// the same layout in memory, so moving it is a copy.

#include <Vmaze_tb_top.h>

#include <cstring>

#include "model/maze/link_frame.hpp"

namespace kernbench::sim::port_format {

template <typename Port, typename Plane>
void to_port(Port& port, const Plane& plane) {
  std::memcpy(&port, plane.data(), sizeof(port));
}

template <typename Plane, typename Port>
void from_port(Plane& plane, const Port& port) {
  std::memcpy(plane.data(), &port, sizeof(port));
}

inline void drive(Vmaze_tb_top& top, const model::maze::TopoInputs& inputs) {
  to_port(top.out_valid_i, inputs.out_valid);
  to_port(top.in_ready_i, inputs.in_ready);
  to_port(top.out_payload_i, inputs.out_payload);
}

/// Lets what drive() left in the ports through to the TOPO at the next evaluation.
inline void apply(Vmaze_tb_top& top) {
  top.apply_i = !top.apply_i;
}

inline void sample(const Vmaze_tb_top& top, model::maze::TopoOutputs& outputs) {
  from_port(outputs.out_ready, top.out_ready_o);
  from_port(outputs.in_valid, top.in_valid_o);
  from_port(outputs.in_payload, top.in_payload_o);
}

}  // namespace kernbench::sim::port_format
