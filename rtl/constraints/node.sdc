# SPDX-License-Identifier: Apache-2.0
# Constraints of a node, a MAZE_CORE by itself, at 100 MHz. `make silicon` uses them.

create_clock -name clk -period 10.0 [get_ports clk]

# Jitter, and the skew between two ends of a path.
set_clock_uncertainty -setup 0.3 [get_clocks clk]
set_clock_uncertainty -hold 0.1 [get_clocks clk]

# The other end of a port may be a flop at the far side of a wire: a fifth of the period is its.
set_input_delay 2.0 -clock clk [get_ports {valid_i[*] ready_i[*] payload_i[*]}]
set_output_delay 2.0 -clock clk [get_ports {valid_o[*] ready_o[*] payload_o[*]}]

# The reset falls at any time. It is released by a flop of this clock.
set_input_delay 2.0 -clock clk [get_ports rst_n]

# The position is fixed; the failed node is stable from reset on.
set_false_path -from [get_ports {x_i[*] y_i[*] pg_en_i pg_node_i[*]}]
