// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/timing_diagram.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "docs/generator/figure.hpp"

namespace kernbench::docs {

using plot::TextAnchor;

namespace {

constexpr double kLeft = 118;  // width of the labels
constexpr double kTop = 64;    // below title and cycle numbers
constexpr double kCycle = 46;  // width of a cycle
constexpr double kRow = 34;    // from one signal to the next
constexpr double kHigh = 18;   // height of a 1
constexpr double kSlope = 4;   // width of an edge
constexpr const char* kSender = "sender";
constexpr const char* kReceiver = "receiver";
constexpr const char* kNeutral = "neutral";

/// Colours of the three kinds of signals, for waves, values, dots and texts alike.
struct WaveColours {
  const char* sender;
  const char* receiver;
  const char* neutral;
  const char* value;  ///< ground of a value
};

std::string wave_style(const WaveColours& colours) {
  std::string style = "line.undriven{stroke:#aaa;stroke-width:1.5}\n";
  for (const auto& [name, colour] : {std::pair{kSender, colours.sender},
                                     {kReceiver, colours.receiver},
                                     {kNeutral, colours.neutral}}) {
    style += fmt::format(
        "path.{0}{{fill:none;stroke:{1};stroke-width:1.8}}\n"
        "path.value.{0}{{fill:{2}}}\n"
        "text.{0},circle.{0}{{fill:{1}}}\n",
        name, colour, colours.value);
  }
  return style;
}

double cycle_x(std::size_t cycle) {
  return kLeft + kCycle * static_cast<double>(cycle);
}

class Diagram {
 public:
  Diagram(const Scenario& scenario, const std::vector<LinkSample>& samples)
      : samples_(samples),
        bottom_(kTop + kRow * kRows),
        figure_(cycle_x(samples.size()) + 14, bottom_ + 34, scenario.title,
                wave_style({"#1b5e9e", "#a14a00", "#333", "#fbfbf4"}),
                wave_style({"#6ea0d0", "#f0904a", "#c6ced6", "#1a2028"})) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      figure_.text(cycle_x(i) + kCycle / 2, kTop - 14, fmt::format("{}", i), "small",
                   TextAnchor::Middle);
    }
    for (std::size_t i = 0; i <= samples.size(); ++i) {
      figure_.canvas().line(cycle_x(i), kTop - 8, cycle_x(i), bottom_, {"grid"});
    }
  }

  void clock() {
    const double low = label("clk", kNeutral);
    std::string path = fmt::format("M{:g} {:g}", cycle_x(0), low);
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      path += fmt::format("V{:g}h{:g}V{:g}h{:g}", low - kHigh, kCycle / 2, low, kCycle / 2);
    }
    figure_.canvas().path(path, {kNeutral});
  }

  void bit(const std::string& name, const char* kind,
           const std::function<bool(const LinkSample&)>& value) {
    const double low = label(name, kind);
    std::string path;
    bool last = false;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const bool now = value(samples_[i]);
      const double level = now ? low - kHigh : low;
      if (i == 0) {
        path = fmt::format("M{:g} {:g}", cycle_x(0), level);
      } else if (now != last) {
        path += fmt::format("L{:g} {:g}", cycle_x(i) + kSlope, level);
      }
      path += fmt::format("H{:g}", cycle_x(i + 1));
      last = now;
    }
    figure_.canvas().path(path, {kind});
  }

  /// Draws a value as a box, and as a line between the two levels where it is empty.
  void bus(const std::string& name, const char* kind,
           const std::function<std::string(const LinkSample&)>& value) {
    const double low = label(name, kind);
    for (std::size_t i = 0; i < samples_.size();) {
      const std::string text = value(samples_[i]);
      std::size_t end = i + 1;
      while (end < samples_.size() && value(samples_[end]) == text) ++end;
      const double from = cycle_x(i);
      const double to = cycle_x(end);
      const double middle = low - kHigh / 2;
      if (text.empty()) {
        figure_.canvas().line(from, middle, to, middle, {"undriven"});
      } else {
        const std::string outline = fmt::format(
            "M{:g} {:g}L{:g} {:g}H{:g}L{:g} {:g}L{:g} {:g}H{:g}z", from, middle, from + kSlope,
            low - kHigh, to - kSlope, to, middle, to - kSlope, low, from + kSlope);
        figure_.canvas().path(outline, {fmt::format("value {}", kind)});
        figure_.text((from + to) / 2, low - 4.5, text, kind, TextAnchor::Middle);
      }
      i = end;
    }
  }

  /// Draws dots on the last row, at the edges where `moved` is true.
  void moves(const char* kind, const std::function<bool(const LinkSample&)>& moved) {
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      if (moved(samples_[i]))
        figure_.canvas().circle(cycle_x(i + 1), last_low_ - kHigh / 2, 4, {kind});
    }
  }

  [[nodiscard]] std::string finish() {
    figure_.text(20, bottom_ + 20,
                 "A dot is a rising edge at which a packet moves. held: packets inside the link.",
                 "small");
    return std::move(figure_).finish();
  }

 private:
  static constexpr double kRows = 9;

  /// Starts the next row; returns the height of its 0.
  double label(const std::string& name, const char* kind) {
    last_low_ = kTop + kRow * row_ + kHigh + 6;
    row_ += 1;
    figure_.text(kLeft - 12, last_low_ - 4, name, kind, TextAnchor::End);
    return last_low_;
  }

  const std::vector<LinkSample>& samples_;
  double bottom_;
  Figure figure_;
  double row_ = 0;
  double last_low_ = 0;
};

std::string data(bool valid, maze::Payload packet) {
  return valid ? fmt::format("{:02X}", packet & 0xFFU) : std::string();
}

}  // namespace

std::string timing_diagram(const Scenario& scenario, const std::vector<LinkSample>& samples) {
  const unsigned port = scenario.source.port;
  Diagram diagram(scenario, samples);
  diagram.clock();
  diagram.bit("rst_n", kNeutral, [](const LinkSample& s) { return s.rst_n; });
  diagram.bit(signal_name(port, 'o', "vld"), kSender, [](const auto& s) { return s.out_valid; });
  diagram.bit(signal_name(port, 'o', "rdy"), kSender, [](const auto& s) { return s.out_ready; });
  diagram.bus(signal_name(port, 'o', "data"), kSender,
              [](const auto& s) { return data(s.out_valid, s.out_packet); });
  diagram.moves(kSender, [](const LinkSample& s) { return s.accepted(); });
  diagram.bus("held", kNeutral, [](const auto& s) { return fmt::format("{}", s.held); });
  diagram.bit(signal_name(port, 'i', "vld"), kReceiver, [](const auto& s) { return s.in_valid; });
  diagram.bit(signal_name(port, 'i', "rdy"), kReceiver, [](const auto& s) { return s.in_ready; });
  diagram.bus(signal_name(port, 'i', "data"), kReceiver,
              [](const auto& s) { return data(s.in_valid, s.in_packet); });
  diagram.moves(kReceiver, [](const LinkSample& s) { return s.delivered(); });
  return diagram.finish();
}

}  // namespace kernbench::docs
