// SPDX-License-Identifier: Apache-2.0
// TopoModel compared with one scalar IRS chain per link of the connection graph. The two share no
// code: neither the torus arithmetic nor the storage of packets.

#include <gtest/gtest.h>

#include <bit>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "maze/irs_model.hpp"
#include "maze/topo_model.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::maze {
namespace {

using topology::MazeLink;
using topology::MazeLinks;

class ChainFabric {
 public:
  explicit ChainFabric(std::vector<MazeLink> links) : links_(std::move(links)) {
    for (const MazeLink& link : links_) chains_.emplace_back(IrsParams{.depth = link.depth});
  }

  void reset() {
    for (IrsModel& chain : chains_) chain.reset();
  }
  void evaluate(const TopoInputs& in, TopoOutputs& out) const {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const auto& [from, to, depth] = links_[i];
      const IrsOutputs end = chains_[i].evaluate(inputs_of(links_[i], in));
      out.out_ready.set(from.port, from.node, end.ready_o);
      out.in_valid.set(to.port, to.node, end.valid_o);
      out.in_payload.at(to.port, to.node) = end.payload_o;
    }
  }
  void clock(const TopoInputs& in) {
    for (std::size_t i = 0; i < links_.size(); ++i) chains_[i].clock(inputs_of(links_[i], in));
  }

  [[nodiscard]] const std::vector<MazeLink>& links() const { return links_; }
  [[nodiscard]] const IrsModel& chain(std::size_t link) const { return chains_[link]; }

 private:
  static IrsInputs inputs_of(const MazeLink& link, const TopoInputs& in) {
    return {.valid_i = in.out_valid.test(link.from.port, link.from.node),
            .payload_i = in.out_payload.at(link.from.port, link.from.node),
            .ready_i = in.in_ready.test(link.to.port, link.to.node)};
  }

  std::vector<MazeLink> links_;
  std::vector<IrsModel> chains_;
};

/// Runs both fabrics under the same random traffic.
class Comparison {
 public:
  Comparison(const Shape& shape, std::vector<MazeLink> links)
      : shape_(shape),
        topo_(shape),
        chains_(std::move(links)),
        in_(shape),
        random_(shape.links()) {}

  /// Runs `cycles` cycles with the given probabilities of valid and ready, in 16ths. Returns the
  /// first difference.
  std::optional<std::string> run(unsigned cycles, unsigned valid_16ths, unsigned ready_16ths) {
    for (unsigned c = 0; c < cycles; ++c) {
      randomize(valid_16ths, ready_16ths);
      if (auto difference = compare_ports()) return difference;
      remember_occupancy();
      topo_.clock(in_);
      chains_.clock(in_);
      if (compare_inside_) {
        if (auto difference = compare_stages()) return difference;
      }
    }
    return std::nullopt;
  }
  /// Compares only ports from now on.
  void ignore_inside() { compare_inside_ = false; }
  void reset() {
    topo_.reset();
    chains_.reset();
  }
  [[nodiscard]] const TopoModel& topo() const { return topo_; }
  [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

 private:
  void randomize(unsigned valid_16ths, unsigned ready_16ths) {
    for (unsigned p = 0; p < shape_.ports(); ++p) {
      for (unsigned w = 0; w < shape_.words(); ++w) {
        // Bits past the last node are set on purpose: the model must ignore them.
        in_.out_valid.port(p)[w] = random_word(valid_16ths);
        in_.in_ready.port(p)[w] = random_word(ready_16ths);
      }
      for (unsigned n = 0; n < shape_.nodes(); ++n) {
        in_.out_payload.at(p, n) = random_() >> (64 - shape_.payload_w());
      }
    }
  }
  std::uint64_t random_word(unsigned ones_16ths) {
    std::uint64_t word = 0;
    for (unsigned b = 0; b < 64; ++b) {
      word |= std::uint64_t{random_() % 16 < ones_16ths} << b;
    }
    return word;
  }

  std::optional<std::string> compare_ports() {
    TopoOutputs seen(shape_);
    TopoOutputs expected(shape_);
    topo_.evaluate(in_, seen);
    chains_.evaluate(in_, expected);
    for (unsigned p = 0; p < shape_.ports(); ++p) {
      for (unsigned w = 0; w < shape_.words(); ++w) {
        if (seen.out_ready.port(p)[w] != expected.out_ready.port(p)[w]) return at("ready", p, w);
        if (seen.in_valid.port(p)[w] != expected.in_valid.port(p)[w]) return at("valid", p, w);
        delivered_ += static_cast<unsigned>(
            std::popcount(expected.in_valid.port(p)[w] & in_.in_ready.port(p)[w]));
      }
      for (unsigned n = 0; n < shape_.nodes(); ++n) {
        if (expected.in_valid.test(p, n) &&
            seen.in_payload.at(p, n) != expected.in_payload.at(p, n)) {
          return at("payload", p, n);
        }
      }
    }
    return std::nullopt;
  }

  void remember_occupancy() {
    before_.resize(chains_.links().size());
    for (std::size_t i = 0; i < before_.size(); ++i) {
      before_[i].clear();
      for (unsigned s = 0; s < chains_.links()[i].depth; ++s) {
        before_[i].push_back(chains_.chain(i).occupancy(s));
      }
    }
  }

  std::optional<std::string> compare_stages() const {
    unsigned stored = 0;
    for (std::size_t i = 0; i < chains_.links().size(); ++i) {
      const auto& [from, to, depth] = chains_.links()[i];
      for (unsigned s = 0; s < depth; ++s) {
        const unsigned count = chains_.chain(i).occupancy(s);
        stored += count;
        // The count of a stage changes by the packets pushed and popped.
        const unsigned pushed = bit(topo_.pushed(to.port, s), to.node) ? 1 : 0;
        const unsigned popped = bit(topo_.popped(to.port, s), to.node) ? 1 : 0;
        if (count + popped != before_[i][s] + pushed) return at("moves", to.port, to.node);
        if (bit(topo_.one_or_more(to.port, s), to.node) != (count >= 1) ||
            bit(topo_.two(to.port, s), to.node) != (count == 2)) {
          return at("occupancy", to.port, to.node);
        }
      }
    }
    if (stored != topo_.stored() || topo_.empty() != (stored == 0)) return "stored";
    return std::nullopt;
  }

  static bool bit(const std::uint64_t* plane, unsigned node) {
    return (plane[node / 64] >> (node % 64) & 1) != 0;
  }
  static std::string at(const char* what, unsigned port, unsigned where) {
    return what + (" of port " + std::to_string(port)) + " at " + std::to_string(where);
  }

  Shape shape_;
  TopoModel topo_;
  ChainFabric chains_;
  TopoInputs in_;
  std::mt19937_64 random_;
  std::uint64_t delivered_ = 0;
  bool compare_inside_ = true;
  std::vector<std::vector<unsigned>> before_;  ///< (link, stage): packets held before the edge
};

std::vector<MazeLink> links_of(const Shape& shape) {
  return MazeLinks(shape.nx, shape.ny).links();
}

struct Named {
  Shape shape;
  unsigned cycles;
};

class TopoEquivalence : public testing::TestWithParam<Named> {};

TEST_P(TopoEquivalence, HoldsEveryCycleUnderRandomTrafficStallsAndResets) {
  const auto& [shape, cycles] = GetParam();
  Comparison comparison(shape, links_of(shape));
  // valid, ready in 16ths: mixed, saturated, stalled, sparse, nothing accepted, drain.
  for (const auto& [valid, ready] : {std::pair{8U, 8U},
                                     {16U, 16U},
                                     {16U, 8U},
                                     {12U, 4U},
                                     {2U, 14U},
                                     {2U, 4U},
                                     {16U, 0U},
                                     {0U, 16U},
                                     {16U, 15U}}) {
    ASSERT_EQ(comparison.run(cycles, valid, ready), std::nullopt) << valid << ", " << ready;
  }
  const bool all_wires = shape.nx <= 3 && shape.ny <= 3;
  EXPECT_EQ(comparison.topo().empty(), all_wires);
  comparison.reset();
  EXPECT_TRUE(comparison.topo().empty());
  ASSERT_EQ(comparison.run(cycles, 10, 10), std::nullopt);
  EXPECT_GT(comparison.delivered(), std::uint64_t{cycles} * shape.links());
}

INSTANTIATE_TEST_SUITE_P(Shapes, TopoEquivalence,
                         testing::Values(Named{{8, 8, 8}, 300}, Named{{8, 3, 8}, 500},
                                         Named{{2, 2, 1}, 500}, Named{{16, 16, 32}, 40},
                                         Named{{5, 3, 8}, 500}, Named{{9, 8, 8}, 100},
                                         Named{{11, 12, 16}, 60}, Named{{3, 16, 8}, 100}),
                         [](const auto& named) {
                           return std::to_string(named.param.shape.nx) + "x" +
                                  std::to_string(named.param.shape.ny);
                         });

class BrokenWiring : public testing::Test {
 protected:
  std::optional<std::string> difference_at_ports() {
    Comparison comparison(shape_, links_);
    comparison.ignore_inside();
    return comparison.run(100, 8, 8);
  }

  Shape shape_;
  std::vector<MazeLink> links_ = links_of(shape_);
};

TEST_F(BrokenWiring, IsNotFoundWhereThereIsNone) {
  EXPECT_EQ(difference_at_ports(), std::nullopt);
}

TEST_F(BrokenWiring, IsFoundWhenTwoTargetsAreSwapped) {
  std::swap(links_[3].to, links_[17].to);
  EXPECT_NE(difference_at_ports(), std::nullopt);
}

TEST_F(BrokenWiring, IsFoundWhenTwoWiresAreSwapped) {
  std::swap(links_[0].to, links_[14].to);
  EXPECT_NE(difference_at_ports(), std::nullopt);
}

TEST_F(BrokenWiring, IsFoundWhenOneLinkIsAStageTooLong) {
  ++links_[895].depth;
  EXPECT_NE(difference_at_ports(), std::nullopt);
}

TEST_F(BrokenWiring, IsFoundWhenOneLinkIsAStageTooShort) {
  --links_[500].depth;
  ASSERT_LT(links_[500].depth, 3U);
  EXPECT_NE(difference_at_ports(), std::nullopt);
}

}  // namespace
}  // namespace kernbench::maze
