#include "docs/generator/timing_diagram.hpp"

#include <fmt/format.h>

#include <functional>

#include "docs/generator/svg.hpp"

namespace kernbench::docs {
namespace {

constexpr double kLeft = 118;  // width of the labels
constexpr double kTop = 64;    // below title and cycle numbers
constexpr double kCycle = 46;  // width of a cycle
constexpr double kRow = 34;    // from one signal to the next
constexpr double kHigh = 18;   // height of a 1
constexpr double kSlope = 4;   // width of an edge
constexpr const char* kSender = "#1b5e9e";
constexpr const char* kReceiver = "#a14a00";
constexpr const char* kNeutral = "#333333";

double cycle_x(std::size_t cycle) {
  return kLeft + kCycle * static_cast<double>(cycle);
}

class Diagram {
 public:
  Diagram(const Scenario& scenario, const std::vector<LinkSample>& samples)
      : samples_(samples),
        bottom_(kTop + kRow * kRows),
        svg_(cycle_x(samples.size()) + 14, bottom_ + 34, scenario.title) {
    svg_.text(12, 22, scenario.title, Svg::Anchor::Start, 15, kNeutral, true);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      svg_.text(cycle_x(i) + kCycle / 2, kTop - 14, fmt::format("{}", i), Svg::Anchor::Middle, 11,
                "#777777");
    }
    for (std::size_t i = 0; i <= samples.size(); ++i) {
      svg_.line(cycle_x(i), kTop - 8, cycle_x(i), bottom_, "#cccccc", 1, true);
    }
  }

  void clock() {
    const double low = label("clk", kNeutral);
    std::string path = fmt::format("M{:g} {:g}", cycle_x(0), low);
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      path += fmt::format("V{:g}h{:g}V{:g}h{:g}", low - kHigh, kCycle / 2, low, kCycle / 2);
    }
    svg_.path(path, kNeutral, 1.5);
  }

  void bit(const std::string& name, const char* colour,
           const std::function<bool(const LinkSample&)>& value) {
    const double low = label(name, colour);
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
    svg_.path(path, colour, 1.8);
  }

  /// A value that is drawn as a box where it is one, and as a line between two levels elsewhere.
  void bus(const std::string& name, const char* colour,
           const std::function<std::string(const LinkSample&)>& value) {
    const double low = label(name, colour);
    for (std::size_t i = 0; i < samples_.size();) {
      const std::string text = value(samples_[i]);
      std::size_t end = i + 1;
      while (end < samples_.size() && value(samples_[end]) == text) ++end;
      const double from = cycle_x(i);
      const double to = cycle_x(end);
      const double middle = low - kHigh / 2;
      if (text.empty()) {
        svg_.line(from, middle, to, middle, "#aaaaaa", 1.5);
      } else {
        svg_.path(fmt::format("M{:g} {:g}L{:g} {:g}H{:g}L{:g} {:g}L{:g} {:g}H{:g}z", from, middle,
                              from + kSlope, low - kHigh, to - kSlope, to, middle, to - kSlope, low,
                              from + kSlope),
                  colour, 1.5, "#fbfbf4");
        svg_.text((from + to) / 2, low - 4.5, text, Svg::Anchor::Middle, 12, colour);
      }
      i = end;
    }
  }

  /// Dots on the row drawn last, at the edges at which `moves` is true.
  void moves(const char* colour, const std::function<bool(const LinkSample&)>& moved) {
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      if (moved(samples_[i])) svg_.dot(cycle_x(i + 1), last_low_ - kHigh / 2, 4, colour);
    }
  }

  [[nodiscard]] std::string finish() {
    svg_.text(12, bottom_ + 20,
              "A dot is a rising edge at which a packet moves. held: packets inside the link.",
              Svg::Anchor::Start, 11, "#777777");
    return svg_.str();
  }

 private:
  static constexpr double kRows = 9;

  /// Starts the next row; returns the height of its 0.
  double label(const std::string& name, const char* colour) {
    last_low_ = kTop + kRow * row_ + kHigh + 6;
    row_ += 1;
    svg_.text(kLeft - 12, last_low_ - 4, name, Svg::Anchor::End, 13, colour);
    return last_low_;
  }

  const std::vector<LinkSample>& samples_;
  double bottom_;
  Svg svg_;
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
