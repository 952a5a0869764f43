// SPDX-License-Identifier: Apache-2.0
// Width of a packet of type, QoS, two addresses and data.
`define PACKET_W(addr_w, flit_w) (3 + 2 * (addr_w) + (flit_w))
