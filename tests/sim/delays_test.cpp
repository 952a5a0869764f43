// SPDX-License-Identifier: Apache-2.0
#include "sim/build/delays.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

TEST(Delays, AreCountedInEachForm) {
  EXPECT_EQ(count_delays("`line 1 \"a.sv\" 1\nmodule m;\n"
                         "initial begin #5; #1.5ns x = 1; #D y = 0; #(2 * D) z = 1; end\n"
                         "always @(posedge c) q <= #1 d;\nassign #(1, 2) w = q;\n"
                         "always @(posedge c) #(3) r = 1;\nwire #2 v; and #(1) g(a, b, c);\n"),
            (Delays{9, "a.sv:2"}));
}

TEST(Delays, AreNotParametersCyclesAndText) {
  EXPECT_EQ(count_delays("module m #(parameter N = 1) (input c);\nfoo #(.A(1)) u (c);\n"
                         "property p; a ##1 b ##[1:2] c #-# d #=# e; endproperty\n"
                         "initial $display(\"#5 \\\" #6\");\nbar #(3) \\a#5 (c);\n"),
            (Delays{}));
}

TEST(Delays, AreThoseThatVerilatorReads) {
  const common::TempFolder folder;
  (void)folder.write("d.svh", "`define LATER #1\n");
  RtlSources sources;
  sources.include_dirs = {folder.path().string()};
  sources.files = {folder.write("a.sv",
                                "`include \"d.svh\"\nmodule m(input c, d, output logic q);\n"
                                "// #5\n`ifdef OFF\ninitial #5;\n`endif\n"
                                "always_ff @(posedge c) q <= `LATER d;\nendmodule\n")};
  EXPECT_EQ(delays_of(sources), (Delays{1, sources.files[0] + ":7"}));
  EXPECT_EQ(delays_text(delays_of(sources)),
            "1 delay of the RTL is ignored, at " + sources.files[0] + ":7");
  sources.defines = {"OFF"};
  EXPECT_EQ(delays_text(delays_of(sources)),
            "2 delays of the RTL are ignored, the first at " + sources.files[0] + ":5");
  EXPECT_EQ(delays_text(Delays{}), "");
  sources.files.push_back(sources.files[0] + ".missing");
  EXPECT_EQ(delays_of(sources), std::nullopt);
  EXPECT_EQ(delays_text(std::nullopt),
            "delays of the RTL are ignored; Verilator cannot read it to count them");
}

}  // namespace
}  // namespace kernbench::sim
