// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "maze/packet_layout.hpp"
#include "shapes.hpp"
#include "sim/stimulus/payload_generator.hpp"

namespace kernbench::sim {
namespace {

using maze::BitPlane;
using maze::Payload;
using maze::PayloadPlane;
using maze::Shape;

/// Generates packets for all links, cycle by cycle.
class Packets {
 public:
  explicit Packets(const TrafficSpec& spec, Shape shape = k8x8, std::uint64_t seed = 1)
      : links(shape.nx, shape.ny),
        layout(shape),
        generator(shape, links, spec, seed),
        start(shape),
        payloads(shape) {
    for (const auto& link : links.links()) start.set(link.from.port, link.from.node);
  }
  void step() { generator.fill(start, payloads); }
  [[nodiscard]] maze::PacketFields at(unsigned port, unsigned node) const {
    return layout.decode(payloads.at(port, node));
  }

  topology::MazeLinks links;
  maze::PacketLayout layout;
  PayloadGenerator generator;
  BitPlane start;
  PayloadPlane payloads;
};

TrafficSpec spec_of(PayloadMode mode) {
  TrafficSpec spec;
  spec.payload = mode;
  return spec;
}

TEST(Payloads, NameTheTwoEndsOfTheirLink) {
  Packets packets(spec_of(PayloadMode::Random));
  packets.step();
  // The requirements' example: [3,4] reaches [3,3] over x[6]; and [3,4] reaches [4,4] over y[0].
  EXPECT_EQ(packets.at(6, 28).src, 28U);
  EXPECT_EQ(packets.at(6, 28).tgt, 27U);
  EXPECT_EQ(packets.at(7, 28).tgt, 36U);
  for (const auto& link : packets.links.links()) {
    EXPECT_EQ(packets.at(link.from.port, link.from.node).src, link.from.node);
    EXPECT_EQ(packets.at(link.from.port, link.from.node).tgt, link.to.node);
  }
}

TEST(Payloads, FirstPacketsOfASeedNeverChange) {
  TrafficSpec spec = spec_of(PayloadMode::Random);
  spec.types = {1, 1, 1, 1};
  Packets packets(spec, k8x8, 42);
  packets.step();
  EXPECT_EQ(packets.payloads.at(0, 0), 0x7001afU);
  EXPECT_EQ(packets.payloads.at(0, 1), 0x404201U);
  EXPECT_EQ(packets.payloads.at(13, 63), 0x3ff7f2U);
}

TEST(Payloads, OfLinksThatDoNotStartStayAsTheyAre) {
  for (const PayloadMode mode : {PayloadMode::Random, PayloadMode::WalkingOnes, PayloadMode::Zeros,
                                 PayloadMode::Ones, PayloadMode::Raw}) {
    Packets packets(spec_of(mode));
    for (std::size_t i = 0; i < packets.payloads.size(); ++i)
      packets.payloads.data()[i] = ~Payload{0};
    packets.start.clear();
    packets.start.set(5, 40);
    packets.step();
    for (std::size_t i = 0; i < packets.payloads.size(); ++i) {
      EXPECT_EQ(packets.payloads.data()[i] == ~Payload{0}, i != 5 * 64 + 40);
    }
  }
}

TEST(Payloads, HaveTypesAndQosInTheSpecsShares) {
  TrafficSpec spec = spec_of(PayloadMode::Random);
  spec.types = {4, 3, 2, 1};
  spec.qos_high = 0.3;
  Packets packets(spec);
  std::array<int, 4> types{};
  int high = 0;
  for (int i = 0; i < 200; ++i) {
    packets.step();
    for (unsigned port = 0; port < 14; ++port) {
      for (unsigned node = 0; node < 64; ++node) {
        ++types[packets.at(port, node).type];
        high += static_cast<int>(packets.at(port, node).qos);
      }
    }
  }
  const double all = 200.0 * 896;
  EXPECT_NEAR(types[0] / all, 0.4, 0.005);
  EXPECT_NEAR(types[1] / all, 0.3, 0.005);
  EXPECT_NEAR(types[2] / all, 0.2, 0.005);
  EXPECT_NEAR(types[3] / all, 0.1, 0.005);
  EXPECT_NEAR(high / all, 0.3, 0.005);
}

TEST(Payloads, HaveNothingButTheOneTypeWithAWeight) {
  for (unsigned type = 0; type < 4; ++type) {
    TrafficSpec spec = spec_of(PayloadMode::Zeros);
    spec.types = {};
    spec.types[type] = 0.25;
    spec.qos_high = 1.0;
    Packets packets(spec);
    packets.step();
    for (const auto& link : packets.links.links()) {
      const maze::PacketFields fields = packets.at(link.from.port, link.from.node);
      EXPECT_EQ(fields.type, type);
      EXPECT_EQ(fields.qos, 1U);
      EXPECT_EQ(fields.data, 0U);
    }
  }
}

TEST(Payloads, WalkAOneThroughTheDataOfEachLinkOfItsOwn) {
  Packets packets(spec_of(PayloadMode::WalkingOnes), {3, 3, 3});
  packets.step();
  packets.start.set(1, 4, false);
  packets.step();
  packets.start.set(1, 4, true);
  for (const std::uint32_t data : {4U, 1U, 2U, 4U}) {
    packets.step();
    EXPECT_EQ(packets.at(0, 0).data, data);
    EXPECT_EQ(packets.at(1, 4).data, data == 1 ? 4U : data / 2) << "one packet behind";
  }
}

TEST(Payloads, FillTheWholeDataFieldWithOnes) {
  Packets packets(spec_of(PayloadMode::Ones), {2, 2, 32});
  packets.step();
  EXPECT_EQ(packets.at(1, 3).data, 0xffffffffU);
  EXPECT_EQ(packets.at(1, 3).src, maze::PacketLayout({2, 2, 32}).address(3));
}

TEST(Payloads, TurnEveryBitBothWaysOnEveryLinkWhenRaw) {
  for (const Shape& shape : {k8x8, Shape{16, 5, 32}}) {
    Packets packets(spec_of(PayloadMode::Raw), shape);
    PayloadPlane ones(shape);
    PayloadPlane zeros(shape);
    for (int i = 0; i < 64; ++i) {
      packets.step();
      for (std::size_t link = 0; link < ones.size(); ++link) {
        ones.data()[link] |= packets.payloads.data()[link];
        zeros.data()[link] |= ~packets.payloads.data()[link];
      }
    }
    for (std::size_t link = 0; link < ones.size(); ++link) {
      EXPECT_EQ(ones.data()[link], packets.layout.packet_mask());
      EXPECT_EQ(zeros.data()[link], ~Payload{0});
    }
  }
}

TEST(Payloads, SpreadDataEvenly) {
  Packets packets(spec_of(PayloadMode::Random));
  std::array<int, 256> seen{};
  for (int i = 0; i < 300; ++i) {
    packets.step();
    for (const auto& link : packets.links.links()) {
      ++seen[packets.at(link.from.port, link.from.node).data];
    }
  }
  for (const int n : seen) EXPECT_NEAR(n, 1050, 170);  // 300*896/256, 5 sigma
}

TEST(BitSlicer, TakesAWholeWordWhenSlicesAre64BitsWide) {
  common::Rng rng(5);
  BitSlicer slicer(common::Rng(5), 64);
  EXPECT_EQ(slicer.next(), rng.bits64());
  EXPECT_EQ(slicer.next(), rng.bits64());
}

TEST(BitSlicer, UsesOneWordForAsManySlicesAsFit) {
  common::Rng rng(5);
  BitSlicer slicer(common::Rng(5), 23);
  const std::uint64_t first = rng.bits64();
  EXPECT_EQ(slicer.next(), first & 0x7fffff);
  EXPECT_EQ(slicer.next(), first >> 23 & 0x7fffff);
  EXPECT_EQ(slicer.next(), rng.bits64() & 0x7fffff);
}

}  // namespace
}  // namespace kernbench::sim
