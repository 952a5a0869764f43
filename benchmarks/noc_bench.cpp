// SPDX-License-Identifier: Apache-2.0
// Speed of the reference of a network of any topology alone, or of its verilated RTL alone: uniform
// traffic, drawn in advance.
//
//   noc_bench TOPOLOGY LANES SLOTS FLITS LOAD CYCLES SEED [ROOT MODELS]
//
// prints the cycles in a second of CPU time. TOPOLOGY is a text or a file of the zoo, LOAD the
// flits per node and cycle. With a folder that contains rtl/, and one of models, it measures the
// RTL without checkers, whose model it builds if it is missing. scripts/booksim.py compares it with
// BookSim2.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "cosim/noc/noc_design.hpp"
#include "noc/network_model.hpp"
#include "sim/noc/noc_run.hpp"

namespace {

using namespace kernbench;  // NOLINT(google-build-using-namespace): a program about nothing else
using noc::NetworkModel;

/// A packet that a node creates.
struct Packet {
  std::uint32_t node = 0;
  std::uint32_t dst = 0;
};

/// A source at port A: its queue of destinations, and the packet that it sends.
struct Source {
  std::vector<std::uint32_t> queue;
  std::size_t next = 0;
  std::uint32_t left = 0;  ///< flits of the packet
  std::uint32_t vc = 0;
  std::vector<std::uint32_t> credits;  ///< by virtual channel
};

/// Draws the packets of each cycle.
std::vector<std::vector<Packet>> draw(std::uint32_t nodes, double load, std::uint32_t cycles,
                                      std::uint64_t seed) {
  common::Rng rng = common::Rng::stream(seed, "bench", 0);
  const auto threshold = common::probability_threshold(load);
  std::vector<std::vector<Packet>> all(cycles);
  for (auto& packets : all) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (!rng.chance(threshold)) continue;
      const auto other = static_cast<std::uint32_t>(rng.below(nodes - 1));
      packets.push_back({node, other < node ? other : other + 1});
    }
  }
  return all;
}

/// The verilated RTL behind the functions of the reference that Users calls.
class Rtl {
 public:
  Rtl(const noc::Network& network, std::shared_ptr<sim::NocDut> dut)
      : channels_(network.channels().size()),
        dut_(std::move(dut)),
        inputs_(network.nodes()),
        outputs_(channels_ + network.nodes()) {
    dut_->set_reset(true);
    for (int cycle = 0; cycle < 4; ++cycle) clock();
    dut_->set_reset(false);
  }

  [[nodiscard]] noc::Link local(std::uint32_t node) const {
    return static_cast<noc::Link>(channels_) + node;
  }
  [[nodiscard]] const std::vector<noc::LinkFlit>& flits() const { return flits_; }
  [[nodiscard]] const std::vector<noc::LinkCredit>& credits() const { return credits_; }
  void send(std::uint32_t node, std::uint32_t vc, noc::Flit flit) {
    inputs_.valid[node] = 1;
    inputs_.vc[node] = static_cast<std::uint8_t>(vc);
    inputs_.flit[node] = flit;
  }
  void take(std::uint32_t node, std::uint32_t vc) { inputs_.credit[node] |= noc::Mask{1} << vc; }
  void clock() {
    dut_->drive(inputs_);
    dut_->settle();
    dut_->clock_edge();
    std::fill(inputs_.valid.begin(), inputs_.valid.end(), 0);
    std::fill(inputs_.credit.begin(), inputs_.credit.end(), 0);
    dut_->sample(outputs_);
    flits_.clear();
    credits_.clear();
    for (std::size_t link = channels_; link < outputs_.valid.size(); ++link) {
      const auto id = static_cast<noc::Link>(link);
      if (outputs_.valid[link] != 0) flits_.push_back({id, outputs_.vc[link], outputs_.flit[link]});
      for (noc::Mask left = outputs_.credit[link]; left != 0; left &= left - 1) {
        credits_.push_back({id, static_cast<std::uint32_t>(std::countr_zero(left))});
      }
    }
  }

 private:
  std::size_t channels_;
  std::shared_ptr<sim::NocDut> dut_;
  sim::NocInputs inputs_;
  sim::NocOutputs outputs_;
  std::vector<noc::LinkFlit> flits_;
  std::vector<noc::LinkCredit> credits_;
};

template <typename Model>
class Users {
 public:
  Users(const noc::Network& network, std::uint32_t flits, Model model)
      : network_(network), model_(std::move(model)), flits_(flits), sources_(network.nodes()) {
    for (Source& source : sources_) {
      source.credits.assign(network.sizes().vcs(), network.sizes().slots);
    }
  }

  void step(const std::vector<Packet>& created) {
    for (const noc::LinkFlit& one : model_.flits()) {
      if (one.link >= model_.local(0)) model_.take(one.link - model_.local(0), one.vc);
    }
    for (const noc::LinkCredit& one : model_.credits()) {
      if (one.link >= model_.local(0)) ++sources_[one.link - model_.local(0)].credits[one.vc];
    }
    for (const Packet& packet : created) sources_[packet.node].queue.push_back(packet.dst);
    for (std::uint32_t node = 0; node < network_.nodes(); ++node) send(node, sources_[node]);
    model_.clock();
  }

 private:
  void send(std::uint32_t node, Source& source) {
    if (source.next == source.queue.size()) return;
    const bool is_head = source.left == 0;
    if (is_head) {
      const std::uint32_t vc = source.vc + 1 == network_.sizes().vcs() ? 0 : source.vc + 1;
      source.vc = source.credits[vc] != 0 ? vc : source.vc;
    }
    if (source.credits[source.vc] == 0) return;
    if (is_head) source.left = flits_;
    --source.left;
    --source.credits[source.vc];
    const std::uint32_t dst = source.queue[source.next];
    model_.send(node, source.vc, network_.flit(is_head, source.left == 0, dst, 0));
    if (source.left == 0) ++source.next;
  }

  const noc::Network& network_;
  Model model_;
  std::uint32_t flits_;
  std::vector<Source> sources_;
};

/// Prints the cycles a second of users of `model`.
template <typename Model>
void measure(const noc::Network& network, std::uint32_t flits, Model model,
             const std::vector<std::vector<Packet>>& created) {
  Users<Model> users(network, flits, std::move(model));
  const std::clock_t start = std::clock();
  for (const std::vector<Packet>& packets : created) users.step(packets);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{:.0f}\n", static_cast<double>(created.size()) / seconds);
}

int run(int count, char** words) {
  const auto whole = [words](int i) { return static_cast<std::uint32_t>(std::stoul(words[i])); };
  const std::uint32_t flits = whole(4);
  const auto design = cosim::open_noc_design(
      {.topology = words[1], .lanes = whole(2), .slots = whole(3), .stages = 1});
  const noc::Network& network = design.device->network;
  const auto created = draw(network.nodes(), std::stod(words[5]) / flits, whole(6), whole(7));
  if (count == 8) {
    measure(network, flits, NetworkModel(network), created);
    return EXIT_SUCCESS;
  }
  const std::string root = words[8];
  const std::string models = words[9];
  sim::NocRequest request = cosim::noc_request(design, {}, models, root);
  request.checkers = false;
  const sim::NocLibrary library(sim::ModelStore(root, models).ensure_noc(request));
  const auto dut = library.create(1);
  sim::require_network(*dut, network, library.path());
  measure(network, flits, Rtl(network, dut), created);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** words) {
  if (count != 8 && count != 10) {
    fmt::print(stderr,
               "usage: noc_bench TOPOLOGY LANES SLOTS FLITS LOAD CYCLES SEED [ROOT MODELS]\n");
    return 2;
  }
  try {
    return run(count, words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "noc_bench: {}\n", error.what());
    return 2;
  }
}
