// SPDX-License-Identifier: Apache-2.0
// The sources of the MAZE network, packages first. Names are relative to this file.
-F ../topo.f
pkt_in.sv
pkt_out.sv
maze_queue.sv
maze_route.sv
maze_arbiter.sv
maze_fork.sv
maze_expand.sv
maze_core.sv
maze_node.sv
maze_clock_gate.sv
maze_array.sv
maze_top.sv
