// SPDX-License-Identifier: Apache-2.0
// record_pins SUITES FOLDER [NODE]: writes the pins of each case of a regression of TOPO or of a
// network, run on the cycle reference, as FOLDER/CASE.pins for pins_bench.py. With NODE, a number,
// the pins are those of the MAZE_CORE of that node of the network:
//
//   a line for each vector of pins, in or out NAME WIDTH, as the Verilog-2005 has them, and a line
//   "pins"; then a line for each cycle: rst_n, the inputs, the outputs, and which bits of the
//   outputs count, in hexadecimal digits, the first vector lowest.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "sim/network/network_run.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/regression/case_runner.hpp"
#include "tests/sim/reference_dut.hpp"
#include "tests/sim/reference_network.hpp"

namespace {

using namespace kernbench;

/// A vector of pins: a bit or a field of the packet of each port.
struct Vector {
  std::string name;
  unsigned port = 0;   ///< first port of a node
  unsigned ports = 1;  ///< ports of each node
  bool is_input = false;
  bool is_sender = false;  ///< the side of the node that sends
  bool is_valid = false;   ///< valid, or else ready, of a vector without packets
  unsigned low = 0;        ///< lowest bit of a field in a packet
  unsigned bits = 0;       ///< bits of a field; 0: valid or ready
};

/// Adds the seven signals of one side of some ports. `valid_in` says that the fabric receives.
void add_side(std::vector<Vector>& all, const std::string& prefix, const maze::Shape& shape,
              Vector side, bool valid_in) {
  const unsigned address = shape.node_addr_bits();
  const auto add = [&](const char* name, bool input, bool valid, unsigned low, unsigned bits) {
    side.name = prefix + name;
    side.is_input = input;
    side.is_valid = valid;
    side.low = low;
    side.bits = bits;
    all.push_back(side);
  };
  add("vld", valid_in, true, 0, 0);
  add("rdy", !valid_in, false, 0, 0);
  unsigned low = 0;
  for (const auto& [name, bits] :
       {std::pair{"data", shape.flit_w}, std::pair{"tgt", address}, std::pair{"src", address},
        std::pair{"qos", 1U}, std::pair{"type", 2U}}) {
    add(name, valid_in, true, low, bits);
    low += bits;
  }
}

std::vector<Vector> topo_vectors(const maze::Shape& shape) {
  std::vector<Vector> all;
  for (const bool x : {true, false}) {
    for (const bool sender : {true, false}) {
      Vector side;
      side.port = x ? 0 : shape.x_ports();
      side.ports = x ? shape.x_ports() : shape.y_ports();
      side.is_sender = sender;
      add_side(all, fmt::format("node_if_{}{}_", x ? 'x' : 'y', sender ? 'o' : 'i'), shape, side,
               sender);
    }
  }
  return all;
}

std::vector<Vector> network_vectors(const maze::Shape& shape) {
  std::vector<Vector> all;
  for (const bool a : {true, false}) {
    Vector side;
    side.is_sender = a;
    add_side(all, a ? "pkt_i_pkt_in_" : "pkt_o_pkt_out_", shape, side, a);
  }
  return all;
}

using Bits = std::vector<bool>;

std::string hex(const Bits& bits) {
  std::string digits;
  for (std::size_t at = 0; at < bits.size(); at += 4) {
    unsigned nibble = 0;
    for (std::size_t b = at; b < std::min(at + 4, bits.size()); ++b)
      nibble |= (bits[b] ? 1U : 0U) << (b - at);
    digits.insert(digits.begin(), "0123456789abcdef"[nibble]);
  }
  return digits;
}

/// Writes the pins of a run.
class PinWriter final : public sim::Extension {
 public:
  PinWriter(const std::filesystem::path& path, const maze::Shape& shape,
            std::vector<Vector> vectors, const std::string& fixed)
      : out_(path), shape_(shape), vectors_(std::move(vectors)) {
    for (const Vector& one : vectors_) {
      out_ << (one.is_input ? "in " : "out ") << one.name << ' ' << width(one) << '\n';
    }
    out_ << fixed << "pins\n";
  }

  void on_cycle(const sim::CycleView& view) override {
    if (view.in_reset && view.reset != sim::ResetCycle{}) {
      throw common::BadInput("a reset that begins or ends within a cycle cannot be recorded");
    }
    Bits in;
    Bits out;
    Bits counts;
    for (const Vector& one : vectors_) {
      for (unsigned node = 0; node < shape_.nodes(); ++node) {
        for (unsigned i = 0; i < one.ports; ++i)
          add(one, one.port + i, node, view, in, out, counts);
      }
    }
    out_ << (view.in_reset ? 0 : 1) << ' ' << hex(in) << ' ' << hex(out) << ' ' << hex(counts)
         << '\n';
  }

 private:
  [[nodiscard]] unsigned width(const Vector& one) const {
    return shape_.nodes() * one.ports * std::max(one.bits, 1U);
  }

  static void add(const Vector& one, unsigned port, unsigned node, const sim::CycleView& view,
                  Bits& in, Bits& out, Bits& counts) {
    const maze::TopoInputs& driven = *view.driven;
    const maze::TopoOutputs& seen = *view.observed;
    Bits& bits = one.is_input ? in : out;
    const bool valid =
        one.is_sender ? driven.out_valid.test(port, node) : seen.in_valid.test(port, node);
    if (one.bits == 0) {
      const bool ready =
          one.is_sender ? seen.out_ready.test(port, node) : driven.in_ready.test(port, node);
      bits.push_back(one.is_valid ? valid : ready);
      if (!one.is_input) counts.push_back(true);
      return;
    }
    const maze::Payload packet =
        one.is_sender ? driven.out_payload.at(port, node) : seen.in_payload.at(port, node);
    for (unsigned bit = one.low; bit < one.low + one.bits; ++bit) {
      bits.push_back(valid && (packet >> bit & 1U) != 0);
      if (!one.is_input) counts.push_back(valid);
    }
  }

  std::ofstream out_;
  maze::Shape shape_;
  std::vector<Vector> vectors_;
};

/// Writes the pins of the core of a node: its links, and A and B behind them.
class CoreWriter final : public sim::Extension {
 public:
  CoreWriter(const std::filesystem::path& path, const maze::Shape& shape, unsigned node)
      : out_(path), node_(node), links_(shape.ports()), width_(packet_bits(shape)) {
    const unsigned all = links_ + 1;
    out_ << fmt::format("in valid_i {0}\nin ready_i {0}\nin payload_i {1}\n", all, all * width_)
         << fmt::format("out ready_o {0}\nout valid_o {0}\nout payload_o {1}\n", all, all * width_)
         << fmt::format("fixed x_i {}\nfixed y_i {}\nfixed pg_en_i 0\nfixed pg_node_i 0\npins\n",
                        node % shape.nx, node / shape.nx);
  }

  void on_cycle(const sim::CycleView& view) override {
    std::vector<Port> ports;
    const maze::TopoInputs& sent = view.links->from_nodes;
    const maze::TopoOutputs& received = view.links->to_nodes;
    for (unsigned port = 0; port < links_; ++port) {
      ports.push_back({received.in_valid.test(port, node_), received.out_ready.test(port, node_),
                       sent.in_ready.test(port, node_), sent.out_valid.test(port, node_),
                       received.in_payload.at(port, node_), sent.out_payload.at(port, node_)});
    }
    ports.push_back({view.driven->out_valid.test(0, node_), view.driven->in_ready.test(0, node_),
                     view.observed->out_ready.test(0, node_),
                     view.observed->in_valid.test(0, node_), view.driven->out_payload.at(0, node_),
                     view.observed->in_payload.at(0, node_)});
    Bits in;
    Bits out;
    Bits counts;
    for (const Port& one : ports) in.push_back(one.valid_in);
    for (const Port& one : ports) in.push_back(one.ready_in);
    for (const Port& one : ports) add(in, one.valid_in, one.packet_in);
    for (const Port& one : ports) out.push_back(one.ready_out);
    for (const Port& one : ports) out.push_back(one.valid_out);
    counts.assign(out.size(), true);
    for (const Port& one : ports) {
      add(out, one.valid_out, one.packet_out);
      counts.insert(counts.end(), width_, one.valid_out);
    }
    out_ << (view.in_reset ? 0 : 1) << ' ' << hex(in) << ' ' << hex(out) << ' ' << hex(counts)
         << '\n';
  }

 private:
  struct Port {
    bool valid_in, ready_in, ready_out, valid_out;
    maze::Payload packet_in, packet_out;
  };

  static unsigned packet_bits(const maze::Shape& shape) {
    return 3 + 2 * shape.node_addr_bits() + shape.flit_w;
  }

  void add(Bits& bits, bool valid, maze::Payload packet) const {
    for (unsigned bit = 0; bit < width_; ++bit) bits.push_back(valid && (packet >> bit & 1U) != 0);
  }

  std::ofstream out_;
  unsigned node_;
  unsigned links_;
  unsigned width_;
};

class Recorder final : public sim::CaseObserver {
 public:
  explicit Recorder(sim::Extension& writer) : writer_(writer) {}
  sim::Extension* watch(sim::Dut& /*dut*/) override { return &writer_; }

 private:
  sim::Extension& writer_;
};

/// Fails for a case that does not pass: its pins would not be those of a sound fabric.
void require_pass(const sim::CaseResult& result) {
  if (result.outcome == common::Outcome::Pass) return;
  throw common::BadInput(
      fmt::format("{} does not pass on the reference: {}", result.suite, result.reason));
}

void record_topo(const std::string& path, const std::filesystem::path& folder) {
  const sim::RegressionSpec spec = sim::load_regression(path);
  for (const sim::SuiteSpec& suite : spec.suites) {
    sim::ReferenceDut dut(spec.shape);
    PinWriter writer(folder / (suite.name + ".pins"), spec.shape, topo_vectors(spec.shape), "");
    Recorder recorder(writer);
    sim::CaseOptions options;
    options.observer = &recorder;
    require_pass(sim::run_case({&suite, spec.seed, nullptr}, dut, options).result);
  }
}

void record_network(const std::string& path, const std::filesystem::path& folder,
                    std::optional<unsigned> node) {
  const sim::NetworkSpec spec = sim::parse_network_regression(common::read_text_file(path), path);
  for (const sim::NetworkCase& one : sim::network_cases(spec)) {
    maze::NetworkConfig config;
    config.shape = spec.shape;
    sim::ReferenceNetwork dut(config);
    const unsigned address = one.failed
                                 ? (*one.failed / spec.shape.nx) << spec.shape.x_addr_bits() |
                                       (*one.failed % spec.shape.nx)
                                 : 0;
    const std::string fixed = fmt::format("fixed test_en 0\nfixed pg_en {}\nfixed pg_node {}\n",
                                          one.failed ? 1 : 0, address);
    const std::filesystem::path file = folder / (one.name + ".pins");
    std::unique_ptr<sim::Extension> writer;
    if (node) {
      writer = std::make_unique<CoreWriter>(file, spec.shape, *node);
    } else {
      writer = std::make_unique<PinWriter>(file, spec.shape, network_vectors(spec.shape), fixed);
    }
    Recorder recorder(*writer);
    sim::CaseOptions options;
    options.observer = &recorder;
    require_pass(sim::run_network_case(one, dut, options).result);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3 && count != 4) {
    std::cerr << "usage: record_pins SUITES FOLDER [NODE]\n";
    return 2;
  }
  try {
    const std::string path = arguments[1];
    std::filesystem::create_directories(arguments[2]);
    const bool network = sim::is_network_regression(common::read_text_file(path), path);
    if (network) {
      std::optional<unsigned> node;
      if (count == 4) node = static_cast<unsigned>(std::stoul(arguments[3]));
      record_network(path, arguments[2], node);
    } else {
      record_topo(path, arguments[2]);
    }
  } catch (const common::BadInput& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
