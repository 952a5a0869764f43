// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernbench::maze {

/// Size of a MAZE Topo: `nx` x `ny` nodes (2..16 each), `flit_w` data bits (1..32).
/// Node id is `y*nx + x`. Ports of a node are numbered X first: port i < nx-1 is x[i],
/// port nx-1+i is y[i]. Output port p of a node and input port p of its target are the
/// two ends of one link.
struct Shape {
  unsigned nx = 8;
  unsigned ny = 8;
  unsigned flit_w = 8;

  [[nodiscard]] constexpr unsigned nodes() const { return nx * ny; }
  [[nodiscard]] constexpr unsigned x_ports() const { return nx - 1; }
  [[nodiscard]] constexpr unsigned y_ports() const { return ny - 1; }
  [[nodiscard]] constexpr unsigned ports() const { return x_ports() + y_ports(); }
  [[nodiscard]] constexpr unsigned links() const { return nodes() * ports(); }
  /// Returns the number of 64-bit words that hold one bit per node, 1 to 4.
  [[nodiscard]] constexpr unsigned words() const { return (nodes() + 63) / 64; }
  /// Returns the bits of such a word that stand for nodes.
  [[nodiscard]] constexpr std::uint64_t node_mask(std::size_t word) const {
    const std::size_t left = nodes() - word * 64;
    return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
  /// Return the address bits of x and of y, at least 3 each (MAZE Topo, packet format).
  [[nodiscard]] constexpr unsigned x_addr_bits() const { return addr_bits(nx); }
  [[nodiscard]] constexpr unsigned y_addr_bits() const { return addr_bits(ny); }
  [[nodiscard]] constexpr unsigned node_addr_bits() const { return x_addr_bits() + y_addr_bits(); }
  /// Returns the packet width: type 2, qos 1, src, tgt, data. 23 for 8x8 with 8 data bits.
  [[nodiscard]] constexpr unsigned payload_w() const { return 3 + 2 * node_addr_bits() + flit_w; }

  friend constexpr bool operator==(const Shape&, const Shape&) = default;

 private:
  static constexpr unsigned addr_bits(unsigned n) {
    unsigned bits = 3;
    while ((1U << bits) < n) ++bits;
    return bits;
  }
};

/// A packet as the RTL carries it, in the low `payload_w` bits.
using Payload = std::uint64_t;

/// One bit for every (port, node): bit node%64 of word [port][node/64]. Bits past the last node are
/// 0.
class BitPlane {
 public:
  BitPlane() = default;
  explicit BitPlane(const Shape& s) : BitPlane(s, s.ports()) {}
  /// Has `ports` ports at each node.
  BitPlane(const Shape& s, unsigned ports)
      : words_(s.words()), bits_(std::size_t{ports} * s.words()) {}

  [[nodiscard]] std::uint64_t* port(unsigned p) { return bits_.data() + std::size_t{p} * words_; }
  [[nodiscard]] const std::uint64_t* port(unsigned p) const {
    return bits_.data() + std::size_t{p} * words_;
  }
  [[nodiscard]] bool test(unsigned p, unsigned node) const {
    return (port(p)[node / 64] >> (node % 64) & 1U) != 0;
  }
  void set(unsigned p, unsigned node, bool value = true) {
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    port(p)[node / 64] = (port(p)[node / 64] & ~bit) | (value ? bit : 0);
  }
  void clear() { bits_.assign(bits_.size(), 0); }
  [[nodiscard]] unsigned ports() const { return static_cast<unsigned>(bits_.size()) / words_; }
  [[nodiscard]] std::size_t size() const { return bits_.size(); }
  /// Words of all ports, the first port first.
  [[nodiscard]] std::uint64_t& operator[](std::size_t word) { return bits_[word]; }
  [[nodiscard]] const std::uint64_t& operator[](std::size_t word) const { return bits_[word]; }
  [[nodiscard]] auto begin() { return bits_.begin(); }
  [[nodiscard]] auto end() { return bits_.end(); }
  [[nodiscard]] auto begin() const { return bits_.begin(); }
  [[nodiscard]] auto end() const { return bits_.end(); }
  [[nodiscard]] std::uint64_t* data() { return bits_.data(); }
  [[nodiscard]] const std::uint64_t* data() const { return bits_.data(); }
  friend bool operator==(const BitPlane&, const BitPlane&) = default;

 private:
  unsigned words_ = 1;
  std::vector<std::uint64_t> bits_;
};

/// One packet for every (port, node): element port*nodes + node.
class PayloadPlane {
 public:
  PayloadPlane() = default;
  explicit PayloadPlane(const Shape& s) : PayloadPlane(s, s.ports()) {}
  /// Has `ports` ports at each node.
  PayloadPlane(const Shape& s, unsigned ports)
      : nodes_(s.nodes()), items_(std::size_t{ports} * s.nodes()) {}

  [[nodiscard]] Payload* port(unsigned p) { return items_.data() + std::size_t{p} * nodes_; }
  [[nodiscard]] const Payload* port(unsigned p) const {
    return items_.data() + std::size_t{p} * nodes_;
  }
  [[nodiscard]] Payload& at(unsigned p, unsigned node) { return port(p)[node]; }
  [[nodiscard]] Payload at(unsigned p, unsigned node) const { return port(p)[node]; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] Payload& operator[](std::size_t item) { return items_[item]; }
  [[nodiscard]] const Payload& operator[](std::size_t item) const { return items_[item]; }
  [[nodiscard]] Payload* data() { return items_.data(); }
  [[nodiscard]] const Payload* data() const { return items_.data(); }

 private:
  unsigned nodes_ = 0;
  std::vector<Payload> items_;
};

/// Signals that the nodes drive into a Topo in one cycle, indexed by the driving node's own port.
struct TopoInputs {
  explicit TopoInputs(const Shape& s) : TopoInputs(s, s.ports()) {}
  TopoInputs(const Shape& s, unsigned ports)
      : out_valid(s, ports), in_ready(s, ports), out_payload(s, ports) {}
  BitPlane out_valid;        ///< xo_vld / yo_vld of each node
  BitPlane in_ready;         ///< xi_rdy / yi_rdy of each node
  PayloadPlane out_payload;  ///< meaningful where out_valid is 1
};

/// Signals that a Topo drives in the same cycle, indexed by the receiving node's own port.
struct TopoOutputs {
  explicit TopoOutputs(const Shape& s) : TopoOutputs(s, s.ports()) {}
  TopoOutputs(const Shape& s, unsigned ports)
      : out_ready(s, ports), in_valid(s, ports), in_payload(s, ports) {}
  BitPlane out_ready;       ///< xo_rdy / yo_rdy of each node
  BitPlane in_valid;        ///< xi_vld / yi_vld of each node
  PayloadPlane in_payload;  ///< meaningful where in_valid is 1
};

}  // namespace kernbench::maze
