// SPDX-License-Identifier: Apache-2.0
// The sources of TOPO, packages first. Names are relative to this file: verilator -F rtl/topo.f, vcs -F rtl/topo.f.
maze_pkg.sv
pkt_con_if.sv
irs_half.sv
irs_lp.sv
irs_n.sv
topo.sv
