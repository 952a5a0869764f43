// SPDX-License-Identifier: Apache-2.0
#include "common/report_envelope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"

namespace kernbench::common {
namespace {

constexpr std::array<std::string_view, 8> kKeys = {"schema",      "kind",     "outcome", "seed",
                                                   "config_hash", "revision", "command", "data"};

// Keys that a report may lack.
constexpr std::string_view kGrade = "grade";
constexpr std::string_view kPlugins = "plugins";

/// Reads one artefact and collects all of its errors.
class EnvelopeReader {
 public:
  EnvelopeReader(const nlohmann::json& json, std::string file, Diagnostics& diagnostics)
      : json_(json), file_(std::move(file)), diagnostics_(diagnostics) {}

  [[nodiscard]] ReportEnvelope read(std::span<const std::string_view> kinds) {
    ReportEnvelope report;
    if (!json_.is_object()) {
      error("a report must be a JSON object");
      return report;
    }
    check_keys();
    const nlohmann::json& schema = value("schema");
    if (schema.is_number_unsigned() && schema.get<std::uint64_t>() != kReportSchema) {
      error(fmt::format("the report has schema {}, this program reads {}", schema.dump(),
                        kReportSchema));
    } else if (!schema.is_number_unsigned()) {
      wrong_type("schema", "a number");
    }
    report.kind = text("kind");
    if (std::find(kinds.begin(), kinds.end(), report.kind) == kinds.end() &&
        value("kind").is_string()) {
      error(fmt::format("this is a report of kind '{}', not '{}'", report.kind,
                        fmt::join(kinds, "' or '")));
    }
    report.outcome = outcome();
    report.grade = grade();
    report.seed = seed();
    report.config_hash = text("config_hash");
    report.revision = text("revision");
    report.plugins = plugins();
    report.command = text("command");
    report.data = value("data");
    return report;
  }

 private:
  void error(std::string message) { diagnostics_.error({file_}, std::move(message)); }

  void wrong_type(std::string_view key, std::string_view expected) {
    // An absent key has already been reported as missing.
    if (json_.contains(key)) error(fmt::format("'{}' must be {}", key, expected));
  }

  void check_keys() {
    for (const std::string_view key : kKeys) {
      if (!json_.contains(key)) error(fmt::format("missing key '{}'", key));
    }
    for (const auto& item : json_.items()) {
      if (item.key() == kGrade || item.key() == kPlugins) continue;
      if (std::find(kKeys.begin(), kKeys.end(), item.key()) == kKeys.end()) {
        error(fmt::format("unknown key '{}'", item.key()));
      }
    }
  }

  [[nodiscard]] const nlohmann::json& value(std::string_view key) const {
    static const nlohmann::json kAbsent;
    const auto found = json_.find(key);
    return found == json_.end() ? kAbsent : *found;
  }

  std::string text(std::string_view key) {
    if (value(key).is_string()) return value(key).get<std::string>();
    wrong_type(key, "text");
    return {};
  }

  Outcome outcome() {
    const std::string spelled = text("outcome");
    const auto found = outcome_from_name(spelled);
    if (!found && value("outcome").is_string()) {
      error(fmt::format("'outcome' must be the name of an outcome, not '{}'", spelled));
    }
    return found.value_or(Outcome::InternalError);
  }

  std::optional<std::uint64_t> seed() {
    if (value("seed").is_number_unsigned()) return value("seed").get<std::uint64_t>();
    if (!value("seed").is_null()) wrong_type("seed", "a number from 0 or null");
    return std::nullopt;
  }

  std::optional<Grade> grade() {
    if (!json_.contains(kGrade)) return std::nullopt;
    try {
      return grade_from_json(value(kGrade));
    } catch (const std::exception&) {  // of another type, or with another kind
      wrong_type(kGrade, "an object with the kind exact, within (and percent) or estimate");
      return std::nullopt;
    }
  }

  std::vector<ReportedPlugin> plugins() {
    if (!json_.contains(kPlugins)) return {};
    std::vector<ReportedPlugin> plugins;
    try {
      for (const nlohmann::json& plugin : value(kPlugins)) {
        plugins.push_back({plugin.at("name").get<std::string>(),
                           plugin.at("version").get<std::string>(),
                           plugin.at("hash").get<std::string>()});
      }
    } catch (const nlohmann::json::exception&) {
      wrong_type(kPlugins, "a list of objects with name, version and hash");
    }
    return plugins;
  }

  const nlohmann::json& json_;
  std::string file_;
  Diagnostics& diagnostics_;
};

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

/// Escapes the control characters of all texts, which may reach a terminal.
void make_harmless(nlohmann::json& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    text = without_controls(text);
  }
  if (!json.is_structured()) return;
  for (nlohmann::json& value : json) make_harmless(value);
}

}  // namespace

std::string render_report(const ReportEnvelope& report) {
  nlohmann::ordered_json json;
  json["schema"] = kReportSchema;
  json["kind"] = report.kind;
  json["outcome"] = name(report.outcome);
  if (report.grade) json[std::string(kGrade)] = to_json(*report.grade);
  json["seed"] = nullptr;
  if (report.seed) json["seed"] = *report.seed;
  json["config_hash"] = report.config_hash;
  json["revision"] = report.revision;
  for (const ReportedPlugin& plugin : report.plugins) {
    nlohmann::ordered_json entry;
    entry["name"] = plugin.name;
    entry["version"] = plugin.version;
    entry["hash"] = plugin.hash;
    json[std::string(kPlugins)].push_back(std::move(entry));
  }
  json["command"] = report.command;
  json["data"] = report.data;
  // A command line may contain invalid UTF-8, which must not prevent the report.
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
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
  ReportEnvelope report = EnvelopeReader(json, file, diagnostics).read(kinds);
  diagnostics.throw_if_any();
  return report;
}

}  // namespace kernbench::common
