// SPDX-License-Identifier: Apache-2.0
#include "common/report_envelope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/form_reader.hpp"
#include "common/input_kind.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"

namespace kernbench::common {
const InputKind kEnvelopeFile = {.name = "envelope",
                                 .title = "The envelope of every JSON artefact",
                                 .form = form_of<ReportEnvelope>,
                                 .is_report = true};

template <>
const Description<ReportedPlugin>& description_of() {
  static const auto kAll = Description<ReportedPlugin>()
                               .add("name", &ReportedPlugin::name)
                               .add("version", &ReportedPlugin::version)
                               .add("hash", &ReportedPlugin::hash, "hash of the library's file");
  return kAll;
}

template <>
const Description<ReportEnvelope>& description_of() {
  static const auto kAll =
      Description<ReportEnvelope>()
          .add_constant("schema", kReportSchema, "version of the envelope")
          .add("kind", &ReportEnvelope::kind, "kind of the data")
          .add("outcome", &ReportEnvelope::outcome)
          .add("grade", &ReportEnvelope::grade,
               "how far figures can be from the flit and cycle simulation of their spec")
          .refine([](ValueForm& grade) { grade.defined.clear(); })
          .absent_unless("the model computes the data")
          .add("seed", &ReportEnvelope::seed, "null unless one seed determines the data")
          .or_null()
          .add("config_hash", &ReportEnvelope::config_hash,
               "hash of the inputs that determine the result")
          .add("revision", &ReportEnvelope::revision, "revision of KernBench")
          .add("plugins", &ReportEnvelope::plugins,
               "libraries that the program had loaded by --plugin")
          .not_empty()
          .absent_unless("there are any")
          .add("command", &ReportEnvelope::command, "command that gives the same result again")
          .add("data", &ReportEnvelope::data)
          .or_null();
  return kAll;
}

namespace {

/// Returns the line and column of byte `offset`, which counts from 1 like nlohmann's.
SourcePosition position_of(const std::string& file, std::string_view text, std::size_t offset) {
  const std::string_view before =
      text.substr(0, std::min(offset == 0 ? 0 : offset - 1, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file, static_cast<unsigned>(line), static_cast<unsigned>(before.size() - line_start + 1)};
}

/// Returns nlohmann's message without its prefix "[json.exception...] ... line 1, column 2: ".
std::string syntax_message(const nlohmann::json::parse_error& e) {
  const std::string_view what = e.what();
  const std::size_t start = what.find("syntax error");
  return std::string(start == std::string_view::npos ? what : what.substr(start));
}

/// Reports a number that is too large for a double.
void report_number(const std::string& file, std::string_view text,
                   const nlohmann::json::out_of_range& e, Diagnostics& diagnostics) {
  std::string_view number = e.what();  // "... number overflow parsing '1e400'"
  number.remove_suffix(number.ends_with('\'') ? 1 : 0);
  number.remove_prefix(number.rfind('\'') + 1);  // npos + 1 is 0
  diagnostics.error(position_of(file, text, text.find(number) + 1),
                    fmt::format("the number {} is too large", in_quotes(number)));
}

/// Throws BadInput at the first bracket that is nested too deeply and at the first value too many.
/// nlohmann's parser has no limits, and a value of one byte takes up to 150 bytes of memory.
void check_limits(const std::string& file, std::string_view text) {
  std::size_t depth = 0;
  std::size_t values = 1;
  bool quoted = false;
  const auto refuse = [&](std::size_t at, const std::string& message) {
    Diagnostics diagnostics;
    diagnostics.error(position_of(file, text, at + 1), message);
    diagnostics.throw_if_any();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;  // the next character does not end the text
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == ',' || c == '[' || c == '{') ++values;
    if (depth > kMaxReportDepth) {
      refuse(at, fmt::format("nested more than {} levels deep", kMaxReportDepth));
    }
    if (values > kMaxReportValues) {
      refuse(at, fmt::format("the file has more than {} values", kMaxReportValues));
    }
  }
}

[[noreturn]] void refuse(const std::string& file, const std::string& message) {
  Diagnostics diagnostics;
  diagnostics.error({file}, message);
  throw BadInput(diagnostics);
}

/// Escapes the control characters of all texts, which may reach a terminal.
void make_harmless(nlohmann::json& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    text = without_controls(text);
  }
  if (!json.is_structured()) return;
  for (nlohmann::json& value : json) make_harmless(value);
}

/// Throws BadInput with all that is wrong with an envelope, and nothing else for another version.
ReportEnvelope envelope_of(nlohmann::json json, const std::string& file,
                           std::span<const std::string_view> kinds) {
  if (!json.is_object()) refuse(file, "a report must be a JSON object");
  const nlohmann::json version = json.value("schema", nlohmann::json());
  if (version.is_number_unsigned() && version != kReportSchema) {
    refuse(file, fmt::format("the report has schema {}, this program reads {}", version.dump(),
                             kReportSchema));
  }
  const nlohmann::json given = json.value("kind", nlohmann::json());
  Diagnostics diagnostics;
  if (given.is_string() && std::find(kinds.begin(), kinds.end(), given) == kinds.end()) {
    diagnostics.error({file}, fmt::format("this is a report of kind '{}', not '{}'",
                                          given.get<std::string>(), fmt::join(kinds, "' or '")));
  }
  // The data have a form of their own.
  nlohmann::json data;
  if (const auto found = json.find("data"); found != json.end()) found->swap(data);
  const YamlDocument document = YamlDocument::of_json(json, file, "", diagnostics);
  Input<ReportEnvelope> report(document.root(), diagnostics, FormUse::Report);
  diagnostics.throw_if_any();
  report->data = std::move(data);
  return std::move(*report);
}

}  // namespace

std::string render_report(const ReportEnvelope& report) {
  const nlohmann::json json = to_json(report);
  nlohmann::ordered_json ordered;
  for (const ValueForm& member : form_of<ReportEnvelope>().parts) {
    if (const auto found = json.find(member.name); found != json.end()) {
      ordered[member.name] = *found;
    }
  }
  // A command line may contain invalid UTF-8, which must not prevent the report.
  return ordered.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

ReportFrame frame_of_report(const ReportEnvelope& report) {
  ReportEnvelope empty = report;
  empty.data = nullptr;
  const std::string text = render_report(empty);
  const std::size_t data = text.rfind("null");  // the last key
  return {text.substr(0, data), text.substr(data + std::string_view("null").size())};
}

void write_report(const std::filesystem::path& path, const ReportEnvelope& report) {
  write_file_atomically(path, render_report(report));
}

ReportEnvelope read_report(const std::filesystem::path& path, std::string_view kind) {
  return read_report(path, std::span(&kind, 1));
}

ReportEnvelope read_report(const std::filesystem::path& path,
                           std::span<const std::string_view> kinds) {
  return parse_report(read_text_file(path, kMaxReportBytes), path.string(), kinds);
}

ReportEnvelope parse_report(const std::string& text, const std::string& file,
                            std::span<const std::string_view> kinds) {
  check_limits(file, text);
  Diagnostics diagnostics;
  diagnostics.add_source(file, text);
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    diagnostics.error(position_of(file, text, e.byte), syntax_message(e));
    diagnostics.throw_if_any();
  } catch (const nlohmann::json::out_of_range& e) {
    report_number(file, text, e, diagnostics);
    diagnostics.throw_if_any();
  }
  make_harmless(json);
  return envelope_of(std::move(json), file, kinds);
}

}  // namespace kernbench::common
