// SPDX-License-Identifier: Apache-2.0
// A second coding of the MAZE network, for kernbench sim configs/regressions/network.yaml --filelist. Paths are relative to this file.
-F ../topo.f
pkt_ports.sv
maze_node.sv
maze_array.sv
../../../rtl/network/maze_top.sv
