// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/wave_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "sim/debug/diagnosis.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::sim {
namespace {

using common::escape_markup;
using maze::Payload;
using plot::print;

constexpr int kLetter = 7;        // pixels of a letter of the names
constexpr int kLeastLabels = 90;  // pixels of the names
constexpr std::size_t kMostLetters = 60;
constexpr int kCycle = 34;  // pixels of a cycle
constexpr int kRow = 24;    // pixels from row to row
constexpr int kHigh = 14;   // pixels from 0 to 1
constexpr int kTop = 26;    // pixels of the numbers of cycles
constexpr std::size_t kMostRows = 44;
constexpr std::uint64_t kPeriodNs = 10;
constexpr std::uint64_t kShownInGtkwave = 60;
constexpr std::uint64_t kBeforeOffer = 2;  // cycles shown before the offer of a packet

bool differs(const UnitCycle& cycle, std::size_t signal) {
  return cycle.expected[signal] && *cycle.expected[signal] != cycle.seen[signal];
}

std::vector<const UnitCycle*> cycles_in(const Recording& recording, const WaveRange& range) {
  std::vector<const UnitCycle*> cycles;
  for (const UnitCycle& cycle : recording.cycles) {
    if (cycle.cycle >= range.first && cycle.cycle <= range.last) cycles.push_back(&cycle);
  }
  return cycles;
}

/// Returns the signals that are drawn: all of a small unit; of a node, those of the place of the
/// first wrong signal and all that differ.
std::vector<std::size_t> drawn_signals(const Recording& recording,
                                       const std::vector<const UnitCycle*>& cycles) {
  std::vector<std::size_t> drawn;
  const std::optional<FirstWrong>& wrong = recording.wrong;
  const auto is_near = [&](std::size_t i) {
    if (recording.unit.kind != Unit::Kind::Node) return i < recording.signals.size();
    return wrong && recording.signals[i].place == recording.signals[wrong->signal].place;
  };
  for (std::size_t i = 0; i < recording.signals.size() && drawn.size() < kMostRows; ++i) {
    if (!recording.is_seen[i]) continue;
    const bool is_wrong = std::any_of(cycles.begin(), cycles.end(),
                                      [&](const UnitCycle* cycle) { return differs(*cycle, i); });
    // A register without a value of the reference has no effect.
    const bool has_effect = recording.signals[i].kind != UnitSignal::Kind::Register ||
                            i >= recording.reference_signals ||
                            std::any_of(cycles.begin(), cycles.end(), [&](const UnitCycle* cycle) {
                              return cycle->expected[i].has_value();
                            });
    if (is_wrong || (is_near(i) && has_effect)) drawn.push_back(i);
  }
  return drawn;
}

/// Returns a value in few letters.
std::string short_text(const UnitSignal& signal, Payload value, const PacketTexts& texts) {
  if (signal.packet) return texts.brief(value);
  return fmt::format("{:x}", value);
}

/// Returns the row of a signal: what was seen, or what the reference has.
WaveRow row_of(const Recording& recording, const std::vector<const UnitCycle*>& cycles,
               std::size_t number, bool expected) {
  const UnitSignal& signal = recording.signals[number];
  WaveRow row{signal.label, expected, signal.bits == 1, {}, {}};
  std::optional<Payload> before;
  for (const UnitCycle* cycle : cycles) {
    const std::optional<Payload> value =
        expected ? cycle->expected[number] : std::optional(cycle->seen[number]);
    if (!expected && differs(*cycle, number)) row.wrong.push_back(cycle->cycle);
    if (cycle != cycles.front() && value == before) continue;
    row.values.push_back({cycle->cycle, value ? value_text(signal, *value, recording.texts) : "",
                          value ? short_text(signal, *value, recording.texts) : ""});
    before = value;
  }
  return row;
}

/// Returns the numbers of the values where they change, for the script: "4=1;9=0".
std::string changes(const WaveRow& row) {
  std::string text;
  for (const WaveValue& value : row.values) {
    if (!text.empty()) text += ';';
    fmt::format_to(std::back_inserter(text), "{}={}", value.cycle,
                   value.text.empty() ? "-" : value.text);
  }
  return text;
}

/// Returns the cycles that the value of a row stays. Rows that were read from a file may have any
/// cycles.
std::uint64_t length_of(const WaveView& view, const WaveRow& row, std::size_t value) {
  const std::uint64_t all = view.first + view.cycles;
  const std::uint64_t begin = row.values[value].cycle;
  const std::uint64_t end =
      value + 1 == row.values.size() ? all : std::min(all, row.values[value + 1].cycle);
  return begin < view.first || begin > end ? 0 : end - begin;
}

std::string label_of(const WaveRow& row) {
  const std::string label = row.expected ? "reference" : row.name;
  if (label.size() <= kMostLetters) return label;
  return ".." + label.substr(label.size() - (kMostLetters - 2));
}

/// Returns the pixels of the names of a picture.
int labels_of(const WaveView& view) {
  int width = kLeastLabels;
  for (const WaveRow& row : view.rows) {
    width = std::max(width, kLetter * static_cast<int>(label_of(row).size()) + 16);
  }
  return width;
}

/// A picture of a view, in which the cycles begin `labels` pixels from the left.
struct Picture {
  const WaveView& view;
  int labels;

  [[nodiscard]] int left_of(std::uint64_t cycle) const {
    return labels + static_cast<int>(cycle - view.first) * kCycle;
  }
};

void draw_bit(std::string& out, const Picture& picture, const WaveRow& row, int y) {
  std::string path;
  std::optional<int> before;
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const WaveValue& value = row.values[i];
    if (value.text.empty()) {
      before.reset();
      continue;
    }
    const int level = y + (value.text != "0" ? 0 : kHigh);
    for (std::uint64_t cycle = 0; cycle < length_of(picture.view, row, i); ++cycle) {
      const int x = picture.left_of(value.cycle + cycle);
      path += before ? fmt::format("V{}", level) : fmt::format("M{} {}", x, level);
      path += fmt::format("H{}", x + kCycle);
      before = level;
    }
  }
  if (!path.empty()) print(out, "<path class=\"line\" d=\"{}\"/>\n", path);
}

void draw_bus(std::string& out, const Picture& picture, const WaveRow& row, int y) {
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const WaveValue& value = row.values[i];
    const int width = static_cast<int>(length_of(picture.view, row, i)) * kCycle;
    if (value.text.empty() || width == 0) continue;
    const int x = picture.left_of(value.cycle);
    print(out,
          "<path class=\"line\" d=\"M{} {}l3 -{}h{}l3 {}l-3 {}h-{}z\"><title>{}</title></path>\n",
          x, y + kHigh / 2, kHigh / 2, width - 6, kHigh / 2, kHigh / 2, width - 6,
          escape_markup(value.text));
    print(out, "<text class=\"value\" x=\"{}\" y=\"{}\">{}</text>\n", x + width / 2, y + kHigh - 3,
          escape_markup(value.brief));
  }
}

/// Returns a short identifier of printable letters for a VCD.
std::string vcd_id(std::size_t number) {
  std::string id;
  do {
    id += static_cast<char>('!' + number % 94);
    number /= 94;
  } while (number != 0);
  return id;
}

std::string vcd_name(const UnitSignal& signal) {
  std::string name;
  for (const char c : signal.label) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += c == '[' || c == '(' ? '(' : c == ']' || c == ')' ? ')' : is_plain ? c : '_';
  }
  return name;
}

std::string vcd_range(const UnitSignal& signal) {
  return signal.bits == 1 ? "" : fmt::format(" [{}:0]", signal.bits - 1);
}

}  // namespace

std::set<Payload> packets_in_question(const Recording& recording) {
  std::set<Payload> packets;
  if (!recording.wrong) return packets;
  const auto at =
      std::find_if(recording.cycles.begin(), recording.cycles.end(),
                   [&](const UnitCycle& cycle) { return cycle.cycle >= recording.wrong->cycle; });
  if (at == recording.cycles.end()) return packets;
  const UnitSignal& wrong = recording.signals[recording.wrong->signal];
  for (std::size_t i = 0; i < recording.signals.size(); ++i) {
    const UnitSignal& signal = recording.signals[i];
    if (signal.packet && signal.place == wrong.place && at->expected[i]) {
      packets.insert(*at->expected[i]);
    }
  }
  if (wrong.packet) packets.insert(recording.wrong->seen);
  return packets;
}

std::optional<std::uint64_t> offer_of_failure(const Recording& recording) {
  if (!recording.wrong) return std::nullopt;
  const std::vector<UnitCycle>& cycles = recording.cycles;
  std::size_t at = 0;
  while (at < cycles.size() && cycles[at].cycle < recording.wrong->cycle) ++at;
  if (at == cycles.size()) return std::nullopt;
  const std::set<Payload> packets = packets_in_question(recording);
  std::optional<std::uint64_t> offer;
  for (const PacketPort& port : recording.packet_ports) {
    if (recording.signals[port.valid].kind != UnitSignal::Kind::Input) continue;
    const auto offers = [&](std::size_t t) {
      return cycles[t].seen[port.valid] != 0 && packets.count(cycles[t].seen[port.packet]) != 0;
    };
    std::size_t t = at + 1;
    while (t > 0 && !offers(t - 1)) --t;
    while (port.ready && t > 1 && offers(t - 2) &&
           cycles[t - 2].seen[port.packet] == cycles[t - 1].seen[port.packet] &&
           cycles[t - 2].seen[*port.ready] == 0) {
      --t;
    }
    if (t > 0) offer = std::min(offer.value_or(cycles[t - 1].cycle), cycles[t - 1].cycle);
  }
  return offer;
}

WaveRange range_around(const Recording& recording, std::uint64_t most) {
  if (recording.cycles.empty()) return {};
  const std::uint64_t begin = recording.cycles.front().cycle;
  const std::uint64_t end = recording.cycles.back().cycle;
  // A register may be wrong long before a port is, and before the window.
  if (!recording.wrong || recording.wrong->cycle < begin) {
    return {end > most ? std::max(begin, end - most) : begin, end};
  }
  const std::uint64_t at = recording.wrong->cycle;
  const std::uint64_t before = most - most / 4;
  const std::uint64_t earliest = std::max(begin, at > before ? at - before : 0);
  const std::uint64_t offer = offer_of_failure(recording).value_or(earliest);
  const std::uint64_t first = std::max(earliest, offer > kBeforeOffer ? offer - kBeforeOffer : 0);
  return {first, std::min({end, first + most - 1, at + most / 4})};
}

WaveView wave_view(const Recording& recording, const WaveRange& range) {
  const std::vector<const UnitCycle*> cycles = cycles_in(recording, range);
  WaveView view{.unit = recording.name};
  if (cycles.empty()) return view;
  view.first = cycles.front()->cycle;
  view.cycles = cycles.size();
  for (const UnitCycle* cycle : cycles) {
    if (cycle->in_reset) view.resets.push_back(cycle->cycle);
    if (recording.wrong && recording.wrong->cycle == cycle->cycle) view.wrong = cycle->cycle;
  }
  for (const std::size_t i : drawn_signals(recording, cycles)) {
    view.rows.push_back(row_of(recording, cycles, i, false));
    if (!view.rows.back().wrong.empty()) view.rows.push_back(row_of(recording, cycles, i, true));
  }
  return view;
}

std::string wave_svg(const WaveView& view) {
  const int labels = labels_of(view);
  const Picture picture{view, labels};
  const int width = labels + static_cast<int>(view.cycles) * kCycle + 8;
  const int height = kTop + static_cast<int>(view.rows.size()) * kRow + 8;
  std::string out;
  print(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wave\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" data-first=\"{2}\" data-cycles=\"{3}\" data-labels=\"{6}\" "
        "data-pitch=\"{7}\" role=\"img\" "
        "tabindex=\"0\" aria-label=\"Waves of {4}, cycles {2} to {5}\">\n",
        width, height, view.first, view.cycles, escape_markup(view.unit),
        view.cycles == 0 ? 0 : view.first + view.cycles - 1, labels, kCycle);
  for (std::uint64_t cycle = view.first; cycle < view.first + view.cycles; ++cycle) {
    const int x = picture.left_of(cycle);
    if (std::find(view.resets.begin(), view.resets.end(), cycle) != view.resets.end()) {
      print(out,
            "<rect class=\"reset\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>in "
            "reset</title></rect>\n",
            x, kTop, kCycle, height - kTop);
    }
    print(out, "<path class=\"grid\" d=\"M{} {}V{}\"/>\n", x, kTop, height - 4);
    print(out, "<text class=\"cycle{}\" x=\"{}\" y=\"16\">{}</text>\n",
          view.wrong == cycle ? " bad" : "", x + kCycle / 2, cycle);
  }
  int y = kTop + (kRow - kHigh) / 2;
  for (const WaveRow& row : view.rows) {
    print(out, "<g class=\"row{}\" data-values=\"{}\">\n", row.expected ? " expected" : "",
          escape_markup(changes(row)));
    print(out, "<text class=\"name\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>\n", labels - 8,
          y + kHigh - 2, escape_markup(label_of(row)), escape_markup(row.name));
    for (const std::uint64_t cycle : row.wrong) {
      print(out, "<rect class=\"wrong\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
            picture.left_of(cycle), y - 4, kCycle, kRow - 2);
    }
    row.is_bit ? draw_bit(out, picture, row, y) : draw_bus(out, picture, row, y);
    print(out, "</g>\n");
    y += kRow;
  }
  return out + "</svg>\n";
}

std::string wave_vcd(const Recording& recording) {
  std::string out = "$timescale 1ns $end\n$scope module failure $end\n$var wire 1 ! rst_n $end\n";
  const std::size_t count = recording.signals.size();
  for (std::size_t i = 0; i < count; ++i) {
    const UnitSignal& signal = recording.signals[i];
    if (!recording.is_seen[i]) continue;
    print(out, "$var wire {} {} {}{} $end\n", signal.bits, vcd_id(2 * i + 1), vcd_name(signal),
          vcd_range(signal));
    if (signal.kind == UnitSignal::Kind::Input || recording.cycles.empty()) continue;
    print(out, "$var wire {} {} expected_{}{} $end\n", signal.bits, vcd_id(2 * i + 2),
          vcd_name(signal), vcd_range(signal));
  }
  out += "$upscope $end\n$enddefinitions $end\n";
  const UnitCycle* before = nullptr;
  const auto value = [&](const UnitSignal& signal, const std::optional<Payload>& bits,
                         const std::string& id) {
    if (signal.bits == 1) {
      print(out, "{}{}\n", bits ? std::to_string(*bits) : "x", id);
    } else {
      print(out, "b{} {}\n", bits ? fmt::format("{:b}", *bits) : "x", id);
    }
  };
  for (const UnitCycle& cycle : recording.cycles) {
    print(out, "#{}\n", cycle.cycle * kPeriodNs);
    if (before == nullptr || before->in_reset != cycle.in_reset) {
      out += cycle.in_reset ? "0!\n" : "1!\n";
    }
    for (std::size_t i = 0; i < count; ++i) {
      const UnitSignal& signal = recording.signals[i];
      if (!recording.is_seen[i]) continue;
      if (before == nullptr || before->seen[i] != cycle.seen[i]) {
        value(signal, cycle.seen[i], vcd_id(2 * i + 1));
      }
      if (signal.kind == UnitSignal::Kind::Input) continue;
      if (before == nullptr || before->expected[i] != cycle.expected[i]) {
        value(signal, cycle.expected[i], vcd_id(2 * i + 2));
      }
    }
    before = &cycle;
  }
  if (before != nullptr) print(out, "#{}\n", (before->cycle + 1) * kPeriodNs);
  return out;
}

std::string wave_setup(const Recording& recording, const std::string& vcd) {
  if (recording.cycles.empty()) return {};
  const WaveRange range = range_around(recording, kShownInGtkwave);
  const std::uint64_t marker = recording.wrong ? recording.wrong->cycle : range.first;
  std::string out =
      window_head(vcd, {marker * kPeriodNs, recording.cycles.front().cycle * kPeriodNs,
                        (recording.cycles.back().cycle + 1) * kPeriodNs, range.first * kPeriodNs});
  out += "\n@28\nfailure.rst_n\n";
  for (const std::size_t i : drawn_signals(recording, cycles_in(recording, range))) {
    const UnitSignal& signal = recording.signals[i];
    const char* format = signal.bits == 1 ? "@28" : "@22";
    print(out, "[color] 0\n{}\nfailure.{}{}\n", format, vcd_name(signal),
          signal.bits == 1 ? "" : fmt::format("[{}:0]", signal.bits - 1));
    if (signal.kind == UnitSignal::Kind::Input) continue;
    print(out, "[color] 2\n{}\nfailure.expected_{}{}\n", format, vcd_name(signal),
          signal.bits == 1 ? "" : fmt::format("[{}:0]", signal.bits - 1));
  }
  return out;
}

}  // namespace kernbench::sim
