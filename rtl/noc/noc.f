// SPDX-License-Identifier: Apache-2.0
// The sources of the nodes of networks of any topology. Names are relative to this file.
../irs_half.sv
../irs_lp.sv
../irs_n.sv
noc_queue.sv
noc_output.sv
noc_router.sv
noc_node.sv
noc_link_rules.sv
noc_checkers.sv
