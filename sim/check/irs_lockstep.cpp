// SPDX-License-Identifier: Apache-2.0
#include "sim/check/irs_lockstep.hpp"

#include <fmt/format.h>

namespace kernbench::sim {

void IrsLockstep::on_cycle(const CycleView& view) {
  const maze::TopoInputs& in = *view.driven;
  const maze::TopoOutputs& out = *view.observed;
  const auto [source, output] = kChainSource;
  const auto [sink, input] = kChainSink;
  const maze::IrsInputs inputs{.valid_i = in.out_valid.test(output, source),
                               .payload_i = in.out_payload.at(output, source),
                               .ready_i = in.in_ready.test(input, sink)};
  if (view.in_reset) reference_.reset();
  const maze::IrsOutputs expected = reference_.evaluate(inputs);
  if (!view.in_reset) reference_.clock(inputs);
  const bool valid = out.in_valid.test(input, sink);
  const bool ready = out.out_ready.test(output, source);
  const maze::Payload payload = out.in_payload.at(input, sink);
  dut_.annotate({.want_valid = inputs.valid_i,
                 .want_ready = inputs.ready_i,
                 .seen_valid = valid,
                 .seen_ready = ready,
                 .expected_valid = expected.valid_o,
                 .expected_ready = expected.ready_o,
                 .want_packet = inputs.payload_i,
                 .seen_packet = payload,
                 .expected_packet = expected.payload_o});
  ++compared_;
  const auto bit = [](bool value) { return std::string(value ? "1" : "0"); };
  if (valid != expected.valid_o) report(view, "valid", bit(valid), bit(expected.valid_o));
  if (ready != expected.ready_o) report(view, "ready", bit(ready), bit(expected.ready_o));
  if (valid && expected.valid_o && payload != expected.payload_o) {
    report(view, "payload", fmt::format("{:#x}", payload),
           fmt::format("{:#x}", expected.payload_o));
  }
}

void IrsLockstep::report(const CycleView& view, const char* kind, const std::string& got,
                         const std::string& expected) {
  fail({"lockstep", kind, view.cycle, kChainSource,
        fmt::format("IRS_N: {} is {}, the reference has {}", kind, got, expected)});
}

}  // namespace kernbench::sim
