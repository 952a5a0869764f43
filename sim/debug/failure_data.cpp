// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/failure_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "common/description.hpp"
#include "common/shell_quote.hpp"
#include "sim/debug/failure_page.hpp"

namespace kernbench::sim {
namespace {

constexpr unsigned kContext = 3;  // lines of source before and behind a suspect
constexpr std::size_t kShownLines = 5;
constexpr std::size_t kMostPackets = 300;

/// Returns false for a finding of the structure check.
bool has_run(const Diagnosis& diagnosis) {
  return !diagnosis.recording.signals.empty();
}

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

/// Returns the first wrong signal inside a node of a network, or else that of the recorded unit.
std::optional<SignalRow> first_wrong(const Diagnosis& diagnosis) {
  const auto inside = diagnosis.node ? signal_row(*diagnosis.node) : std::nullopt;
  return inside ? inside : signal_row(diagnosis.recording);
}

std::optional<ShrunkRow> shrunk_row(const std::optional<ShrunkCase>& shrunk) {
  if (!shrunk) return std::nullopt;
  const Script& script = shrunk->script.script;
  return ShrunkRow{
      script.packets.size(), script.stalls.size(), script.resets.size(),         script.cycles,
      shrunk->script.trials, shrunk->script.ended, signal_row(shrunk->recording)};
}

/// Reads the lines around a suspect.
void read_source(LineRow& row) {
  std::ifstream file(row.suspect.file);
  const unsigned last = std::max(row.suspect.line, row.suspect.last_line);
  std::string line;
  for (unsigned number = 1; number <= last + kContext && std::getline(file, line); ++number) {
    if (number + kContext < row.suspect.line) continue;
    if (row.source.empty()) row.from = number;
    std::string shown;
    for (const char c : line) shown += c == '\t' ? "    " : std::string(1, c);
    row.source.push_back(std::move(shown));
  }
}

std::vector<LineRow> line_rows(const std::vector<Suspect>& suspects) {
  std::vector<LineRow> rows;
  for (const Suspect& one : suspects) {
    LineRow row{one, place_text(one)};
    if (rows.size() < kShownLines) read_source(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<WaveView> wave_of(const Recording& recording) {
  if (recording.cycles.empty()) return std::nullopt;
  return wave_view(recording, range_around(recording, kDrawnCycles));
}

WaysData ways_of(const Diagnosis& diagnosis) {
  WaysData ways{diagnosis.map, diagnosis.recording.texts.noun, diagnosis.packets};
  if (ways.packets.size() > kMostPackets) {
    ways.left_out = ways.packets.size() - kMostPackets;
    ways.packets.resize(kMostPackets);
  }
  return ways;
}

std::vector<CommandRow> commands_of(const FailureReport& report) {
  const std::string folder = report.folder + "/";
  std::vector<CommandRow> commands{
      {"in the folder", "cd " + common::shell_quote(std::filesystem::current_path().string())},
      {"repeat", report.diagnosis.command}};
  if (!has_run(report.diagnosis)) return commands;
  commands.push_back({"view", "gtkwave " + common::shell_quote(folder + "window.gtkw")});
  const bool can_shrink = !report.words.empty() && report.words.front() == "sim";
  if (!report.diagnosis.shrunk || !can_shrink) return commands;
  commands.push_back(
      {"shrink further", "kernbench shrink " + common::shell_quote(folder + "failure.json")});
  if (!report.suite_command.empty()) {
    commands.push_back({"run the shrunk case", report.suite_command});
  }
  return commands;
}

}  // namespace

FailureData failure_data(const FailureReport& report) {
  const Diagnosis& diagnosis = report.diagnosis;
  FailureData data{.title = report.title,
                   .design = report.dut,
                   .suite = diagnosis.suite,
                   .checker = diagnosis.failure.checker,
                   .kind = diagnosis.failure.kind,
                   .cycle = diagnosis.failure.cycle,
                   .message = diagnosis.failure.message,
                   .cause = diagnosis_text(diagnosis),
                   .first_wrong = first_wrong(diagnosis),
                   .lines = line_rows(diagnosis.suspects.lines),
                   .no_lines = diagnosis.suspects.why_not,
                   .shrunk = shrunk_row(diagnosis.shrunk),
                   .not_shrunk = diagnosis.why_not_shrunk,
                   .wave = wave_of(diagnosis.recording),
                   .commands = commands_of(report),
                   .model_hash = report.model_hash,
                   .words = report.words};
  if (!has_run(diagnosis)) {
    for (const Failure& failure : report.result.failures) {
      data.findings.push_back(fmt::format("{} {}", failure.kind, failure.message));
    }
    return data;
  }
  if (diagnosis.shrunk) data.shrunk_wave = wave_of(diagnosis.shrunk->recording);
  if (diagnosis.node) data.node_wave = wave_of(*diagnosis.node);
  data.ways = ways_of(diagnosis);
  for (const CheckerResult& one : report.result.checkers) {
    data.checkers.push_back({one.name, one.checks, one.failures});
  }
  return data;
}

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
               "signals that the line would have to read besides its own; 3 for more")
          .add("could_read", &sim::Suspect::could_read,
               "where one signal is missing: each of these would do")
          .optional();
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
const Description<sim::LineRow>& description_of() {
  static const auto kAll =
      Description<sim::LineRow>()
          .add_members(&sim::LineRow::suspect)
          .add("place", &sim::LineRow::place, "file and lines, as texts name them")
          .add("from", &sim::LineRow::from, "number of the first line of `source`")
          .add("source", &sim::LineRow::source,
               "lines around it; empty for a line behind the fifth");
  return kAll;
}

template <>
const Description<sim::WaveValue>& description_of() {
  static const auto kAll =
      Description<sim::WaveValue>()
          .add("cycle", &sim::WaveValue::cycle, "from which on it has the value")
          .add("text", &sim::WaveValue::text, "empty where nothing is known")
          .add("brief", &sim::WaveValue::brief, "the same in few letters");
  return kAll;
}

template <>
const Description<sim::WaveRow>& description_of() {
  static const auto kAll =
      Description<sim::WaveRow>()
          .add("name", &sim::WaveRow::name)
          .add("expected", &sim::WaveRow::expected, "values of the reference")
          .add("is_bit", &sim::WaveRow::is_bit)
          .add("wrong", &sim::WaveRow::wrong, "cycles in which it differs from the reference")
          .add("values", &sim::WaveRow::values);
  return kAll;
}

template <>
const Description<sim::WaveView>& description_of() {
  static const auto kAll =
      Description<sim::WaveView>()
          .add("unit", &sim::WaveView::unit)
          .add("first", &sim::WaveView::first, "its first cycle")
          .add("cycles", &sim::WaveView::cycles)
          .at_most(1000)
          .add("resets", &sim::WaveView::resets, "cycles in reset")
          .add("wrong", &sim::WaveView::wrong, "cycle of the first wrong signal")
          .or_null()
          .add("rows", &sim::WaveView::rows);
  return kAll;
}

template <>
const Description<sim::MapNode>& description_of() {
  static const auto kAll = Description<sim::MapNode>()
                               .add("place", &sim::MapNode::place)
                               .add("name", &sim::MapNode::name, "inside the node")
                               .add("x", &sim::MapNode::x, "of its centre, in pixels")
                               .add("y", &sim::MapNode::y)
                               .add("wrong", &sim::MapNode::wrong);
  return kAll;
}

template <>
const Description<sim::MapLink>& description_of() {
  static const auto kAll = Description<sim::MapLink>()
                               .add("place", &sim::MapLink::place)
                               .add("role", &sim::MapLink::role)
                               .one_of({"channel", "other", "way", "wrong-link"})
                               .add("path", &sim::MapLink::path, "of an SVG, from its source on")
                               .add("head", &sim::MapLink::head, "its arrow; empty without one");
  return kAll;
}

template <>
const Description<sim::WayMap>& description_of() {
  static const auto kAll = Description<sim::WayMap>()
                               .add("label", &sim::WayMap::label)
                               .add("width", &sim::WayMap::width)
                               .add("height", &sim::WayMap::height)
                               .add("nodes", &sim::WayMap::nodes)
                               .add("links", &sim::WayMap::links)
                               .add("words", &sim::WayMap::words, "meaning of the colours");
  return kAll;
}

template <>
const Description<sim::MapStay>& description_of() {
  static const auto kAll = Description<sim::MapStay>()
                               .add("place", &sim::MapStay::place, "a node or link")
                               .add("first", &sim::MapStay::first, "its first cycle there")
                               .add("last", &sim::MapStay::last);
  return kAll;
}

template <>
const Description<sim::MapPacket>& description_of() {
  static const auto kAll =
      Description<sim::MapPacket>()
          .add("text", &sim::MapPacket::text)
          .add("wrong", &sim::MapPacket::wrong, "whether the first wrong signal is about it")
          .add("stays", &sim::MapPacket::stays);
  return kAll;
}

template <>
const Description<sim::WaysData>& description_of() {
  static const auto kAll = Description<sim::WaysData>()
                               .add("map", &sim::WaysData::map)
                               .add("noun", &sim::WaysData::noun, "thing that moves")
                               .add("packets", &sim::WaysData::packets)
                               .add("left_out", &sim::WaysData::left_out, "packets beyond those");
  return kAll;
}

template <>
const Description<sim::CheckerCount>& description_of() {
  static const auto kAll = Description<sim::CheckerCount>()
                               .add("name", &sim::CheckerCount::name)
                               .add("checks", &sim::CheckerCount::checks, "comparisons")
                               .add("failures", &sim::CheckerCount::failures);
  return kAll;
}

template <>
const Description<sim::CommandRow>& description_of() {
  static const auto kAll = Description<sim::CommandRow>()
                               .add("name", &sim::CommandRow::name)
                               .add("command", &sim::CommandRow::command);
  return kAll;
}

template <>
const Description<sim::FailureData>& description_of() {
  static const auto kAll =
      Description<sim::FailureData>()
          .add("title", &sim::FailureData::title, "design and size")
          .add("design", &sim::FailureData::design)
          .add("suite", &sim::FailureData::suite)
          .add("checker", &sim::FailureData::checker)
          .add("kind", &sim::FailureData::kind)
          .add("cycle", &sim::FailureData::cycle, "of detection")
          .add("message", &sim::FailureData::message)
          .add("cause", &sim::FailureData::cause, "what is known of it, a sentence each")
          .add("findings", &sim::FailureData::findings, "of the structure check; else empty")
          .add("first_wrong", &sim::FailureData::first_wrong,
               "null if no register or port of the unit differs")
          .or_null()
          .add("lines", &sim::FailureData::lines, "of the RTL, the likeliest first")
          .add("no_lines", &sim::FailureData::no_lines, "why there are none; else empty")
          .add("shrunk", &sim::FailureData::shrunk, "smallest run that fails for the same reason")
          .or_null()
          .add("not_shrunk", &sim::FailureData::not_shrunk, "why there is none; else empty")
          .add("shrunk_wave", &sim::FailureData::shrunk_wave,
               "cycles of that run around its failure")
          .or_null()
          .add("wave", &sim::FailureData::wave, "cycles of the case as it ran")
          .or_null()
          .add("node_wave", &sim::FailureData::node_wave,
               "the same cycles inside the node of a network of routers that is wrong first")
          .or_null()
          .add("ways", &sim::FailureData::ways,
               "packets in the cycles of the first wave; null for a finding of the structure check")
          .or_null()
          .add("checkers", &sim::FailureData::checkers)
          .add("commands", &sim::FailureData::commands)
          .add("model_hash", &sim::FailureData::model_hash, "model on which it failed")
          .add("words", &sim::FailureData::words, "command that runs the case again, word by word");
  return kAll;
}

}  // namespace kernbench::common
