// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layout of the planes of a MAZE cycle in the wide packed ports of the baseline's maze_tb_top.sv. A
// wide port is an array of 32-bit words; link p*nodes+n of a plane is bit (or slice) p*nodes+n.

#include <Vmaze_tb_top.h>

#include <cstdint>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

constexpr maze::Shape kPortShape{KB_NX, KB_NY, KB_FLIT_W};
constexpr unsigned kPayloadW = kPortShape.payload_w();
static_assert(kPortShape.links() > 64, "a port of up to 64 bits is not an array of words");

template <typename Wide>
void put_bits(Wide& wide, const maze::BitPlane& plane) {
  std::uint64_t window = 0;
  unsigned filled = 0;
  unsigned word = 0;
  for (unsigned p = 0; p < kPortShape.ports(); ++p) {
    for (unsigned n = 0; n < kPortShape.nodes(); ++n) {
      window |= std::uint64_t{plane.test(p, n)} << filled;
      if (++filled == 32) {
        wide[word++] = static_cast<EData>(window);
        window = filled = 0;
      }
    }
  }
  if (filled != 0) wide[word] = static_cast<EData>(window);
}

template <typename Wide>
void get_bits(maze::BitPlane& plane, const Wide& wide) {
  plane.clear();
  unsigned link = 0;
  for (unsigned p = 0; p < kPortShape.ports(); ++p) {
    for (unsigned n = 0; n < kPortShape.nodes(); ++n, ++link) {
      const std::uint64_t bit = wide[link / 32] >> (link % 32) & 1U;
      plane.port(p)[n / 64] |= bit << (n % 64);
    }
  }
}

template <typename Wide>
void put_payloads(Wide& wide, const maze::PayloadPlane& plane) {
  unsigned __int128 window = 0;
  unsigned filled = 0;
  unsigned word = 0;
  for (std::size_t link = 0; link < plane.size(); ++link) {
    window |= static_cast<unsigned __int128>(plane.data()[link]) << filled;
    for (filled += kPayloadW; filled >= 32; filled -= 32) {
      wide[word++] = static_cast<EData>(window);
      window >>= 32;
    }
  }
  if (filled != 0) wide[word] = static_cast<EData>(window);
}

template <typename Wide>
void get_payloads(maze::PayloadPlane& plane, const Wide& wide) {
  unsigned __int128 window = 0;
  unsigned filled = 0;
  unsigned word = 0;
  for (std::size_t link = 0; link < plane.size(); ++link) {
    for (; filled < kPayloadW; filled += 32) {
      window |= static_cast<unsigned __int128>(wide[word++]) << filled;
    }
    plane.data()[link] = static_cast<std::uint64_t>(window) & ((std::uint64_t{1} << kPayloadW) - 1);
    window >>= kPayloadW;
    filled -= kPayloadW;
  }
}

/// The pins of one baseline maze_tb_top. Inputs change while the clock is low; a separate
/// evaluation makes the rising edge.
class Pins {
 public:
  explicit Pins(Vmaze_tb_top& top) : top_(top) {}

  void drive(const maze::TopoInputs& inputs) {
    put_bits(top_.out_valid_i, inputs.out_valid);
    put_bits(top_.in_ready_i, inputs.in_ready);
    put_payloads(top_.out_payload_i, inputs.out_payload);
  }

  void sample(maze::TopoOutputs& outputs) const {
    get_bits(outputs.out_ready, top_.out_ready_o);
    get_bits(outputs.in_valid, top_.in_valid_o);
    get_payloads(outputs.in_payload, top_.in_payload_o);
  }

  void settle(bool rst_n) {
    top_.clk_i = 0;
    top_.rst_ni = static_cast<CData>(rst_n);
    top_.eval();
  }

  void falling_edge() {}

  void rising_edge() {
    top_.clk_i = 1;
    top_.eval();
  }

 private:
  Vmaze_tb_top& top_;
};

}  // namespace kernbench::sim
