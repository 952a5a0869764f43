// SPDX-License-Identifier: Apache-2.0
// Speed of the reference of a network of any topology alone: uniform traffic, drawn in advance.
//
//   noc_bench TOPOLOGY LANES SLOTS FLITS LOAD CYCLES SEED
//
// prints the cycles in a second of CPU time. TOPOLOGY is a text or a file of the zoo, LOAD the
// flits per node and cycle. scripts/booksim.py compares it with BookSim2.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "noc/network_model.hpp"
#include "noc/relation_network.hpp"
#include "topology/zoo/zoo.hpp"

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

class Users {
 public:
  Users(const noc::Network& network, std::uint32_t flits)
      : network_(network), model_(network), flits_(flits), sources_(network.nodes()) {
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
  NetworkModel model_;
  std::uint32_t flits_;
  std::vector<Source> sources_;
};

int run(char** words) {
  const auto topology = topology::zoo::open_topology(words[1]);
  const auto relation = topology::zoo::natural_routing(*topology);
  const auto whole = [words](int i) { return static_cast<std::uint32_t>(std::stoul(words[i])); };
  const std::uint32_t flits = whole(4);
  const std::uint32_t cycles = whole(6);
  const auto network = noc::network_of(*relation, {.lanes = whole(2), .slots = whole(3)}, 1);
  Users users(network, flits);
  const auto created = draw(network.nodes(), std::stod(words[5]) / flits, cycles, whole(7));
  const std::clock_t start = std::clock();
  for (const std::vector<Packet>& packets : created) users.step(packets);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{:.0f}\n", cycles / seconds);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** words) {
  if (count != 8) {
    fmt::print(stderr, "usage: noc_bench TOPOLOGY LANES SLOTS FLITS LOAD CYCLES SEED\n");
    return 2;
  }
  try {
    return run(words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "noc_bench: {}\n", error.what());
    return 2;
  }
}
