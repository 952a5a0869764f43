// Binds the checkers to every link of the TOPO in maze_tb_top.
`ifndef KB_PYLD_W
`define KB_PYLD_W 23
`endif

bind IRS_N link_checker #(
  .PYLD_W       (PYLD_W),
  .IRS_DEEP     (IRS_DEEP),
  .TYPE_NO_READY(TYPE_NO_READY),
  .TYPE_HALF    (TYPE_HALF)
) u_link_checker (
  .clk,
  .rst_n,
  .valid_i,
  .ready_o,
  .payload_i,
  .valid_o,
  .ready_i,
  .payload_o
);

bind IRS_N topo_param_checker #(
  .PYLD_W       (PYLD_W),
  .TYPE_NO_READY(TYPE_NO_READY),
  .TYPE_HALF    (TYPE_HALF),
  .TYPE_RO_EN   (TYPE_RO_EN),
  .PacketW      (`KB_PYLD_W)
) u_param_checker ();
