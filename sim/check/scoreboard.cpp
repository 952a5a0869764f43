// SPDX-License-Identifier: Apache-2.0
#include "sim/check/scoreboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::Payload;
using maze::Shape;

namespace {

constexpr unsigned kMaxWords = 4;

}  // namespace

Scoreboard::Scoreboard(const Shape& shape, const topology::MazeLinks& links)
    : shape_(shape),
      links_(links),
      layout_(shape),
      queues_(shape.ports()),
      presence_reported_(shape) {
  for (unsigned port = 0; port < shape.ports(); ++port) {
    PortQueues& q = queues_[port];
    q.depth = links.leaving(0, port).depth;
    q.mask = std::bit_ceil(std::max(2U, 2 * q.depth + 1)) - 1;  // room for one packet too many
    q.source.resize(shape.nodes());
    q.sink.resize(shape.nodes());
    for (unsigned node = 0; node < shape.nodes(); ++node) {
      const auto target = links.leaving(node, port).to;
      q.sink[node] = static_cast<std::uint16_t>(target.node);
      q.source[target.node] = static_cast<std::uint16_t>(node);
    }
    q.slots.resize(std::size_t{shape.nodes()} * (q.mask + 1));
    q.head.resize(shape.nodes());
    q.tail.resize(shape.nodes());
    q.discarded.resize(shape.nodes());
    q.in_transit.resize(std::size_t{q.depth} * shape.words());
    q.due.resize(std::size_t{kDueBits} * shape.words());
  }
}

void Scoreboard::on_cycle(const CycleView& view) {
  if (view.in_reset) {
    if (holds_packets_) discard_all();
    return;
  }
  holds_packets_ = true;
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    std::uint64_t expected[kMaxWords];
    accept(port, view, expected);
    check_presence(port, view, expected);
    deliver(port, view);
  }
  in_flight_cycles_ += in_flight_;
}

void Scoreboard::accept(unsigned port, const CycleView& view, std::uint64_t* expected) {
  PortQueues& q = queues_[port];
  const unsigned words = shape_.words();
  const std::uint64_t* fired = view.source_fired->port(port);
  const Payload* payload = view.intended->out_payload.port(port);
  std::uint64_t accepted[kMaxWords] = {};
  for (unsigned w = 0; w < words; ++w) {
    in_flight_ += static_cast<unsigned>(std::popcount(fired[w]));
    maze::for_each_bit(fired[w], w, [&](unsigned node) {
      const unsigned sink = q.sink[node];
      accepted[sink / 64] |= std::uint64_t{1} << (sink % 64);
      if (q.tail[sink] - q.head[sink] >= std::max(1U, 2 * q.depth)) {
        report("overflow", view.cycle, port, sink,
               fmt::format("accepts a packet while it already holds {}", 2 * q.depth));
        if (q.tail[sink] - q.head[sink] > q.mask) {
          --in_flight_;
          return;
        }
      }
      q.slot(sink, q.tail[sink]++) = payload[node];
    });
  }
  if (q.depth == 0) {  // a wire offers what is driven, accepted or not
    std::fill_n(expected, words, 0);
    for (unsigned w = 0; w < words; ++w) {
      maze::for_each_bit(view.intended->out_valid.port(port)[w], w, [&](unsigned node) {
        expected[q.sink[node] / 64] |= std::uint64_t{1} << (q.sink[node] % 64);
      });
    }
    return;
  }
  std::uint64_t* slot = q.in_transit.data() + view.cycle % q.depth * words;
  for (unsigned w = 0; w < words; ++w) {
    std::uint64_t carry = slot[w];  // accepted exactly `depth` cycles ago
    slot[w] = accepted[w];
    expected[w] = 0;
    for (unsigned bit = 0; bit < kDueBits; ++bit) {
      std::uint64_t& due = q.due[bit * words + w];
      const std::uint64_t sum = due ^ carry;
      carry &= due;
      due = sum;
      expected[w] |= sum;
    }
  }
}

void Scoreboard::check_presence(unsigned port, const CycleView& view,
                                const std::uint64_t* expected) {
  const std::uint64_t* valid = view.observed->in_valid.port(port);
  std::uint64_t* reported = presence_reported_.port(port);
  for (unsigned w = 0; w < shape_.words(); ++w) {
    const std::uint64_t wrong = (expected[w] ^ valid[w]) & ~reported[w];
    if (wrong == 0) continue;
    reported[w] |= wrong;  // one report per link: later ones would be consequences
    maze::for_each_bit(wrong, w, [&](unsigned node) {
      const bool early = (valid[w] >> (node % 64) & 1U) != 0;
      report(early ? "early_valid" : "late_valid", view.cycle, port, node,
             early
                 ? "offers a packet before one is due"
                 : fmt::format("offers nothing, a packet is due (depth {})", queues_[port].depth));
    });
  }
}

void Scoreboard::deliver(unsigned port, const CycleView& view) {
  PortQueues& q = queues_[port];
  const unsigned words = shape_.words();
  const std::uint64_t* fired = view.sink_fired->port(port);
  const Payload* payload = view.observed->in_payload.port(port);
  for (unsigned w = 0; w < words; ++w) {
    std::uint64_t borrow = fired[w];
    for (unsigned bit = 0; q.depth != 0 && bit < kDueBits; ++bit) {
      std::uint64_t& due = q.due[bit * words + w];
      const std::uint64_t difference = due ^ borrow;
      borrow &= ~due;
      due = difference;
    }
    maze::for_each_bit(fired[w], w, [&](unsigned node) {
      if (q.head[node] != q.tail[node] && q.slot(node, q.head[node]) == payload[node]) {
        ++q.head[node];
        ++delivered_;
        --in_flight_;
        return;
      }
      explain(port, node, payload[node], view.cycle);
    });
  }
}

void Scoreboard::explain(unsigned port, unsigned node, Payload got, std::uint64_t cycle) {
  PortQueues& q = queues_[port];
  const std::uint32_t held = q.tail[node] - q.head[node];
  for (std::uint32_t ahead = 1; ahead < held; ++ahead) {
    if (q.slot(node, q.head[node] + ahead) != got) continue;
    for (std::uint32_t k = 0; k < ahead; ++k) {
      const Payload missing = q.slot(node, q.head[node] + k);
      skipped_.push_back({port, node, missing});
      report("loss", cycle, port, node,
             fmt::format("lost {}; {} arrived instead", packet_text(missing), packet_text(got)));
    }
    q.head[node] += ahead + 1;
    q.discarded[node] += ahead;
    in_flight_ -= ahead + 1;
    ++delivered_;
    return;
  }
  if (take_skipped(port, node, got)) return;
  if (const std::string owner = owner_of(got); !owner.empty()) {
    report("misroute", cycle, port, node,
           fmt::format("delivers {}, which travels on {}", packet_text(got), owner));
    return;
  }
  const bool repeats = q.head[node] != 0 && q.slot(node, q.head[node] - 1) == got;
  if (held == 0 || repeats) {
    report(repeats ? "duplicate" : "spurious", cycle, port, node,
           fmt::format("delivers {}{}", packet_text(got),
                       repeats ? " again" : ", which was never sent"));
    return;
  }
  const Payload expected = q.slot(node, q.head[node]++);
  --in_flight_;
  report("corruption", cycle, port, node,
         fmt::format("expected {}, got {}: bits {:#x} differ", packet_text(expected),
                     packet_text(got), expected ^ got));
}

bool Scoreboard::take_skipped(unsigned port, unsigned node, Payload got) {
  const auto found = std::find_if(skipped_.begin(), skipped_.end(), [&](const Skipped& s) {
    return s.port == port && s.node == node && s.packet == got;
  });
  if (found == skipped_.end()) return false;
  skipped_.erase(found);
  const LinkEnd end{queues_[port].source[node], port};
  for (Failure& failure : kept_failures()) {
    if (failure.kind != "loss" || failure.link != end) continue;
    failure.kind = "reorder";
    failure.message =
        fmt::format("{}: delivers {} after younger packets",
                    links_.link_name(links_.leaving(end.node, port)), packet_text(got));
    break;
  }
  return true;
}

std::string Scoreboard::owner_of(Payload got) const {
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    const PortQueues& q = queues_[port];
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      for (std::uint32_t k = q.head[node]; k != q.tail[node]; ++k) {
        if (q.slots[node * (q.mask + 1) + (k & q.mask)] == got) {
          return links_.link_name(links_.leaving(q.source[node], port));
        }
      }
    }
  }
  return {};
}

std::string Scoreboard::packet_text(Payload payload) const {
  return layout_.text(payload);
}

void Scoreboard::report(const std::string& kind, std::uint64_t cycle, unsigned port, unsigned node,
                        const std::string& what) {
  const LinkEnd end{queues_[port].source[node], port};
  fail({"scoreboard", kind, cycle, end,
        fmt::format("{}: {}", links_.link_name(links_.leaving(end.node, port)), what)});
}

void Scoreboard::discard_all() {
  for (PortQueues& q : queues_) {
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      q.discarded[node] += q.tail[node] - q.head[node];
      q.head[node] = q.tail[node];
    }
    std::fill(q.in_transit.begin(), q.in_transit.end(), 0);
    std::fill(q.due.begin(), q.due.end(), 0);
  }
  skipped_.clear();
  in_flight_ = 0;
  holds_packets_ = false;
}

void Scoreboard::after(const RunEnd& end) {
  if (!end.complete()) return;
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    const PortQueues& q = queues_[port];
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      if (const std::uint32_t held = q.tail[node] - q.head[node]; held != 0) {
        report("undelivered", end.cycles, port, node,
               fmt::format("{} accepted packet{} never delivered", held, held == 1 ? "" : "s"));
      }
    }
  }
}

double Scoreboard::mean_latency() const {
  return delivered_ == 0 ? 0.0
                         : static_cast<double>(in_flight_cycles_) / static_cast<double>(delivered_);
}

}  // namespace kernbench::sim
