// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/network_diagram.hpp"

#include <utility>
#include <vector>

#include "docs/generator/figure.hpp"

namespace kernbench::docs {
namespace {

using plot::TextAnchor;

/// A module with its name and a line of notes below it.
void module_box(Figure& figure, double x, double y, double w, double h, const char* name,
                const std::vector<const char*>& notes) {
  figure.canvas().rect(x, y, w, h, {"box"}, 4);
  const double first = y + h / 2 - 7.0 * static_cast<double>(notes.size()) + 5;
  figure.text(x + w / 2, first, name, "strong", TextAnchor::Middle);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    figure.text(x + w / 2, first + 16 + 14 * static_cast<double>(i), notes[i], "small",
                TextAnchor::Middle);
  }
}

}  // namespace

std::string node_diagram() {
  Figure figure(1130, 420, "MAZE_NODE: the way of a packet", "", "");
  plot::SvgCanvas& canvas = figure.canvas();
  canvas.rect(120, 56, 880, 320, {"faint"}, 6);
  figure.text(132, 76, "MAZE_CORE", "note");
  // Inputs: one row in detail, all others alike.
  const double y = 110;
  figure.text(16, y + 40, "X 0 to 6", "");
  figure.text(16, y + 58, "Y 0 to 6", "");
  figure.text(16, y + 76, "A", "");
  figure.text(16, y + 100, "15 inputs", "small");
  figure.arrow({{82, y + 54}, {150, y + 54}}, "wire");
  module_box(figure, 150, y, 150, 110, "MAZE_QUEUE", {"2 low, 2 high", "ready is a flop"});
  figure.arrow({{300, y + 54}, {350, y + 54}}, "wire");
  module_box(figure, 350, y, 150, 110, "MAZE_ROUTE",
             {"low head, high head:", "the outputs of each"});
  figure.arrow({{500, y + 54}, {550, y + 54}}, "wire");
  module_box(figure, 550, y, 150, 110, "MAZE_FORK", {"low, high: a done bit", "for each output"});
  figure.arrow({{700, y + 54}, {770, y + 54}}, "wire");
  figure.text(735, y + 44, "requests", "small", TextAnchor::Middle);
  module_box(figure, 770, y, 190, 110, "MAZE_ARBITER",
             {"high before low,", "round robin in a level,", "selects the packet"});
  figure.arrow({{865, y + 110}, {865, y + 160}}, "wire");
  module_box(figure, 770, y + 160, 190, 80, "IRS_N, depth 1", {"output stage, holds 2"});
  figure.arrow({{960, y + 200}, {1050, y + 200}}, "wire");
  figure.text(1060, y + 182, "X 0 to 6", "");
  figure.text(1060, y + 204, "Y 0 to 6", "");
  figure.text(1060, y + 226, "B", "");
  figure.text(1060, y + 250, "15 outputs", "small");
  // Grants go back.
  figure.arrow({{800, y + 110}, {800, y + 135}, {625, y + 135}, {625, y + 110}}, "wire");
  figure.text(700, y + 151, "grants", "small", TextAnchor::Middle);
  figure.arrow({{590, y + 110}, {590, y + 135}, {262, y + 135}, {262, y + 110}}, "wire");
  figure.text(420, y + 151, "the last copy has left: pop", "small", TextAnchor::Middle);
  module_box(figure, 150, y + 180, 150, 70, "MAZE_EXPAND", {"at A, with pg_en"});
  figure.arrow({{186, y + 180}, {186, y + 110}}, "wire");
  figure.text(312, y + 208, "target of the next copy", "small");
  figure.text(312, y + 224, "of a multicast", "small");
  figure.text(
      20, 404,
      "8 x 8. An X output takes packets of Y inputs and A, a Y output those of X inputs and A, B "
      "those of all.",
      "small");
  return std::move(figure).finish();
}

std::string top_diagram() {
  Figure figure(880, 400, "MAZE_TOP", "", "");
  plot::SvgCanvas& canvas = figure.canvas();
  canvas.rect(150, 56, 580, 300, {"faint"}, 6);
  figure.text(162, 76, "MAZE_TOP: MAZE_ARRAY behind 128 single interfaces", "note");
  const double y = 100;
  for (int i = 2; i >= 0; --i) {
    const double shift = 8.0 * i;
    canvas.rect(300 + shift, y - shift + 20, 180, 90, {"box"}, 4);
  }
  figure.text(390, y + 60, "MAZE_NODE", "strong", TextAnchor::Middle);
  figure.text(390, y + 80, "64, with x and y", "small", TextAnchor::Middle);
  figure.arrow({{130, y + 50}, {300, y + 50}}, "wire");
  figure.text(20, y + 46, "pkt_in_0 to _63", "");
  figure.text(20, y + 64, "A: packets in", "small");
  figure.arrow({{496, y + 50}, {750, y + 50}}, "wire");
  figure.text(758, y + 46, "pkt_out_0 to _63", "");
  figure.text(758, y + 64, "B: packets out", "small");
  module_box(figure, 300, y + 180, 196, 60, "TOPO", {"896 links of IRS buffers"});
  figure.arrow({{360, y + 110}, {360, y + 180}}, "wire");
  figure.arrow({{430, y + 180}, {430, y + 110}}, "wire");
  figure.text(442, y + 150, "C: pkt_con_if, 14 links each way", "small");
  module_box(figure, 176, y + 130, 100, 60, "clock gate", {"64"});
  figure.text(20, y + 154, "clk", "");
  figure.arrow({{130, y + 150}, {176, y + 150}}, "wire");
  figure.text(20, y + 176, "pg_en, pg_node", "");
  figure.arrow({{130, y + 172}, {176, y + 172}}, "wire");
  figure.arrow({{226, y + 130}, {226, y + 90}, {300, y + 90}}, "wire");
  figure.text(
      20, 384,
      "The failed node has no clock. A ready and B valid of it are 0; the links keep theirs.",
      "small");
  return std::move(figure).finish();
}

}  // namespace kernbench::docs
