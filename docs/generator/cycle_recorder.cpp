// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/cycle_recorder.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <map>
#include <stdexcept>
#include <utility>

#include "docs/generator/figure.hpp"
#include "plot/path_data.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "sim/harness/harness.hpp"
#include "sim/stimulus/driver.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::docs {

using maze::TopoInputs;
using maze::TopoOutputs;
using plot::PointPx;
using plot::TextAnchor;

namespace {

constexpr std::uint64_t kShownCycle = 500;
constexpr const char* kFabric = "fabric";

unsigned count(const maze::BitPlane& plane) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < plane.size(); ++i) {
    bits += static_cast<unsigned>(std::popcount(plane.data()[i]));
  }
  return bits;
}

/// Collects the calls of one cycle. The clock edge ends a cycle.
class Log {
 public:
  void add(const std::string& to, std::string call, std::string figure) {
    if (cycle_ == kShownCycle) record_.calls.push_back({to, std::move(call), std::move(figure)});
  }
  void end_cycle() { ++cycle_; }
  [[nodiscard]] CycleRecord take() {
    record_.cycle = kShownCycle;
    return std::move(record_);
  }

 private:
  std::uint64_t cycle_ = 0;
  CycleRecord record_;
};

/// The fabric, with a note of every call.
class RecordedDut : public sim::MazeDut {
 public:
  RecordedDut(sim::MazeDut& dut, Log& log) : dut_(dut), log_(log) {}

  [[nodiscard]] const sim::DutInfo& info() const override { return dut_.info(); }
  void set_reset(bool asserted) override {
    log_.add(kFabric, "set_reset", asserted ? "rst_n falls" : "rst_n rises");
    dut_.set_reset(asserted);
  }
  void drive(const TopoInputs& inputs) override {
    log_.add(kFabric, "drive(inputs)",
             fmt::format("{} links offer a packet, {} receivers are ready", count(inputs.out_valid),
                         count(inputs.in_ready)));
    dut_.drive(inputs);
  }
  void settle() override {
    log_.add(kFabric, "settle()", "combinational paths, clock low");
    dut_.settle();
  }
  void sample(TopoOutputs& outputs) const override {
    dut_.sample(outputs);
    log_.add(kFabric, "sample(outputs)",
             fmt::format("{} links are ready, {} deliver a packet", count(outputs.out_ready),
                         count(outputs.in_valid)));
  }
  void falling_edge() override { dut_.falling_edge(); }
  void clock_edge() override {
    log_.add(kFabric, "clock_edge()", "rising edge: what fired moves");
    dut_.clock_edge();
    log_.end_cycle();
  }
  std::vector<sim::Violation> take_violations() override { return dut_.take_violations(); }
  void open_trace(const std::string& path) override { dut_.open_trace(path); }
  void enable_trace(bool on) override { dut_.enable_trace(on); }
  void close_trace() override { dut_.close_trace(); }
  void write_coverage(const std::string& path) override { dut_.write_coverage(path); }

 private:
  sim::MazeDut& dut_;
  Log& log_;
};

/// A checker or collector, with a note of every cycle that it is shown.
class RecordedExtension : public sim::Extension {
 public:
  RecordedExtension(std::string name, sim::Extension& inner, Log& log)
      : name_(std::move(name)), inner_(inner), log_(log) {}

  void before() override { inner_.before(); }
  void on_cycle(const sim::CycleView& view) override {
    const std::uint64_t checks = inner_.checks();
    inner_.on_cycle(view);
    const std::uint64_t made = inner_.checks() - checks;
    log_.add(name_, "on_cycle(view)",
             made == 0 ? fmt::format("{} packets entered, {} left", count(*view.source_fired),
                                     count(*view.sink_fired))
                       : fmt::format("{} comparisons", made));
  }
  void after(const sim::RunEnd& end) override { inner_.after(end); }
  [[nodiscard]] bool failed() const { return inner_.failure_count() != 0; }

 private:
  std::string name_;
  sim::Extension& inner_;
  Log& log_;
};

}  // namespace

CycleRecord record_cycle(sim::MazeDut& dut) {
  const maze::Shape shape = dut.info().shape;
  const topology::MazeLinks links(shape.nx, shape.ny);
  sim::TrafficSpec traffic;
  traffic.pattern = sim::Pattern::AllLinks;
  traffic.load = 0.5;
  sim::BackPressureSpec back_pressure;
  back_pressure.kind = sim::BackPressure::Random;
  back_pressure.ready_probability = 0.7;
  sim::Driver driver(shape, links, traffic, back_pressure, 1);

  Log log;
  RecordedDut recorded(dut, log);
  sim::Harness harness(recorded, driver);
  sim::Lockstep lockstep(shape, links);
  sim::Scoreboard scoreboard(shape, links);
  sim::Watchdog watchdog(links, 2000);
  sim::OutputHash hash(shape);
  sim::FunctionalCoverage coverage(shape, links, back_pressure.kind, &lockstep.reference(), 1);
  std::array<RecordedExtension, 5> extensions = {{{"lockstep", lockstep, log},
                                                  {"scoreboard", scoreboard, log},
                                                  {"watchdog", watchdog, log},
                                                  {"output hash", hash, log},
                                                  {"coverage", coverage, log}}};
  for (RecordedExtension& extension : extensions) harness.add(extension);
  sim::RunPlan plan;
  plan.cycles = 2 * kShownCycle;
  (void)harness.run(plan);
  for (const RecordedExtension& extension : extensions) {
    if (extension.failed()) throw std::runtime_error("a checker failed in the recorded case");
  }
  return log.take();
}

std::string cycle_diagram(const CycleRecord& record) {
  constexpr double kLane = 118;
  constexpr double kFirst = 150;  // middle of the harness' lane
  constexpr double kTop = 62;
  constexpr double kRow = 34;
  constexpr double kBox = 100;
  std::vector<std::string> lanes = {"harness"};
  std::map<std::string, double> at;
  for (const CycleCall& call : record.calls) {
    if (at.emplace(call.to, kFirst + kLane * static_cast<double>(lanes.size())).second) {
      lanes.push_back(call.to);
    }
  }
  at["harness"] = kFirst;
  const double notes = kFirst + kLane * static_cast<double>(lanes.size() - 1) + kBox / 2 + 20;
  const double bottom = kTop + 66 + kRow * static_cast<double>(record.calls.size());
  const std::string title =
      fmt::format("Cycle {} of a case: the calls that the harness makes", record.cycle);
  Figure figure(notes + 330, bottom + 40, title,
                ".lane{stroke:#bbb;stroke-width:1}\n"
                ".clock{fill:none;stroke:#1b5e9e;stroke-width:2}\n",
                ".lane{stroke:#46525f}\n.clock{stroke:#6ea0d0}\n");
  for (const std::string& lane : lanes) {
    figure.canvas().line(at[lane], kTop + 28, at[lane], bottom, {"lane"});
    figure.canvas().rect(at[lane] - kBox / 2, kTop, kBox, 28, {"box"}, 4);
    figure.text(at[lane], kTop + 18, lane, "strong", TextAnchor::Middle);
  }
  figure.text(50, kTop + 18, "clk", "strong", TextAnchor::Middle);
  double y = kTop + 46;
  std::vector<PointPx> clock = {{36, kTop + 36}};
  for (const CycleCall& call : record.calls) {
    y += kRow;
    const double to = at.at(call.to);
    figure.arrow({{kFirst, y}, {to, y}}, "wire");
    figure.text(kFirst + 8, y - 6, call.call, "");
    figure.text(notes, y + 4, call.figure, "note");
    if (call.call == "clock_edge()") {
      clock.push_back({36, y});
      clock.push_back({64, y});
    }
  }
  clock.push_back({clock.back().x, bottom});
  figure.canvas().path(plot::polyline_path(clock), {"clock"});
  figure.text(
      20, bottom + 26,
      "Recorded from a run; a test holds this order. Left is clk = 0, right clk = 1; the next "
      "cycle begins with the next drive.",
      "note");
  return std::move(figure).finish();
}

}  // namespace kernbench::docs
