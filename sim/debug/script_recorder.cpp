// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/script_recorder.hpp"

#include <algorithm>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

ScriptRecorder::ScriptRecorder(Stimulus& own, const maze::Shape& shape, unsigned ports,
                               const LinkEnd* source, const LinkEnd* sink)
    : own_(own),
      shape_(shape),
      ports_(ports),
      source_(source),
      sink_(sink),
      offered_(shape, ports),
      stalled_(shape, ports),
      stall_from_(std::size_t{shape.nodes()} * ports) {}

void ScriptRecorder::drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
                           maze::TopoInputs& inputs) {
  own_.drive(cycle, phase, source_fired, inputs);
  if (phase == Phase::Reset) {
    offered_.clear();
    return;
  }
  if (phase == Phase::Run) {
    record_packets(source_fired, inputs);
    record_stalls(inputs);
    ++run_;
  }
  offered_ = inputs.out_valid;
}

void ScriptRecorder::record_packets(const maze::BitPlane& source_fired,
                                    const maze::TopoInputs& inputs) {
  const auto record = [&](unsigned port, unsigned node) {
    script_.packets.push_back({run_, {node, port}, inputs.out_payload.at(port, node)});
  };
  const auto is_new = [&](std::size_t w) {
    return inputs.out_valid.data()[w] & (~offered_.data()[w] | source_fired.data()[w]);
  };
  if (source_ != nullptr) {
    const std::size_t w = std::size_t{source_->port} * shape_.words() + source_->node / 64;
    if ((is_new(w) >> (source_->node % 64) & 1U) != 0) record(source_->port, source_->node);
    return;
  }
  for (std::size_t w = 0; w < offered_.size(); ++w) {
    maze::for_each_bit(is_new(w), static_cast<unsigned>(w % shape_.words()), [&](unsigned node) {
      record(static_cast<unsigned>(w / shape_.words()), node);
    });
  }
}

void ScriptRecorder::record_stalls(const maze::TopoInputs& inputs) {
  const auto change = [&](unsigned port, unsigned node, bool stalled) {
    std::uint64_t& from = stall_from_[std::size_t{port} * shape_.nodes() + node];
    if (stalled) {
      from = run_;
    } else {
      script_.stalls.push_back({from, run_, {node, port}});
    }
    stalled_.set(port, node, stalled);
  };
  if (sink_ != nullptr) {
    const bool stalled = !inputs.in_ready.test(sink_->port, sink_->node);
    if (stalled != stalled_.test(sink_->port, sink_->node)) {
      change(sink_->port, sink_->node, stalled);
    }
    return;
  }
  for (std::size_t w = 0; w < stalled_.size(); ++w) {
    const auto word = static_cast<unsigned>(w % shape_.words());
    const std::uint64_t now = ~inputs.in_ready.data()[w] & shape_.node_mask(word);
    maze::for_each_bit(now ^ stalled_.data()[w], word, [&](unsigned node) {
      change(static_cast<unsigned>(w / shape_.words()), node, (now >> (node % 64) & 1U) != 0);
    });
  }
}

Script ScriptRecorder::script(const std::vector<ResetEvent>& resets) const {
  Script script = script_;
  script.cycles = run_;
  for (unsigned port = 0; port < ports_; ++port) {
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      if (!stalled_.test(port, node)) continue;
      script.stalls.push_back(
          {stall_from_[std::size_t{port} * shape_.nodes() + node], run_, {node, port}});
    }
  }
  std::stable_sort(script.stalls.begin(), script.stalls.end(),
                   [](const ScriptStall& a, const ScriptStall& b) { return a.first < b.first; });
  for (const ResetEvent& reset : resets) {
    if (reset.at < run_) script.resets.push_back(reset);
  }
  return script;
}

}  // namespace kernbench::sim
