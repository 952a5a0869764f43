// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/payload_generator.hpp"

#include <algorithm>
#include <stdexcept>

#include "maze/plane_bits.hpp"
#include "sim/stimulus/random_bits.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {

using common::probability_threshold;
using common::Rng;
using maze::BitPlane;
using maze::Payload;
using maze::PayloadPlane;
using maze::Shape;

namespace {

const TrafficSpec& checked(const TrafficSpec& spec, const Shape& shape) {
  if (const auto wrong = problem(spec, shape)) throw std::invalid_argument(*wrong);
  return spec;
}

/// Returns the threshold of part / (part + rest), or 0 when both are 0.
std::uint64_t share_threshold(double part, double rest) {
  return part == 0.0 ? 0 : probability_threshold(part / (part + rest));
}

/// Returns the only type with a weight, if there is just one.
unsigned only_type(const TrafficSpec& spec) {
  const auto* const type =
      std::ranges::find_if(spec.types, [](double weight) { return weight != 0.0; });
  return static_cast<unsigned>(type - spec.types.begin());
}

}  // namespace

PayloadGenerator::PayloadGenerator(const Shape& shape, const topology::MazeLinks& links,
                                   const TrafficSpec& spec, std::uint64_t seed)
    : shape_(shape),
      layout_(shape),
      mode_(checked(spec, shape).payload),
      kind_rng_(Rng::stream(seed, "payload.kind")),
      bits_(Rng::stream(seed, "payload.data"),
            mode_ == PayloadMode::Raw ? shape.payload_w() : shape.flit_w),
      qos_high_(probability_threshold(spec.qos_high)),
      mixed_types_(std::ranges::count(spec.types, 0.0) != 3),
      type_high_(share_threshold(spec.types[2] + spec.types[3], spec.types[0] + spec.types[1])),
      type_low_{share_threshold(spec.types[1], spec.types[0]),
                share_threshold(spec.types[3], spec.types[2])},
      headers_(shape),
      walking_one_(shape.links(), 1) {
  for (const topology::MazeLink& link : links.links()) {
    maze::PacketFields fields;
    if (!mixed_types_) fields.type = only_type(spec);
    fields.src = layout_.address(link.from.node);
    fields.tgt = layout_.address(link.to.node);
    headers_.at(link.from.port, link.from.node) = layout_.encode(fields);
  }
}

PayloadGenerator::Types PayloadGenerator::draw_types(std::uint64_t packets) {
  Types types{};
  types.high = random_bits(kind_rng_, type_high_, packets);
  types.low = random_bits(kind_rng_, type_low_[0], packets & ~types.high) |
              random_bits(kind_rng_, type_low_[1], types.high);
  return types;
}

template <bool kMixedTypes, typename Data>
void PayloadGenerator::fill_fields(const BitPlane& start, PayloadPlane& payloads, Data data) {
  const unsigned qos_shift = layout_.qos_shift();
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < shape_.words(); ++w) {
      const std::uint64_t starting = start.port(port)[w];
      if (starting == 0) continue;
      Payload* const out = payloads.port(port) + std::size_t{w} * 64;
      const Payload* const headers = headers_.port(port) + std::size_t{w} * 64;
      const std::uint64_t qos = random_bits(kind_rng_, qos_high_, starting);
      const Types types = kMixedTypes ? draw_types(starting) : Types{};
      const auto make_packet = [&](unsigned bit) {
        Payload kind = qos >> bit & 1U;
        if constexpr (kMixedTypes) {
          kind |= (types.low >> bit & 1U) << 1 | (types.high >> bit & 1U) << 2;
        }
        out[bit] = headers[bit] | kind << qos_shift | data(port * shape_.nodes() + w * 64 + bit);
      };
      if (starting == ~std::uint64_t{0}) {  // the usual case at saturation, and much cheaper
        for (unsigned bit = 0; bit < 64; ++bit) make_packet(bit);
      } else {
        maze::for_each_bit(starting, 0, make_packet);
      }
    }
  }
}

template <typename Data>
void PayloadGenerator::fill_fields(const BitPlane& start, PayloadPlane& payloads, Data data) {
  if (mixed_types_) {
    fill_fields<true>(start, payloads, data);
  } else {
    fill_fields<false>(start, payloads, data);
  }
}

void PayloadGenerator::fill(const BitPlane& start, PayloadPlane& payloads) {
  switch (mode_) {
    case PayloadMode::Random: {
      BitSlicer bits = bits_;  // a local copy stays in registers during the loop
      fill_fields(start, payloads, [&](std::size_t) { return bits.next(); });
      bits_ = bits;
      break;
    }
    case PayloadMode::WalkingOnes:
      fill_fields(start, payloads, [this](std::size_t link) {
        const std::uint32_t data = walking_one_[link];
        const bool wraps = data >> (shape_.flit_w - 1) != 0;
        walking_one_[link] = wraps ? 1 : data << 1;
        return Payload{data};
      });
      break;
    case PayloadMode::Zeros:
      fill_fields(start, payloads, [](std::size_t) { return Payload{0}; });
      break;
    case PayloadMode::Ones:
      fill_fields(start, payloads, [this](std::size_t) { return layout_.data_mask(); });
      break;
    case PayloadMode::Raw:
      for (unsigned port = 0; port < shape_.ports(); ++port) {
        for (unsigned w = 0; w < shape_.words(); ++w) {
          maze::for_each_bit(start.port(port)[w], w,
                             [&](unsigned node) { payloads.at(port, node) = bits_.next(); });
        }
      }
      break;
  }
}

}  // namespace kernbench::sim
