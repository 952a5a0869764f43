// SPDX-License-Identifier: Apache-2.0
#include "sim/check/lockstep.hpp"

#include <fmt/format.h>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::BitPlane;
using maze::Payload;
using maze::Shape;

Lockstep::Lockstep(const Shape& shape, const topology::MazeLinks& links)
    : shape_(shape), links_(links), layout_(shape), reference_(shape), expected_(shape) {}

void Lockstep::on_cycle(const CycleView& view) {
  if (view.in_reset) reference_.reset();
  reference_.evaluate(*view.driven, expected_);
  if (!(expected_.in_valid == view.observed->in_valid)) {
    compare_plane(view, "valid", Side::Sink, expected_.in_valid, view.observed->in_valid);
  }
  if (!(expected_.out_ready == view.observed->out_ready)) {
    compare_plane(view, "ready", Side::Source, expected_.out_ready, view.observed->out_ready);
  }
  compare_payloads(view);
  compared_ += shape_.links();
  if (!view.in_reset) reference_.clock(*view.driven);
}

void Lockstep::compare_plane(const CycleView& view, const char* kind, Side side,
                             const BitPlane& expected, const BitPlane& got) {
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < shape_.words(); ++w) {
      maze::for_each_bit(expected.port(port)[w] ^ got.port(port)[w], w, [&](unsigned node) {
        report(view, kind, side, port, node,
               fmt::format("{} is {}, the reference has {}", kind, got.test(port, node) ? 1 : 0,
                           expected.test(port, node) ? 1 : 0));
      });
    }
  }
}

void Lockstep::compare_payloads(const CycleView& view) {
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    const Payload* expected = expected_.in_payload.port(port);
    const Payload* got = view.observed->in_payload.port(port);
    for (unsigned w = 0; w < shape_.words(); ++w) {
      const std::uint64_t both =
          expected_.in_valid.port(port)[w] & view.observed->in_valid.port(port)[w];
      Payload different = 0;
      maze::for_each_bit(both, w, [&](unsigned node) { different |= expected[node] ^ got[node]; });
      if (different == 0) continue;
      maze::for_each_bit(both, w, [&](unsigned node) {
        if (expected[node] == got[node]) return;
        report(view, "payload", Side::Sink, port, node,
               fmt::format("payload is {}, the reference has {}", layout_.text(got[node]),
                           layout_.text(expected[node])));
      });
    }
  }
}

void Lockstep::report(const CycleView& view, const char* kind, Side side, unsigned port,
                      unsigned node, const std::string& what) {
  const unsigned source = side == Side::Source ? node : links_.arriving(node, port).from.node;
  fail({"lockstep", kind, view.cycle, LinkEnd{source, port},
        fmt::format("{}: {}", links_.link_name(links_.leaving(source, port)), what)});
}

}  // namespace kernbench::sim
