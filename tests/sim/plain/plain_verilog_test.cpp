// SPDX-License-Identifier: Apache-2.0
// The Verilog-2005 of small designs, read from the dump of the installed Verilator.
#include "sim/plain/plain_verilog.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "common/diagnostics.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim::plain {
namespace {

class PlainVerilog : public ::testing::Test {
 protected:
  /// Returns the module DUT of the source, whose top is `top`.
  [[nodiscard]] std::string plain(const std::string& source) const {
    (void)folder_.write("a.sv", source);
    const std::string command =
        "cd " + folder_.path().string() +
        " && verilator --$(verilator --xml-only --version > /dev/null 2>&1 && echo xml || echo "
        "json)-only -O0 --noassert -Wno-fatal -Wno-lint -Wno-style --top-module top --prefix a "
        "--Mdir . a.sv > log 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    const auto xml = folder_.path() / "a.xml";
    const structure::Design design(
        structure::read_dump(std::filesystem::exists(xml) ? xml : folder_.path() / "a.tree.json"));
    return plain_verilog(design, "DUT");
  }

  /// Returns the text of a module with one port of eight bits each way and this body.
  [[nodiscard]] std::string plain_of_body(const std::string& body) const {
    return plain("module DUT (input logic [7:0] a, output logic [7:0] y);\n" + body +
                 "\nendmodule\n"
                 "module top (input logic [7:0] a, output logic [7:0] y);\n"
                 "  DUT u_dut (.a, .y);\nendmodule\n");
  }

  [[nodiscard]] std::string refusal_of_body(const std::string& body) const {
    try {
      return plain_of_body(body);
    } catch (const common::BadInput& error) {
      return error.what();
    }
  }

  common::TempFolder folder_;
};

TEST_F(PlainVerilog, KeepsTheHierarchyAndTheNamesOfGenerateBlocks) {
  EXPECT_EQ(plain(R"(interface io;
  logic       vld [2];
  logic [3:0] data [2];
  logic       rdy;
  modport slv (input vld, data, output rdy);
endinterface
module STAGE #(parameter int D = 1) (input logic clk, rst_n, input logic [3:0] d_i, output logic [3:0] q_o);
  if (D == 0) begin : g_wires
    assign q_o = d_i;
  end else begin : g_flops
    logic [3:0] q;
    always_ff @(posedge clk or negedge rst_n)
      if (!rst_n) q <= '0;
      else        q <= d_i;
    assign q_o = q;
  end
endmodule
module PLACE #(parameter int X = 0) (input logic [3:0] d_i, output logic here_o);
  assign here_o = d_i == 4'(X);
endmodule
module DUT (input logic clk, rst_n, io.slv node [1:0], output logic [1:0] here_o);
  for (genvar n = 0; n < 2; n++) begin : g_n
    logic [3:0] q;
    STAGE #(.D(n)) u_stage (.clk, .rst_n, .d_i(node[n].data[1 - n]), .q_o(q));
    PLACE #(.X(n + 5)) u_place (.d_i(q), .here_o(here_o[n]));
    assign node[n].rdy = node[1 - n].vld[0] | q[3];
  end
endmodule
module top (input logic clk, rst_n, input logic [1:0] v, input logic [7:0] d, output logic [1:0] r, h);
  io node [1:0] ();
  DUT u_dut (.clk, .rst_n, .node(node), .here_o(h));
  for (genvar n = 0; n < 2; n++) begin : g_n
    assign node[n].vld[0] = v[0];
    assign node[n].vld[1] = v[1];
    assign node[n].data[0] = d[3:0];
    assign node[n].data[1] = d[7:4];
    assign r[n] = node[n].rdy;
  end
endmodule
)"),
            R"(
// a.sv, STAGE: D = 0
module STAGE_D_0 (
  input  wire clk,
  input  wire rst_n,
  input  wire [3:0] d_i,
  output wire [3:0] q_o
);
  assign q_o = d_i;
endmodule

// a.sv, STAGE: D = 1
module STAGE_D_1 (
  input  wire clk,
  input  wire rst_n,
  input  wire [3:0] d_i,
  output wire [3:0] q_o
);
  reg [3:0] \g_flops.q ;
  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      \g_flops.q  <= 4'h0;
    end else begin
      \g_flops.q  <= d_i;
    end
  end
  assign q_o = \g_flops.q ;
endmodule

// a.sv, PLACE
module PLACE #(
  parameter [3:0] X = 4'h5
) (
  input  wire [3:0] d_i,
  output wire here_o
);
  assign here_o = (X == d_i);
endmodule

// a.sv, DUT
module DUT (
  input  wire clk,
  input  wire rst_n,
  input  wire [3:0] node_vld,
  input  wire [15:0] node_data,
  output wire [1:0] node_rdy,
  output wire [1:0] here_o
);
  wire [3:0] \g_n[0].q ;
  wire [3:0] \g_n[1].q ;
  assign node_rdy[0] = (node_vld[2] | \g_n[0].q [3]);
  assign node_rdy[1] = (node_vld[0] | \g_n[1].q [3]);
  STAGE_D_0 \g_n[0].u_stage  (
    .clk(clk),
    .rst_n(rst_n),
    .d_i(node_data[7:4]),
    .q_o(\g_n[0].q )
  );
  PLACE #(.X(4'h5)) \g_n[0].u_place  (
    .d_i(\g_n[0].q ),
    .here_o(here_o[0])
  );
  STAGE_D_1 \g_n[1].u_stage  (
    .clk(clk),
    .rst_n(rst_n),
    .d_i(node_data[11:8]),
    .q_o(\g_n[1].q )
  );
  PLACE #(.X(4'h6)) \g_n[1].u_place  (
    .d_i(\g_n[1].q ),
    .here_o(here_o[1])
  );
endmodule
)");
}

TEST_F(PlainVerilog, WritesLogicWithoutLoops) {
  EXPECT_EQ(plain_of_body(R"(  logic [3:0] hot;
  always_comb begin
    hot = '0;
    for (int i = 0; i < 2; i++) hot[i * 2 +: 2] = a[7 - i] ? a[i * 2 +: 2] : {2{^a}};
    case (a[1:0])
      2'd0, 2'd2: y[3:0] = hot + 4'd1;
      default: y[3:0] = hot << a[1:0];
    endcase
    y[7:4] = {3'b0, $signed(a) < $signed(8'd3)};
  end)"),
            R"(
// a.sv, DUT
module DUT (
  input  wire [7:0] a,
  output reg [7:0] y
);
  reg [3:0] hot;
  always @* begin
    hot = 4'h0;
    hot[1:0] = (a[7] ? a[1:0] : {2{(^a)}});
    hot[3:2] = (a[6] ? a[3:2] : {2{(^a)}});
    case (a[1:0])
      2'h0, 2'h2: begin
        y[3:0] = (4'h1 + hot);
      end
      default: begin
        y[3:0] = (hot << a[1:0]);
      end
    endcase
    y[7:4] = {3'h0, ($signed(8'h3) > $signed(a))};
  end
endmodule
)");
}

TEST_F(PlainVerilog, AnIndexWrapsAtItsOwnWidth) {
  const std::string text = plain_of_body(R"(  logic [3:0] m [2];
  assign m[0] = a[3:0];
  assign m[1] = a[7:4];
  assign y = {6'b0, m[~a[0]][a[2:1] + 2'd1], a[~a[1:0]]};)");
  EXPECT_EQ(text.substr(text.find("  assign y")),
            "  assign y = {{6'h0, m[(32'd0 + {({(~a[0])} * 32'd4)} + {(2'h1 + a[2:1])})]}, "
            "a[{1'h0, (~a[1:0])}]};\nendmodule\n");
}

TEST_F(PlainVerilog, LeavesOutAConstantThatNothingReads) {
  const std::string text = plain_of_body(R"(  logic [1:0] read, part;
  logic unread;
  assign read[0] = 1'b1;
  assign read[1] = a[0];
  assign part[0] = 1'b1;
  assign part[1] = a[1];
  assign unread = 1'b1;
  assign y = {6'b0, read};)");
  EXPECT_EQ(text.substr(text.find(");\n") + 3), R"(  wire [1:0] read;
  wire [1:0] part;
  assign read = {a[0], 1'h1};
  assign part = {a[1], 1'h1};
  assign y = {6'h0, read};
endmodule
)");
}

TEST_F(PlainVerilog, GivesAResetTheFormThatSynthesisExpects) {
  const std::string text = plain(R"(module DUT (input logic clk, rst_n, d, output logic q, l);
  always_ff @(posedge clk or negedge rst_n) q <= rst_n ? d : 1'b1;
  always_latch if (!clk) l = d;
endmodule
module top (input logic clk, rst_n, d, output logic q, l);
  DUT u_dut (.*);
endmodule
)");
  EXPECT_EQ(text.substr(text.find("  always")), R"(  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      q <= 1'h1;
    end else begin
      q <= (1'h0 | d);
    end
  end
  always @* begin
    if ((~clk)) begin
      l = d;
    end
  end
endmodule
)");
}

TEST_F(PlainVerilog, RefusesWhatVerilog2005CannotSay) {
  const std::string end =
      ": cannot be written as Verilog-2005; rewrite it, or leave out "
      "--write-verilog";
  EXPECT_EQ(refusal_of_body(
                "  always_comb begin\n    y = a;\n    for (int i = 0; i < a; i++) y++;\n  end"),
            "error: a.sv:4: a loop without a constant bound" + end);
  EXPECT_EQ(refusal_of_body("  function automatic logic [7:0] f(input logic [7:0] x);\n"
                            "    return x;\n  endfunction\n  assign y = f(a);"),
            "error: a.sv:5: a call of f" + end);
  EXPECT_EQ(refusal_of_body("  assign y = {<<{a}};"), "error: a.sv:2: the operator STREAML" + end);
}

TEST_F(PlainVerilog, NamesAModuleThatTheDesignLacks) {
  (void)folder_;
  try {
    (void)plain("module top (input logic a, output logic y); assign y = a; endmodule");
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(), "error: the design has no module DUT");
  }
}

}  // namespace
}  // namespace kernbench::sim::plain
