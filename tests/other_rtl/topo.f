// SPDX-License-Identifier: Apache-2.0
// A second coding of TOPO and its links, for kernbench sim --filelist. Paths are relative to this file.
+incdir+include
link_pkg.sv
pkt_con_if.sv
delay.v
irs_n.sv
topo.sv
