// Checks that an IRS_N of a TOPO has full throughput and the width of the packet. The ports reveal
// neither TYPE_RO_EN nor a payload that is wider than the packet.
module topo_param_checker #(
  parameter int PYLD_W        = 23,
  parameter bit TYPE_NO_READY = 1'b0,
  parameter bit TYPE_HALF     = 1'b0,
  parameter bit TYPE_RO_EN    = 1'b1,
  parameter int PacketW       = 23
);

  import checker_pkg::*;

  localparam bit Wrong = (PYLD_W != PacketW) || TYPE_NO_READY || TYPE_HALF || !TYPE_RO_EN;

  if (Wrong) begin : g_wrong
    initial report($sformatf("%m"), "parameters");
  end

endmodule
