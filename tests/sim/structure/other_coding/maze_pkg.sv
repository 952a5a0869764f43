// SPDX-License-Identifier: Apache-2.0
package maze_pkg;
  typedef struct packed {
    logic [1:0] kind;
    logic       qos;
    logic [5:0] src, tgt;
    logic [7:0] data;
  } pkt_t;

  function automatic int depth(int k);
    int d;
    d = (k < 8 - k) ? k : 8 - k;
    return (d > 1) ? d - 1 : 0;
  endfunction
endpackage
