// SPDX-License-Identifier: Apache-2.0
// The second coding with a monitor on its links.
-F topo.f
says.sv
