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

constexpr int kLabels = 210;  // pixels of the names
constexpr int kCycle = 34;    // pixels of a cycle
constexpr int kRow = 24;      // pixels from row to row
constexpr int kHigh = 14;     // pixels from 0 to 1
constexpr int kTop = 26;      // pixels of the numbers of cycles
constexpr std::size_t kMostRows = 44;
constexpr std::uint64_t kPeriodNs = 10;
constexpr std::uint64_t kShownInGtkwave = 60;
constexpr std::uint64_t kBeforeOffer = 2;  // cycles shown before the offer of a packet

/// The values of a row, by cycle of the range; absent where nothing is known.
using Values = std::vector<std::optional<Payload>>;

struct Row {
  const UnitSignal* signal = nullptr;
  bool expected = false;
  Values values;
  std::vector<bool> wrong;
};

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

std::vector<Row> rows_of(const Recording& recording, const std::vector<const UnitCycle*>& cycles) {
  std::vector<Row> rows;
  for (const std::size_t i : drawn_signals(recording, cycles)) {
    Row seen{&recording.signals[i], false, {}, {}};
    Row expected{&recording.signals[i], true, {}, {}};
    bool is_wrong = false;
    for (const UnitCycle* cycle : cycles) {
      seen.values.push_back(cycle->seen[i]);
      seen.wrong.push_back(differs(*cycle, i));
      expected.values.push_back(cycle->expected[i]);
      expected.wrong.push_back(false);
      is_wrong = is_wrong || differs(*cycle, i);
    }
    rows.push_back(std::move(seen));
    if (is_wrong) rows.push_back(std::move(expected));
  }
  return rows;
}

/// Returns a value in few letters.
std::string short_text(const UnitSignal& signal, Payload value, const PacketTexts& texts) {
  if (signal.packet) return texts.brief(value);
  return fmt::format("{:x}", value);
}

/// Returns the numbers of the values where they change, for the script: "4=1;9=0".
std::string changes(const Row& row, std::uint64_t first, const PacketTexts& texts) {
  std::string text;
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    if (i != 0 && row.values[i] == row.values[i - 1]) continue;
    if (!text.empty()) text += ';';
    fmt::format_to(std::back_inserter(text), "{}={}", first + i,
                   row.values[i] ? value_text(*row.signal, *row.values[i], texts) : "-");
  }
  return text;
}

void draw_bit(std::string& out, const Row& row, int y) {
  std::string path;
  std::optional<int> before;
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const int x = kLabels + static_cast<int>(i) * kCycle;
    if (!row.values[i]) {
      before.reset();
      continue;
    }
    const int level = y + (*row.values[i] != 0 ? 0 : kHigh);
    path += before ? fmt::format("V{}", level) : fmt::format("M{} {}", x, level);
    path += fmt::format("H{}", x + kCycle);
    before = level;
  }
  if (!path.empty()) print(out, "<path class=\"line\" d=\"{}\"/>\n", path);
}

void draw_bus(std::string& out, const Row& row, int y, const PacketTexts& texts) {
  for (std::size_t i = 0; i < row.values.size();) {
    std::size_t end = i + 1;
    while (end < row.values.size() && row.values[end] == row.values[i]) ++end;
    if (row.values[i]) {
      const int x = kLabels + static_cast<int>(i) * kCycle;
      const int width = static_cast<int>(end - i) * kCycle;
      print(out,
            "<path class=\"line\" d=\"M{} {}l3 -{}h{}l3 {}l-3 {}h-{}z\"><title>{}</title></path>\n",
            x, y + kHigh / 2, kHigh / 2, width - 6, kHigh / 2, kHigh / 2, width - 6,
            escape_markup(value_text(*row.signal, *row.values[i], texts)));
      print(out, "<text class=\"value\" x=\"{}\" y=\"{}\">{}</text>\n", x + width / 2,
            y + kHigh - 3, escape_markup(short_text(*row.signal, *row.values[i], texts)));
    }
    i = end;
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

namespace {

/// Returns the packets that the first wrong signal is about: those that the reference has at its
/// place, and what was seen if it is a packet itself.
std::set<Payload> packets_in_question(const Recording& recording, const UnitCycle& cycle) {
  std::set<Payload> packets;
  const UnitSignal& wrong = recording.signals[recording.wrong->signal];
  for (std::size_t i = 0; i < recording.signals.size(); ++i) {
    const UnitSignal& signal = recording.signals[i];
    if (signal.packet && signal.place == wrong.place && cycle.expected[i]) {
      packets.insert(*cycle.expected[i]);
    }
  }
  if (wrong.packet) packets.insert(recording.wrong->seen);
  return packets;
}

}  // namespace

std::optional<std::uint64_t> offer_of_failure(const Recording& recording) {
  if (!recording.wrong) return std::nullopt;
  const std::vector<UnitCycle>& cycles = recording.cycles;
  std::size_t at = 0;
  while (at < cycles.size() && cycles[at].cycle < recording.wrong->cycle) ++at;
  if (at == cycles.size()) return std::nullopt;
  const std::set<Payload> packets = packets_in_question(recording, cycles[at]);
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

std::string wave_svg(const Recording& recording, const WaveRange& range) {
  const std::vector<const UnitCycle*> cycles = cycles_in(recording, range);
  const std::vector<Row> rows = rows_of(recording, cycles);
  const int width = kLabels + static_cast<int>(cycles.size()) * kCycle + 8;
  const int height = kTop + static_cast<int>(rows.size()) * kRow + 8;
  std::string out;
  print(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wave\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" data-first=\"{2}\" data-cycles=\"{3}\" role=\"img\" "
        "tabindex=\"0\" aria-label=\"Waves of {4}, cycles {2} to {5}\">\n",
        width, height, cycles.empty() ? 0 : cycles.front()->cycle, cycles.size(),
        escape_markup(recording.name), cycles.empty() ? 0 : cycles.back()->cycle);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    const int x = kLabels + static_cast<int>(i) * kCycle;
    if (cycles[i]->in_reset) {
      print(out,
            "<rect class=\"reset\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>in "
            "reset</title></rect>\n",
            x, kTop, kCycle, height - kTop);
    }
    print(out, "<path class=\"grid\" d=\"M{} {}V{}\"/>\n", x, kTop, height - 4);
    const bool is_wrong = recording.wrong && recording.wrong->cycle == cycles[i]->cycle;
    print(out, "<text class=\"cycle{}\" x=\"{}\" y=\"16\">{}</text>\n", is_wrong ? " bad" : "",
          x + kCycle / 2, cycles[i]->cycle);
  }
  int y = kTop + (kRow - kHigh) / 2;
  for (const Row& row : rows) {
    print(out, "<g class=\"row{}\" data-values=\"{}\">\n", row.expected ? " expected" : "",
          escape_markup(changes(row, cycles.front()->cycle, recording.texts)));
    const std::string label = row.expected ? "reference" : row.signal->label;
    print(out, "<text class=\"name\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>\n", kLabels - 8,
          y + kHigh - 2,
          escape_markup(label.size() <= 30 ? label : ".." + label.substr(label.size() - 28)),
          escape_markup(row.signal->label));
    for (std::size_t i = 0; i < row.wrong.size(); ++i) {
      if (!row.wrong[i]) continue;
      print(out, "<rect class=\"wrong\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
            kLabels + static_cast<int>(i) * kCycle, y - 4, kCycle, kRow - 2);
    }
    if (row.signal->bits == 1) {
      draw_bit(out, row, y);
    } else {
      draw_bus(out, row, y, recording.texts);
    }
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

std::string_view wave_style() {
  return R"(
.wave { display: block; }
.wave .line { fill: none; stroke: var(--text); stroke-width: 1.3; }
.wave .expected .line { stroke: var(--warn); }
.wave .grid { stroke: var(--line); stroke-width: 1; }
.wave .reset { fill: var(--empty); }
.wave .wrong { fill: var(--bad-soft); stroke: var(--bad); stroke-width: 1; }
.wave text { font: 11px "DejaVu Sans Mono", ui-monospace, monospace; fill: var(--text); }
.wave .name { text-anchor: end; }
.wave .expected text { fill: var(--warn); }
.wave .value, .wave .cycle { text-anchor: middle; }
.wave .cycle { fill: var(--dim); }
.wave .cycle.bad { fill: var(--bad); font-weight: 700; }
.wave .cursor { stroke: var(--link); stroke-width: 1.5; }
.wave:focus-visible { outline: 2px solid var(--link); }
.wave-tools { display: flex; gap: 8px; align-items: baseline; margin-bottom: 6px; flex-wrap: wrap; }
.wave-tools button { font: inherit; padding: 2px 10px; }
.wave-values { columns: 3 260px; font: 12px/1.6 "DejaVu Sans Mono", monospace; margin-top: 6px; }
.source { overflow-x: auto; font: 12px/1.55 "DejaVu Sans Mono", monospace; margin: 4px 0 14px; }
.source .hit { background: var(--bad-soft); }
.map .cell { fill: var(--empty); stroke: var(--line); }
.map .way { stroke: var(--bad); stroke-width: 3; fill: none; }
.map .channel { stroke: var(--line); stroke-width: 1.5; fill: none; }
.map .other { stroke: var(--link); stroke-width: 2; fill: none; }
.map .wrong-link { stroke: var(--bad); stroke-width: 5; fill: none; }
.map .other-head { fill: var(--link); }
.map .way-head, .map .wrong-link-head { fill: var(--bad); }
.map .end { fill: var(--bad-soft); stroke: var(--bad); }
.map text { font: 11px sans-serif; fill: var(--text); text-anchor: middle; }
)";
}

std::string_view wave_script() {
  // Neither "less than" nor "and", so that a page remains well-formed XML.
  return R"((() => {
  for (const wave of document.querySelectorAll('svg.wave')) {
    const first = Number(wave.dataset.first);
    const count = Number(wave.dataset.cycles);
    const width = Number(wave.getAttribute('width'));
    const height = Number(wave.getAttribute('height'));
    const labels = 210;
    const pitch = 34;
    const rows = [...wave.querySelectorAll('g.row')].map((row) => ({
      name: row.querySelector('.name').querySelector('title').textContent,
      expected: row.classList.contains('expected'),
      values: row.dataset.values.split(';').map((part) => {
        const at = part.indexOf('=');
        return [Number(part.slice(0, at)), part.slice(at + 1)];
      }),
    }));
    const tools = document.createElement('div');
    tools.className = 'wave-tools';
    const values = document.createElement('div');
    values.className = 'wave-values';
    values.setAttribute('aria-live', 'polite');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    line.setAttribute('class', 'cursor');
    wave.append(line);
    let zoom = 1;
    let cursor = 0;
    const scale = (to) => {
      zoom = Math.max(0.25, Math.min(4, to));
      wave.setAttribute('width', width * zoom);
      wave.setAttribute('height', height * zoom);
    };
    const show = (to) => {
      cursor = Math.max(0, Math.min(count - 1, to));
      const x = labels + (cursor + 0.5) * pitch;
      line.setAttribute('d', `M${x} 20V${height}`);
      const cycle = first + cursor;
      values.replaceChildren(...rows.map((row) => {
        const known = row.values.filter(([at]) => cycle >= at);
        const item = document.createElement('div');
        item.textContent = `${row.name}${row.expected ? ' (reference)' : ''} = ${known.length ? known[known.length - 1][1] : '-'}`;
        return item;
      }));
      label.textContent = `cycle ${cycle}`;
      const box = wave.parentElement;
      if (x * zoom > box.scrollLeft + box.clientWidth - pitch) box.scrollLeft = x * zoom - box.clientWidth / 2;
      if (box.scrollLeft + labels > x * zoom) box.scrollLeft = Math.max(0, x * zoom - box.clientWidth / 2);
    };
    const label = document.createElement('b');
    const button = (text, words, action) => {
      const one = document.createElement('button');
      one.type = 'button';
      one.textContent = text;
      one.title = words;
      one.onclick = action;
      return one;
    };
    tools.append(
      button('-', 'zoom out (-)', () => scale(zoom / 1.25)),
      button('+', 'zoom in (+)', () => scale(zoom * 1.25)),
      button('\u2039', 'cycle before (left)', () => show(cursor - 1)),
      button('\u203a', 'cycle behind (right)', () => show(cursor + 1)),
      label,
    );
    wave.parentElement.before(tools);
    wave.parentElement.after(values);
    wave.addEventListener('pointerdown', (event) => {
      const box = wave.getBoundingClientRect();
      show(Math.floor(((event.clientX - box.left) / zoom - labels) / pitch));
    });
    wave.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -count, End: count };
      if (event.key in steps) show(cursor + steps[event.key]);
      else if (event.key === '+') scale(zoom * 1.25);
      else if (event.key === '-') scale(zoom / 1.25);
      else return;
      event.preventDefault();
    });
    const bad = wave.querySelector('.cycle.bad');
    show(bad ? Number(bad.textContent) - first : 0);
  }
})();
)";
}

}  // namespace kernbench::sim
