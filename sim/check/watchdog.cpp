// SPDX-License-Identifier: Apache-2.0
#include "sim/check/watchdog.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::BitPlane;

Watchdog::Watchdog(const Ports& ports, std::uint64_t limit)
    : ports_(ports),
      limit_(limit),
      source_{"source_stuck", BitPlane(ports.shape(), ports.count())},
      sink_{"sink_stuck", BitPlane(ports.shape(), ports.count())} {
  start_window();
}

void Watchdog::start_window() {
  age_ = 0;
  for (End* end : {&source_, &sink_}) {
    std::fill_n(end->waiting.data(), end->waiting.size(), ~std::uint64_t{0});
  }
}

void Watchdog::watch(End& end, const BitPlane& offered, const BitPlane& fired) {
  for (std::size_t i = 0; i < end.waiting.size(); ++i) {
    end.waiting.data()[i] &= offered.data()[i] & ~fired.data()[i];
  }
}

void Watchdog::on_cycle(const CycleView& view) {
  if (view.in_reset) {
    start_window();
    return;
  }
  watch(source_, view.intended->out_valid, *view.source_fired);
  watch(sink_, view.observed->in_valid, *view.sink_fired);
  if (++age_ < limit_) return;
  report_stuck(view, source_, true);
  report_stuck(view, sink_, false);
  ++windows_;
  start_window();
}

void Watchdog::report_stuck(const CycleView& view, const End& end, bool at_source) {
  for (unsigned port = 0; port < ports_.count(); ++port) {
    for (unsigned w = 0; w < ports_.shape().words(); ++w) {
      maze::for_each_bit(end.waiting.port(port)[w], w, [&](unsigned node) {
        const LinkEnd stuck =
            at_source ? ports_.sender_end(node, port) : ports_.receiver_end(node, port);
        fail({"watchdog", end.kind, view.cycle, stuck,
              fmt::format("{}: a packet waited at the {} for {} cycles (valid 1, ready 0)",
                          ports_.name(stuck), at_source ? "source" : "sink", limit_)});
      });
    }
  }
}

}  // namespace kernbench::sim
