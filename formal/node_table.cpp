// SPDX-License-Identifier: Apache-2.0
// Writes what nodes of the C++ network do in one cycle, for states and inputs that it reads:
// `node_table NX NY FAILED HIGH_BOUND FIXED ROWS NODE...`, FAILED -1 for no failed node.
//
// Standard input has, for each NODE, the columns of its states and inputs: a bit for each of ROWS
// cases, the first in the lowest bit of the first byte, filled up to whole 64-bit words.
// NodeGroupProbe::each_field() has the order of the state, Bench::put() that of the inputs.
// Standard output has for each NODE the columns of its outputs, of its next state, and one that is
// 1 where the rest of the state, which serves speed, agrees with it (Bench::get()). All that is
// written twice: of each case alone in the group, and of cases of all NODEs together. With ROWS 0
// it is the state after a reset, once and of one row. formal/twin.py compares the columns with the
// netlist.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "maze/node_group.hpp"

namespace kernbench::maze {

/// Reads and writes the state of a NodeGroup.
class NodeGroupProbe {
 public:
  /// Calls `visit(word, shift, bits)` for each field of the state of a node, from bit `shift` of a
  /// word on.
  template <typename Group, typename Visit>
  static void each_field(Group& group, unsigned node, Visit visit) {
    const unsigned packet = group.config_.shape.payload_w();
    const auto visit_pair = [&](auto& pair) {
      visit(pair.head, node, 1);
      visit(pair.next, node, 1);
      visit(pair.first[node], 0, packet);
      visit(pair.second[node], 0, packet);
    };
    for (unsigned input = 0; input < group.ports_; ++input) {
      visit(group.ready_[input], node, 1);
      for (auto& level : group.levels_) {
        visit_pair(level.queues[input]);
        for (unsigned output = 0; output < group.ports_; ++output) {
          visit(level.wants[group.cross(output, input)], node, 1);
        }
      }
    }
    visit(group.expands_, node, 1);
    for (unsigned output = 0; output < group.ports_; ++output) {
      visit_pair(group.stages_[output]);
      for (auto& level : group.levels_) {
        for (const unsigned input : group.inputs_of_[output]) {
          visit(level.from[group.cross(output, input)], node, 1);
        }
      }
      for (unsigned bit = 0; bit < group.count_bits_; ++bit) {
        visit(group.high_count_[output * group.count_bits_ + bit], node, 1);
      }
    }
  }

  /// Makes the state that serves speed agree with the rest.
  static void derive(NodeGroup& group) {
    for (Level& level : group.levels_) {
      for (unsigned port = 0; port < group.ports_; ++port) {
        level.touched[port] = complete(group, level, port);
        level.asking[port] = asking(group, level, port);
      }
      const std::uint64_t copying = expanding(group, level);
      for (unsigned node = 0; node < group.config_.shape.nodes(); ++node) {
        if ((copying >> node & 1U) != 0) group.copy_[node] = copy(group, level, node);
      }
    }
    group.counting_ = counting(group);
  }

  /// Returns true if the state that serves speed agrees with the rest of the state of a node.
  static bool agrees(const NodeGroup& group, unsigned node) {
    for (const Level& level : group.levels_) {
      for (unsigned port = 0; port < group.ports_; ++port) {
        if (((level.touched[port] ^ complete(group, level, port)) >> node & 1U) != 0) return false;
        if (level.asking[port] != asking(group, level, port)) return false;
      }
      if ((expanding(group, level) >> node & 1U) != 0 &&
          group.copy_[node] != copy(group, level, node)) {
        return false;
      }
    }
    return group.counting_ == counting(group);
  }

 private:
  using Level = NodeGroup::Level;

  /// Returns the nodes whose head at an input owes no copy.
  static std::uint64_t complete(const NodeGroup& group, const Level& level, unsigned input) {
    std::uint64_t nodes = level.queues[input].head;
    for (unsigned output = 0; output < group.ports_; ++output) {
      nodes &= ~level.wants[group.cross(output, input)];
    }
    return nodes;
  }
  /// Returns the inputs that ask for an output in some node.
  static std::uint32_t asking(const NodeGroup& group, const Level& level, unsigned output) {
    std::uint32_t inputs = 0;
    for (unsigned input = 0; input < group.ports_; ++input) {
      if (level.wants[group.cross(output, input)] != 0) inputs |= 1U << input;
    }
    return inputs;
  }
  /// Returns the outputs with a counter that is not 0 in some node.
  static std::uint32_t counting(const NodeGroup& group) {
    std::uint32_t outputs = 0;
    for (unsigned i = 0; i < group.high_count_.size(); ++i) {
      if (group.high_count_[i] != 0) outputs |= 1U << i / group.count_bits_;
    }
    return outputs;
  }
  /// Returns the nodes whose head at A is a copy of a multicast.
  static std::uint64_t expanding(const NodeGroup& group, const Level& level) {
    const NodeGroup::Pair& queue = level.queues[group.user_port()];
    std::uint64_t nodes = 0;
    for (unsigned node = 0; node < group.config_.shape.nodes(); ++node) {
      const bool copies = (queue.head & group.expands_) >> node & 1U;
      if (copies && group.route_.expands(queue.first[node])) nodes |= std::uint64_t{1} << node;
    }
    return nodes;
  }
  /// Returns the node that the head at A goes to.
  static std::uint16_t copy(const NodeGroup& group, const Level& level, unsigned node) {
    const Payload head = level.queues[group.user_port()].first[node];
    return static_cast<std::uint16_t>(group.layout_.node(group.layout_.tgt(head)));
  }
};

namespace {

/// Makes bit j of word i of 64 words bit i of word j.
void transpose(std::uint64_t* words) {
  std::uint64_t mask = 0xffffffff;
  for (unsigned step = 32; step != 0; step /= 2, mask ^= mask << step) {
    for (unsigned i = 0; i < 64; i = ((i | step) + 1) & ~step) {
      const std::uint64_t swap = (words[i] >> step ^ words[i | step]) & mask;
      words[i] ^= swap << step;
      words[i | step] ^= swap;
    }
  }
}

/// Rows of bits, which are read and written as columns.
class Table {
 public:
  Table(std::size_t columns, std::size_t rows)
      : columns_(columns),
        blocks_((rows + 63) / 64),
        stride_((columns + 63) / 64),
        words_(blocks_ * 64 * stride_) {}

  /// Returns up to 64 bits of a row.
  [[nodiscard]] std::uint64_t get(std::size_t row, std::size_t column, unsigned bits) const {
    const std::uint64_t* word = &words_[row * stride_ + column / 64];
    const unsigned at = column % 64;
    const std::uint64_t value = word[0] >> at | (at + bits > 64 ? word[1] << (64 - at) : 0);
    return value & mask(bits);
  }
  /// Sets bits of a row that are 0.
  void put(std::size_t row, std::size_t column, unsigned bits, std::uint64_t value) {
    std::uint64_t* word = &words_[row * stride_ + column / 64];
    const unsigned at = column % 64;
    value &= mask(bits);
    word[0] |= value << at;
    if (at + bits > 64) word[1] |= value >> (64 - at);
  }
  static std::uint64_t mask(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

  [[nodiscard]] bool read() {
    std::vector<std::uint64_t> columns(columns_ * blocks_);
    if (std::fread(columns.data(), 8, columns.size(), stdin) != columns.size()) return false;
    each_square([&](std::uint64_t* square, std::size_t block, std::size_t strip, std::size_t used) {
      for (std::size_t i = 0; i < used; ++i) {
        square[i] = columns[(strip * 64 + i) * blocks_ + block];
      }
      transpose(square);
      for (std::size_t i = 0; i < 64; ++i) words_[(block * 64 + i) * stride_ + strip] = square[i];
    });
    return true;
  }
  void write() const {
    std::vector<std::uint64_t> columns(columns_ * blocks_);
    each_square([&](std::uint64_t* square, std::size_t block, std::size_t strip, std::size_t used) {
      for (std::size_t i = 0; i < 64; ++i) square[i] = words_[(block * 64 + i) * stride_ + strip];
      transpose(square);
      for (std::size_t i = 0; i < used; ++i) {
        columns[(strip * 64 + i) * blocks_ + block] = square[i];
      }
    });
    std::fwrite(columns.data(), 8, columns.size(), stdout);
  }

 private:
  /// Calls `visit(square, block, strip, used)` for each 64 rows and 64 columns, `used` of them.
  template <typename Visit>
  void each_square(Visit visit) const {
    for (std::size_t block = 0; block < blocks_; ++block) {
      for (std::size_t strip = 0; strip < stride_; ++strip) {
        std::array<std::uint64_t, 64> square = {};
        visit(square.data(), block, strip, std::min<std::size_t>(64, columns_ - strip * 64));
      }
    }
  }

  std::size_t columns_, blocks_, stride_;
  std::vector<std::uint64_t> words_;
};

/// A group of nodes with what stands at its ports.
class Bench {
 public:
  explicit Bench(const NetworkConfig& config)
      : shape_(config.shape),
        group_(config, 0),
        links_(shape_),
        users_(shape_),
        driven_links_(shape_),
        driven_users_(shape_) {
    NodeGroupProbe::each_field(
        group_, 0, [this](std::uint64_t&, unsigned, unsigned bits) { state_columns_ += bits; });
  }

  [[nodiscard]] std::size_t state_columns() const { return state_columns_; }
  /// Returns the columns of the inputs of a node, and of its outputs.
  [[nodiscard]] std::size_t port_columns() const {
    return std::size_t{shape_.ports() + 1} * (shape_.payload_w() + 2);
  }

  void reset() {
    group_.reset();
    links_.in_valid.clear();
    users_.out_valid[0] = 0;
    users_.in_ready[0] = 0;
  }
  /// Sets every bit of the state of a node.
  void fill(unsigned node) {
    NodeGroupProbe::each_field(group_, node,
                               [](std::uint64_t& word, unsigned shift, unsigned bits) {
                                 word |= Table::mask(bits) << shift;
                               });
  }
  /// Puts a row on a node: its state, then for each port valid, packet and ready.
  void put(unsigned node, const Table& from, std::size_t row) {
    std::size_t column = 0;
    const auto next = [&](unsigned bits) {
      const std::uint64_t value = from.get(row, column, bits);
      column += bits;
      return value;
    };
    NodeGroupProbe::each_field(group_, node,
                               [&](std::uint64_t& word, unsigned shift, unsigned bits) {
                                 word &= ~(Table::mask(bits) << shift);
                                 word |= next(bits) << shift;
                               });
    for (unsigned port = 0; port <= shape_.ports(); ++port) {
      const std::uint64_t valid = next(1);
      const Payload packet = next(shape_.payload_w());
      const std::uint64_t ready = next(1);
      if (port < shape_.ports()) {
        links_.in_valid.set(port, node, valid != 0);
        links_.in_payload.at(port, node) = packet;
        links_.out_ready.set(port, node, ready != 0);
      } else {
        users_.out_valid[0] |= valid << node;
        users_.out_payload[node] = packet;
        users_.in_ready[0] |= ready << node;
      }
    }
  }
  void derive() { NodeGroupProbe::derive(group_); }
  void clock() {
    derive();
    group_.evaluate(driven_links_, driven_users_);
    group_.clock(links_, users_);
  }
  /// Writes a row of a node: for each port valid, packet and ready, as they were before the clock,
  /// then its state, and whether all of it agrees.
  void get(unsigned node, Table& to, std::size_t row) const {
    std::size_t column = 0;
    const auto next = [&](unsigned bits, std::uint64_t value) {
      to.put(row, column, bits, value);
      column += bits;
    };
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      next(1, driven_links_.out_valid.port(port)[0] >> node);
      next(shape_.payload_w(), driven_links_.out_payload.at(port, node));
      next(1, driven_links_.in_ready.port(port)[0] >> node);
    }
    next(1, driven_users_.in_valid[0] >> node);
    next(shape_.payload_w(), driven_users_.in_payload[node]);
    next(1, driven_users_.out_ready[0] >> node);
    get_state(node, to, row, column);
  }
  /// Writes the state of a node from a column on, and whether all of it agrees.
  void get_state(unsigned node, Table& to, std::size_t row, std::size_t column) const {
    NodeGroupProbe::each_field(group_, node,
                               [&](const std::uint64_t& word, unsigned shift, unsigned bits) {
                                 to.put(row, column, bits, word >> shift);
                                 column += bits;
                               });
    to.put(row, column, 1, NodeGroupProbe::agrees(group_, node) ? 1 : 0);
  }

 private:
  Shape shape_;
  NodeGroup group_;
  TopoOutputs links_;
  NetworkInputs users_;
  TopoInputs driven_links_;
  NetworkOutputs driven_users_;
  std::size_t state_columns_ = 0;
};

void write_reset(Bench& bench, const std::vector<unsigned>& nodes) {
  for (const unsigned node : nodes) bench.fill(node);
  bench.derive();
  bench.reset();
  for (const unsigned node : nodes) {
    Table after(bench.state_columns() + 1, 1);
    bench.get_state(node, after, 0, 0);
    after.write();
  }
}

int write_table(Bench& bench, const std::vector<unsigned>& nodes, std::size_t rows) {
  std::vector<Table> before(nodes.size(),
                            Table(bench.state_columns() + bench.port_columns(), rows));
  for (Table& table : before) {
    if (!table.read()) return 2;
  }
  const Table none(bench.port_columns() + bench.state_columns() + 1, rows);
  std::vector<Table> alone(nodes.size(), none);
  std::vector<Table> together(nodes.size(), none);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      bench.reset();
      bench.put(nodes[i], before[i], row);
      bench.clock();
      bench.get(nodes[i], alone[i], row);
    }
    // Neighbours have cases from different parts of the table.
    const auto row_of = [&](std::size_t i) { return (row + i * (rows / nodes.size())) % rows; };
    bench.reset();
    for (std::size_t i = 0; i < nodes.size(); ++i) bench.put(nodes[i], before[i], row_of(i));
    bench.clock();
    for (std::size_t i = 0; i < nodes.size(); ++i) bench.get(nodes[i], together[i], row_of(i));
  }
  for (const Table& table : alone) table.write();
  for (const Table& table : together) table.write();
  return 0;
}

}  // namespace
}  // namespace kernbench::maze

int main(int argc, char** argv) {
  using kernbench::maze::Bench;
  if (argc < 8) return 2;
  const auto number = [&](int i) { return std::atoi(argv[i]); };
  const auto natural = [&](int i) { return static_cast<unsigned>(number(i)); };
  kernbench::maze::NetworkConfig config{.shape = {.nx = natural(1), .ny = natural(2), .flit_w = 1},
                                        .high_bound = natural(4),
                                        .fixed_priority = number(5) != 0};
  if (number(3) >= 0) config.failed = natural(3);
  std::vector<unsigned> nodes;
  for (int i = 7; i < argc; ++i) nodes.push_back(natural(i));
  Bench bench(config);
  if (number(6) == 0) {
    kernbench::maze::write_reset(bench, nodes);
    return 0;
  }
  return kernbench::maze::write_table(bench, nodes, natural(6));
}
