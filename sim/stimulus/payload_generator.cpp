#include "sim/stimulus/payload_generator.hpp"

#include <stdexcept>

#include "sim/harness/plane_bits.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {

using common::probability_threshold;
using common::Rng;
using model::maze::BitPlane;
using model::maze::Payload;
using model::maze::PayloadPlane;
using model::maze::Shape;

namespace {

const TrafficSpec& checked(const TrafficSpec& spec, const Shape& shape) {
  if (const auto wrong = problem(spec, shape)) throw std::invalid_argument(*wrong);
  return spec;
}

/// The threshold of part / (part + rest); 0 when both are 0.
std::uint64_t share_threshold(double part, double rest) {
  return part == 0.0 ? 0 : probability_threshold(part / (part + rest));
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
      type_high_(share_threshold(spec.types[2] + spec.types[3], spec.types[0] + spec.types[1])),
      type_low_{share_threshold(spec.types[1], spec.types[0]),
                share_threshold(spec.types[3], spec.types[2])},
      headers_(shape),
      walking_one_(shape.links(), 1) {
  for (const topology::MazeLink& link : links.links()) {
    PacketFields fields;
    fields.src = layout_.address(link.from.node);
    fields.tgt = layout_.address(link.to.node);
    headers_.at(link.from.port, link.from.node) = layout_.encode(fields);
  }
}

PayloadGenerator::Kinds PayloadGenerator::draw_kinds() {
  Kinds kinds{};
  kinds.qos = kind_rng_.bernoulli_word(qos_high_);
  kinds.type_high = kind_rng_.bernoulli_word(type_high_);
  kinds.type_low = (~kinds.type_high & kind_rng_.bernoulli_word(type_low_[0])) |
                   (kinds.type_high & kind_rng_.bernoulli_word(type_low_[1]));
  return kinds;
}

template <typename Data>
void PayloadGenerator::fill_fields(const BitPlane& start, PayloadPlane& payloads, Data data) {
  const unsigned kind_shift = layout_.qos_shift();
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    Payload* const out = payloads.port(port);
    const Payload* const headers = headers_.port(port);
    for (unsigned w = 0; w < shape_.words(); ++w) {
      const std::uint64_t starting = start.port(port)[w];
      if (starting == 0) continue;
      const Kinds kinds = draw_kinds();
      for_each_bit(starting, w, [&](unsigned node) {
        const unsigned bit = node % 64;
        const std::uint64_t kind = (kinds.type_high >> bit & 1U) << 2 |
                                   (kinds.type_low >> bit & 1U) << 1 | (kinds.qos >> bit & 1U);
        out[node] = headers[node] | kind << kind_shift | data(port * shape_.nodes() + node);
      });
    }
  }
}

void PayloadGenerator::fill(const BitPlane& start, PayloadPlane& payloads) {
  switch (mode_) {
    case PayloadMode::Random: {
      BitSlicer bits = bits_;  // a local copy lives in registers while the packets are written
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
          for_each_bit(start.port(port)[w], w,
                       [&](unsigned node) { payloads.at(port, node) = bits_.next(); });
        }
      }
      break;
  }
}

}  // namespace kernbench::sim
