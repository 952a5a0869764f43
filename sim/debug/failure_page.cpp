// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/failure_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/description.hpp"
#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "sim/debug/failure_assets.hpp"
#include "sim/debug/unit_bench.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/report_writer.hpp"

namespace kernbench::sim {
namespace {

using common::escape_markup;
using plot::print;
using plot::print_fact;

/// Returns the lines of the text that say what happened.
std::string summary(const FailureData& data) {
  std::string out;
  for (const std::string& line : data.cause) print(out, "<p>{}</p>\n", escape_markup(line));
  if (data.findings.empty()) return out;
  print(out, "<ul>\n");
  for (const std::string& one : data.findings) print(out, "<li>{}</li>\n", escape_markup(one));
  print(out, "</ul>\n");
  return out;
}

unsigned last_of(const Suspect& one) {
  return std::max(one.line, one.last_line);
}

/// Returns by row the row whose lines of source show it: itself, or one above that has its lines.
std::vector<std::size_t> blocks_of(const std::vector<LineRow>& rows) {
  std::vector<std::size_t> blocks;
  for (const LineRow& row : rows) {
    const Suspect& one = row.suspect;
    std::size_t block = 0;
    const auto shows = [&](const LineRow& above) {
      return blocks[block] == block && above.suspect.file == one.file && one.line >= above.from &&
             last_of(one) < above.from + above.source.size();
    };
    while (block < blocks.size() && !shows(rows[block])) ++block;
    blocks.push_back(block);
  }
  return blocks;
}

/// Returns the lines of a block, in which all its rows are marked.
std::string source_of(const std::vector<LineRow>& rows, const std::vector<std::size_t>& blocks,
                      std::size_t at) {
  const LineRow& row = rows[at];
  std::string out;
  unsigned number = row.from;
  for (const std::string& line : row.source) {
    bool is_hit = false;
    for (std::size_t i = at; i < rows.size(); ++i) {
      const Suspect& one = rows[i].suspect;
      is_hit = is_hit || (blocks[i] == at && number >= one.line && number <= last_of(one));
    }
    print(out, "<span{}>{:>5}  {}</span>\n", is_hit ? " class=\"hit\"" : "", number,
          escape_markup(line));
    ++number;
  }
  return out.empty() ? out : "<pre class=\"source\">" + out + "</pre>\n";
}

/// Returns what a right line would read besides what it reads, such as "; a right line would also
/// read done_q or or_x".
std::string missing_text(const Suspect& one) {
  constexpr std::size_t kMostNames = 4;
  if (one.missing == 0) return "";
  if (one.missing == 2) return "; a right line would read two more signals";
  if (one.missing > 2) return "; a right line would read more signals";
  const std::vector<std::string>& names = one.could_read;
  if (names.empty() || names.size() > kMostNames)
    return "; a right line would read one more signal";
  return fmt::format("; a right line would also read {}", fmt::join(names, " or "));
}

plot::ReportSection lines_section(const FailureData& data) {
  const std::vector<std::size_t> blocks = blocks_of(data.lines);
  std::string out;
  for (std::size_t i = 0; i < data.lines.size(); ++i) {
    const LineRow& row = data.lines[i];
    if (row.source.empty() && i != 0) break;
    const Suspect& one = row.suspect;
    const std::string finding =
        !one.finding.empty()
            ? one.finding
            : fmt::format(
                  "drives {}{}{}{}", one.signal, one.instance.empty() ? "" : " of " + one.instance,
                  one.explains ? ", which explains all that is wrong" : "", missing_text(one));
    const bool own = blocks[i] == i;
    print(out, "<h3>{}. {}</h3>\n<p class=\"dim\">{}{}</p>\n", i + 1, escape_markup(row.place),
          escape_markup(finding),
          own ? "" : fmt::format("; marked in the lines of {}", blocks[i] + 1));
    if (own) out += source_of(data.lines, blocks, i);
  }
  if (data.lines.empty() && !data.no_lines.empty()) {
    print(out, "<p>{}</p>\n", escape_markup(data.no_lines));
  }
  return {"Lines that may be at fault", out};
}

plot::ReportSection wave_section(const std::string& heading, const std::string& about,
                                 const std::optional<WaveView>& view) {
  if (!view) return {heading, ""};
  return {heading, fmt::format("<p class=\"dim\">{}</p>\n", escape_markup(about)) +
                       plot::scroll_box(heading, wave_svg(*view))};
}

plot::ReportSection map_section(const WaysData& ways) {
  const std::string about =
      fmt::format("{} {}s in the cycle of the cursor, by their numbers, where they were seen last.",
                  ways.map.words, ways.noun == "flit" ? "Flit" : "Packet");
  return {"Ways of the packets",
          plot::scroll_box("Map", way_svg(ways.map)) +
              fmt::format("<p class=\"dim\">{}</p>\n", escape_markup(about))};
}

/// Lists where each packet was. The script of the page reads it to draw them on the map.
std::string ways_table(const WaysData& ways) {
  if (ways.packets.empty()) return {};
  std::string out = fmt::format(
      "<table class=\"rows ways\">\n<thead><tr><th class=\"n\">no.</th><th>{}</th>"
      "<th>cycles and places</th></tr></thead>\n<tbody>\n",
      ways.noun);
  std::size_t number = 0;
  for (const MapPacket& packet : ways.packets) {
    print(out, "<tr{}><td class=\"n\">{}</td><td>{}</td><td>",
          packet.wrong ? " class=\"wrong\"" : "", ++number, escape_markup(packet.text));
    for (const MapStay& stay : packet.stays) {
      const std::string cycles = stay.first == stay.last
                                     ? std::to_string(stay.first)
                                     : fmt::format("{}-{}", stay.first, stay.last);
      print(out, "<span data-place=\"{0}\" data-first=\"{1}\" data-last=\"{2}\">{3}: {0}</span> ",
            escape_markup(stay.place), stay.first, stay.last, cycles);
    }
    print(out, "</td></tr>\n");
  }
  out = plot::scroll_box("Ways", out + "</tbody>\n</table>\n");
  if (ways.left_out != 0) {
    print(out, "<p class=\"dim\">{} more of these cycles are not listed.</p>\n",
          grouped(ways.left_out));
  }
  return out;
}

plot::ReportSection checkers_section(const FailureData& data) {
  std::string out =
      "<table class=\"rows\">\n<thead><tr><th>checker</th><th class=\"n\">comparisons</th>"
      "<th class=\"n\">failures</th></tr></thead>\n<tbody>\n";
  for (const CheckerCount& one : data.checkers) {
    print(out, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
          escape_markup(one.name), grouped(one.checks), grouped(one.failures));
  }
  return {"Checkers that saw it, and those that did not", out + "</tbody>\n</table>\n"};
}

plot::ReportSection commands_section(const FailureData& data) {
  std::string out;
  for (const auto& [name, command] : data.commands) {
    print(out,
          "<div class=\"copy\"><span class=\"dim\">{}</span><code class=\"command\">{}</code>"
          "<button type=\"button\" hidden=\"hidden\">copy</button></div>\n",
          escape_markup(name), escape_markup(command));
  }
  return {"Commands", out};
}

}  // namespace

const plot::ReportKind kFailureReport = {
    .name = "failure",
    .command = "sim",
    .about = "A failure of the RTL, and what is known of its cause",
    .envelope = {.grade = false, .seed = true},
    .form = common::form_of<FailureData>,
    .page = failure_page};

std::string failure_page(const common::ReportEnvelope& report, const std::string& file) {
  const auto data = common::value_of<FailureData>(report.data, file);
  plot::ReportPage page(fmt::format("{}: {} {}", data.suite, data.checker, data.kind),
                        failure_style());
  std::string header;
  print(header, "<div class=\"title\">{}<h1>{}, {} seed {}</h1></div>\n<p>{}</p>\n",
        plot::outcome_badge(report.outcome), escape_markup(data.title), escape_markup(data.suite),
        report.seed.value_or(0),
        escape_markup(fmt::format("{}{} {}: {}",
                                  data.wave ? fmt::format("Cycle {}: ", grouped(data.cycle)) : "",
                                  data.checker, data.kind, data.message)));
  print(header, "<dl class=\"facts\">\n");
  print_fact(header, "revision", report.revision);
  print_fact(header, "model hash", data.model_hash);
  print(header, "</dl>\n");
  page.header(header, false);
  page.add({"What led to it", summary(data)});
  page.add(lines_section(data));
  page.add(wave_section("The shrunk case",
                        "The smallest run that fails for the same reason. What the reference has "
                        "stands below each signal that differs.",
                        data.shrunk_wave));
  if (data.ways && data.shrunk_wave) {
    page.add_columns({map_section(*data.ways)}, {{"Where they were", ways_table(*data.ways)}});
  }
  page.add(
      wave_section("The case as it ran", "The cycles around the first wrong signal.", data.wave));
  if (data.node_wave) {
    page.add(wave_section("Inside " + data.node_wave->unit,
                          "The registers of the node that is wrong first.", data.node_wave));
  }
  if (data.ways && !data.shrunk_wave) {
    page.add_columns({map_section(*data.ways)}, {{"Where they were", ways_table(*data.ways)}});
  }
  if (data.ways) page.add(checkers_section(data));
  page.add(commands_section(data));
  page.add_script(failure_script());
  page.footer(fmt::format("<p>Every number is in failure.json{}.</p>",
                          data.wave ? ", the waves are in window.vcd beside it" : ""));
  return std::move(page).finish();
}

std::vector<std::string> write_failure(const FailureReport& report,
                                       common::ReportEnvelope envelope) {
  const Diagnosis& diagnosis = report.diagnosis;
  envelope.kind = kFailureReport.name;
  envelope.seed = diagnosis.seed;
  envelope.command = diagnosis.command;
  envelope.outcome = report.result.outcome;
  envelope.data = common::to_json(failure_data(report));
  std::vector<std::pair<const char*, std::string>> files{
      {"failure.html", failure_page(envelope)}, {"failure.json", common::render_report(envelope)}};
  if (envelope.data.at("wave").is_object()) {
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
      const std::string bench = unit_bench(shrunk.recording, shrunk.config);
      if (!bench.empty()) files.emplace_back("bench.sv", bench);
    }
    if (!shrunk.regression.empty()) files.emplace_back(kSuiteFile, shrunk.regression);
  }
  return write_files(report.folder, files);
}

}  // namespace kernbench::sim
