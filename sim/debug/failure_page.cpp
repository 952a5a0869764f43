// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/failure_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <utility>

#include "common/description.hpp"
#include "common/markup.hpp"
#include "common/shell_quote.hpp"
#include "plot/html_text.hpp"
#include "sim/debug/unit_bench.hpp"
#include "sim/debug/wave_drawing.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/report_writer.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

using common::escape_markup;
using plot::print;
using plot::print_fact;

constexpr std::uint64_t kDrawnCycles = 48;
constexpr unsigned kContext = 3;  // lines of source before and behind a suspect
constexpr std::size_t kShownLines = 5;
constexpr std::size_t kMostPackets = 60;

/// Returns false for a finding of the structure check.
bool has_run(const Diagnosis& diagnosis) {
  return !diagnosis.recording.signals.empty();
}

/// Returns the lines of the text that say what happened.
std::string summary(const FailureReport& report) {
  std::string out;
  for (const std::string& line : diagnosis_text(report.diagnosis)) {
    print(out, "<p>{}</p>\n", escape_markup(line));
  }
  if (has_run(report.diagnosis)) return out;
  print(out, "<ul>\n");
  for (const Failure& failure : report.result.failures) {
    print(out, "<li>{} {}</li>\n", escape_markup(failure.kind), escape_markup(failure.message));
  }
  print(out, "</ul>\n");
  return out;
}

std::string source_of(const Suspect& suspect) {
  std::ifstream file(suspect.file);
  std::string out;
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    if (number + kContext < suspect.line) continue;
    const unsigned last = std::max(suspect.line, suspect.last_line);
    if (number > last + kContext) break;
    const bool is_hit = number >= suspect.line && number <= last;
    print(out, "<span{}>{:>5}  {}</span>\n", is_hit ? " class=\"hit\"" : "", number,
          escape_markup(line));
  }
  return out.empty() ? out : "<pre class=\"source\">" + out + "</pre>\n";
}

plot::ReportSection lines_section(const SuspectList& suspects) {
  std::string out;
  std::size_t number = 0;
  for (const Suspect& one : suspects.lines) {
    if (++number > kShownLines) break;
    constexpr std::array<const char*, 4> kMissing = {
        "", "; a right line would read one more signal",
        "; a right line would read two more signals", "; a right line would read more signals"};
    print(
        out, "<h3>{}. {}</h3>\n<p class=\"dim\">{}{}</p>\n", number, escape_markup(place_text(one)),
        escape_markup(!one.finding.empty()
                          ? one.finding
                          : fmt::format("drives {}{}{}", one.signal,
                                        one.instance.empty() ? "" : " of " + one.instance,
                                        one.explains ? ", which explains all that is wrong" : "")),
        one.finding.empty() ? kMissing.at(std::min(one.missing, 3U)) : "");
    out += source_of(one);
  }
  if (suspects.lines.empty() && !suspects.why_not.empty()) {
    print(out, "<p>{}</p>\n", escape_markup(suspects.why_not));
  }
  return {"Lines that may be at fault", out};
}

plot::ReportSection wave_section(const std::string& heading, const std::string& about,
                                 const Recording& recording, std::uint64_t most) {
  if (recording.cycles.empty()) return {heading, ""};
  const std::string svg = wave_svg(recording, range_around(recording, most));
  return {heading, fmt::format("<p class=\"dim\">{}</p>\n", escape_markup(about)) +
                       plot::scroll_box(heading, svg)};
}

/// Draws the grid with the unit of the failure.
std::string grid_svg(const Diagnosis& diagnosis) {
  const maze::Shape& shape = diagnosis.config.shape;
  const topology::MazeLinks links(shape.nx, shape.ny);
  constexpr int kPitch = 46;
  std::string out;
  print(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"Place of the failure on the grid\">\n",
        shape.nx * kPitch + 8, shape.ny * kPitch + 8);
  const auto centre = [&](unsigned node) {
    return std::pair(static_cast<int>(node % shape.nx) * kPitch + kPitch / 2,
                     static_cast<int>(node / shape.nx) * kPitch + kPitch / 2);
  };
  const Unit& unit = diagnosis.recording.unit;
  std::vector<unsigned> ends{unit.at.node};
  if (unit.kind == Unit::Kind::Link) {
    ends.push_back(links.leaving(unit.at.node, unit.at.port).to.node);
  }
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    const auto [x, y] = centre(node);
    const bool is_end = std::find(ends.begin(), ends.end(), node) != ends.end();
    print(out,
          "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"32\" height=\"24\" rx=\"4\"/>\n"
          "<text x=\"{}\" y=\"{}\">{},{}</text>\n",
          is_end ? "end" : "cell", x - 16, y - 12, x, y + 4, node / shape.nx, node % shape.nx);
  }
  if (ends.size() == 2) {
    const auto [x0, y0] = centre(ends[0]);
    const auto [x1, y1] = centre(ends[1]);
    const int bend = y0 == y1 ? 20 : 0;
    print(out, "<path class=\"way\" d=\"M{} {}Q{} {} {} {}\"/>\n", x0, y0 - (bend != 0 ? 12 : 0),
          (x0 + x1) / 2 + (bend == 0 ? 24 : 0), (y0 + y1) / 2 - bend - 6, x1,
          y1 - (bend != 0 ? 12 : 0));
  }
  return out + "</svg>\n";
}

plot::ReportSection place_section(const Diagnosis& diagnosis) {
  if (diagnosis.recording.unit.kind != Unit::Kind::Links) {
    return {"Place on the grid", plot::scroll_box("Grid", grid_svg(diagnosis))};
  }
  return {"Ways of the packets", plot::scroll_box("Network", diagnosis.way)};
}

/// Lists the packets of a recording at the ports of the unit, cycle by cycle.
std::string packet_table(const Recording& recording) {
  std::string out = fmt::format(
      "<table class=\"rows\">\n<thead><tr><th class=\"n\">cycle</th><th>port</th>"
      "<th>{}</th></tr></thead>\n<tbody>\n",
      recording.texts.noun);
  std::size_t rows = 0;
  for (const UnitCycle& cycle : recording.cycles) {
    if (cycle.in_reset) continue;
    for (const PacketPort& port : recording.packet_ports) {
      if (rows == kMostPackets) break;
      if (cycle.seen[port.valid] == 0 || (port.ready && cycle.seen[*port.ready] == 0)) continue;
      print(out, "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n", cycle.cycle,
            escape_markup(recording.signals[port.packet].label),
            escape_markup(recording.texts.whole(cycle.seen[port.packet])));
      ++rows;
    }
  }
  return rows == 0 ? "" : plot::scroll_box("Packets", out + "</tbody>\n</table>\n");
}

plot::ReportSection checkers_section(const CaseResult& result) {
  std::string out =
      "<table class=\"rows\">\n<thead><tr><th>checker</th><th class=\"n\">comparisons</th>"
      "<th class=\"n\">failures</th></tr></thead>\n<tbody>\n";
  for (const CheckerResult& one : result.checkers) {
    print(out, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
          escape_markup(one.name), grouped(one.checks), grouped(one.failures));
  }
  return {"Checkers that saw it, and those that did not", out + "</tbody>\n</table>\n"};
}

/// Returns commands, each with its name.
std::vector<std::pair<const char*, std::string>> commands_of(const FailureReport& report) {
  const std::string folder = report.folder + "/";
  std::vector<std::pair<const char*, std::string>> commands{{"repeat", report.diagnosis.command}};
  if (!has_run(report.diagnosis)) return commands;
  commands.emplace_back("view", "gtkwave " + common::shell_quote(folder + "window.gtkw"));
  const bool can_shrink = !report.words.empty() && report.words.front() == "sim";
  if (!report.diagnosis.shrunk || !can_shrink) return commands;
  commands.emplace_back("shrink further",
                        "kernbench shrink " + common::shell_quote(folder + "failure.json"));
  if (!report.suite_command.empty()) {
    commands.emplace_back("run the shrunk case", report.suite_command);
  }
  return commands;
}

plot::ReportSection commands_section(const FailureReport& report) {
  std::string out;
  for (const auto& [name, command] : commands_of(report)) {
    print(out,
          "<div class=\"copy\"><span class=\"dim\">{}</span><code class=\"command\">{}</code>"
          "<button type=\"button\" hidden=\"hidden\">copy</button></div>\n",
          name, escape_markup(command));
  }
  return {"Commands", out};
}

/// The members of failure.json.
struct FailureData {
  const FailureReport& report;
};

struct SignalRow {
  std::string unit;
  std::string instance;
  std::string signal;
  std::uint64_t cycle = 0;
  std::string seen;
  std::string expected;
  std::string history;
};

std::optional<SignalRow> signal_row(const Recording& recording) {
  if (!recording.wrong) return std::nullopt;
  const FirstWrong& wrong = *recording.wrong;
  const UnitSignal& signal = recording.signals[wrong.signal];
  return SignalRow{recording.name,
                   recording.instance,
                   signal.label,
                   wrong.cycle,
                   value_text(signal, wrong.seen, recording.texts),
                   value_text(signal, wrong.expected, recording.texts),
                   recording.history ? recording.history->text() : ""};
}

struct ShrunkRow {
  std::size_t packets = 0;
  std::size_t stalls = 0;
  std::size_t resets = 0;
  std::uint64_t cycles = 0;
  unsigned trials = 0;
  bool ended = true;
  std::optional<SignalRow> first_wrong;
};

std::optional<ShrunkRow> shrunk_row(const FailureData& data) {
  if (!data.report.diagnosis.shrunk) return std::nullopt;
  const ShrunkCase& one = *data.report.diagnosis.shrunk;
  const Script& script = one.script.script;
  return ShrunkRow{
      script.packets.size(), script.stalls.size(), script.resets.size(),     script.cycles,
      one.script.trials,     one.script.ended,     signal_row(one.recording)};
}

}  // namespace
}  // namespace kernbench::sim

namespace kernbench::common {

template <>
const Description<sim::Suspect>& description_of() {
  static const auto kAll =
      Description<sim::Suspect>()
          .add("file", &sim::Suspect::file)
          .add("line", &sim::Suspect::line)
          .add("last_line", &sim::Suspect::last_line,
               "of a statement that goes on behind its line; else 0")
          .add("instance", &sim::Suspect::instance, "below the unit; empty for the unit itself")
          .add("signal", &sim::Suspect::signal, "driven by the line")
          .add("finding", &sim::Suspect::finding, "words of the structure check; else empty")
          .add("explains", &sim::Suspect::explains,
               "whether another value of the signal makes all transitions right")
          .add("missing", &sim::Suspect::missing,
               "signals that the line would have to read besides its own; 3 for more");
  return kAll;
}

template <>
const Description<sim::SignalRow>& description_of() {
  static const auto kAll =
      Description<sim::SignalRow>()
          .add("unit", &sim::SignalRow::unit, "the link or node")
          .add("instance", &sim::SignalRow::instance,
               "its path in the RTL; empty if the RTL has other names")
          .add("signal", &sim::SignalRow::signal, "register or port")
          .add("cycle", &sim::SignalRow::cycle, "first cycle in which it is wrong")
          .add("seen", &sim::SignalRow::seen)
          .add("expected", &sim::SignalRow::expected, "value of the reference")
          .add("history", &sim::SignalRow::history, "what led to it, a sentence");
  return kAll;
}

template <>
const Description<sim::ShrunkRow>& description_of() {
  static const auto kAll =
      Description<sim::ShrunkRow>()
          .add("packets", &sim::ShrunkRow::packets)
          .add("stalls", &sim::ShrunkRow::stalls)
          .add("resets", &sim::ShrunkRow::resets, "besides the one at the start")
          .add("cycles", &sim::ShrunkRow::cycles, "in which packets may start")
          .add("trials", &sim::ShrunkRow::trials)
          .add("ended", &sim::ShrunkRow::ended,
               "false if a limit ended the search, so that less may do")
          .add("first_wrong", &sim::ShrunkRow::first_wrong)
          .or_null();
  return kAll;
}

template <>
const Description<sim::FailureData>& description_of() {
  static const auto kAll =
      Description<sim::FailureData>()
          .add("design", [](const auto& data) { return data.report.dut; })
          .add("suite", [](const auto& data) { return data.report.diagnosis.suite; })
          .add("checker", [](const auto& data) { return data.report.diagnosis.failure.checker; })
          .add("kind", [](const auto& data) { return data.report.diagnosis.failure.kind; })
          .add(
              "cycle", [](const auto& data) { return data.report.diagnosis.failure.cycle; },
              "of detection")
          .add("message", [](const auto& data) { return data.report.diagnosis.failure.message; })
          .add(
              "first_wrong",
              [](const auto& data) {
                const sim::Diagnosis& diagnosis = data.report.diagnosis;
                const auto inside =
                    diagnosis.node ? sim::signal_row(*diagnosis.node) : std::nullopt;
                return inside ? inside : sim::signal_row(diagnosis.recording);
              },
              "null if no register or port of the unit differs")
          .or_null()
          .add(
              "lines", [](const auto& data) { return data.report.diagnosis.suspects.lines; },
              "of the RTL, the likeliest first")
          .add(
              "no_lines", [](const auto& data) { return data.report.diagnosis.suspects.why_not; },
              "why there are none; else empty")
          .add("shrunk", sim::shrunk_row, "smallest run that fails for the same reason")
          .or_null()
          .add(
              "not_shrunk", [](const auto& data) { return data.report.diagnosis.why_not_shrunk; },
              "why there is none; else empty")
          .add(
              "model_hash", [](const auto& data) { return data.report.model_hash; },
              "model on which it failed")
          .add(
              "words", [](const auto& data) { return data.report.words; },
              "command that runs the case again, word by word");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {

const plot::ReportKind kFailureReport = {
    .name = "failure",
    .command = "sim",
    .about = "A failure of the RTL, and what is known of its cause",
    .envelope = {.grade = false, .seed = true},
    .form = common::form_of<FailureData>,
    .has_own_page = true};

nlohmann::json failure_data(const FailureReport& report) {
  return common::to_json(FailureData{report});
}

std::string failure_page(const FailureReport& report, const common::ReportEnvelope& envelope) {
  const Diagnosis& diagnosis = report.diagnosis;
  plot::ReportPage page(
      fmt::format("{}: {} {}", diagnosis.suite, diagnosis.failure.checker, diagnosis.failure.kind),
      wave_style());
  std::string header;
  print(header, "<div class=\"title\">{}<h1>{}, {} seed {}</h1></div>\n<p>{}</p>\n",
        plot::outcome_badge(report.result.outcome), escape_markup(report.title),
        escape_markup(diagnosis.suite), diagnosis.seed,
        escape_markup(fmt::format(
            "{}{} {}: {}",
            has_run(diagnosis) ? fmt::format("Cycle {}: ", grouped(diagnosis.failure.cycle)) : "",
            diagnosis.failure.checker, diagnosis.failure.kind, diagnosis.failure.message)));
  print(header, "<dl class=\"facts\">\n");
  print_fact(header, "revision", envelope.revision);
  print_fact(header, "model hash", report.model_hash);
  print(header, "</dl>\n");
  page.header(header, false);
  page.add({"What led to it", summary(report)});
  page.add(lines_section(diagnosis.suspects));
  if (diagnosis.shrunk) {
    page.add(wave_section("The shrunk case",
                          "The smallest run that fails for the same reason. What the reference has "
                          "stands below each signal that differs.",
                          diagnosis.shrunk->recording, kDrawnCycles));
  }
  page.add(wave_section("The case as it ran", "The cycles around the first wrong signal.",
                        diagnosis.recording, kDrawnCycles));
  if (diagnosis.node) {
    page.add(wave_section("Inside " + diagnosis.node->name,
                          "The registers of the node that is wrong first.", *diagnosis.node,
                          kDrawnCycles));
  }
  if (has_run(diagnosis)) {
    const Recording& shown = diagnosis.shrunk ? diagnosis.shrunk->recording : diagnosis.recording;
    page.add_columns(
        {place_section(diagnosis), checkers_section(report.result)},
        {{shown.unit.kind == Unit::Kind::Links ? "Flits that moved" : "Packets that moved",
          packet_table(shown)}});
  }
  page.add(commands_section(report));
  page.add_script(wave_script());
  page.footer(
      fmt::format("<p>Every number: <a href=\"failure.json\">failure.json</a>.{}</p>",
                  has_run(diagnosis) ? " Waves: <a href=\"window.vcd\">window.vcd</a>." : ""));
  return std::move(page).finish();
}

std::vector<std::string> write_failure(const FailureReport& report,
                                       common::ReportEnvelope envelope) {
  const Diagnosis& diagnosis = report.diagnosis;
  envelope.kind = kFailureReport.name;
  envelope.seed = diagnosis.seed;
  envelope.command = diagnosis.command;
  envelope.outcome = report.result.outcome;
  envelope.data = failure_data(report);
  std::vector<std::pair<const char*, std::string>> files{
      {"failure.html", failure_page(report, envelope)},
      {"failure.json", common::render_report(envelope)}};
  if (has_run(diagnosis)) {
    files.emplace_back("window.vcd", wave_vcd(diagnosis.recording));
    files.emplace_back("window.gtkw",
                       wave_setup(diagnosis.recording, report.folder + "/window.vcd"));
  }
  if (diagnosis.shrunk) {
    const ShrunkCase& shrunk = *diagnosis.shrunk;
    if (shrunk.pins_are_exact) {
      common::ReportEnvelope pins = envelope;
      pins.kind = kPinTraceKind;
      pins.data = common::to_json(shrunk.pins);
      files.emplace_back("pins.json", common::render_report(pins));
    }
    const Unit::Kind kind = shrunk.recording.unit.kind;
    if (kind == Unit::Kind::Link || kind == Unit::Kind::Node) {
      const std::string bench = unit_bench(shrunk.recording, diagnosis.config);
      if (!bench.empty()) files.emplace_back("bench.sv", bench);
    }
    files.emplace_back(kSuiteFile, shrunk.regression);
  }
  return write_files(report.folder, files);
}

}  // namespace kernbench::sim
