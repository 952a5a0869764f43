// SPDX-License-Identifier: Apache-2.0
// The nodes that a link joins, and its length.
package link_pkg;

  // Address bits of one coordinate.
  function automatic int unsigned bits(int unsigned n);
    return n <= 8 ? 3 : $clog2(n);
  endfunction

  // Stages of a link over `hop` nodes of a ring of `n`.
  function automatic int unsigned stages(int unsigned hop, int unsigned n);
    return (2 * hop <= n ? hop : n - hop) - 1;
  endfunction

  // The node `hop` columns (rows) further.
  function automatic int unsigned right_of(int unsigned node, int unsigned hop, int unsigned nx);
    return node - node % nx + (node % nx + hop) % nx;
  endfunction
  function automatic int unsigned below(int unsigned node, int unsigned hop, int unsigned nx, int unsigned ny);
    return (node + hop * nx) % (nx * ny);
  endfunction

endpackage
