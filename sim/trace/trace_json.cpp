// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/json_places.hpp"
#include "common/report_envelope.hpp"
#include "common/text_distance.hpp"

namespace kernbench::sim {

namespace {

using nlohmann::json;
using Place = common::JsonPlaces::Place;

constexpr std::array<std::string_view, 8> kEnvelopeKeys = {
    "schema", "kind", "outcome", "seed", "config_hash", "revision", "command", "data"};

/// True when a field is in the set; false for fields unknown to the format.
bool is_in(TraceFieldSet set, std::size_t field) {
  return (set >> field & 1U) != 0;
}

/// Receives the parser's events. Each handler returns false to stop the parser.
class TraceEvents : public nlohmann::json_sax<json> {
 public:
  TraceEvents(const common::JsonPlaces& places, TraceBuilder& trace)
      : places_(places), trace_(trace) {}

  bool null() override { return value("null", places_.word); }
  bool boolean(bool is_true) override { return value(is_true ? "true" : "false", places_.word); }
  bool number_integer(number_integer_t number) override {
    return value(std::to_string(number), places_.word);
  }
  bool number_unsigned(number_unsigned_t number) override {
    return value(std::to_string(number), places_.word);
  }
  bool number_float(number_float_t, const string_t& text) override {
    return value(text, places_.word);
  }
  bool string(string_t& text) override {
    // A text in place of a number keeps its quotes, so that it is rejected.
    const bool may_be_string =
        level_ != Level::Record || is_in(trace_.format().may_be_text, field());
    return value(may_be_string ? text : '"' + text + '"', places_.string);
  }
  bool binary(binary_t&) override { return false; }  // does not occur in JSON text

  bool start_object(std::size_t) override {
    if (skipping_ == 0 && level_ == Level::Document) {
      level_ = Level::Envelope;
      return true;
    }
    if (skipping_ == 0 && level_ == Level::Data) {
      level_ = Level::Record;
      record_place_ = places_.bracket;
      fields_.assign(trace_.format().fields.size(), {});
      return true;
    }
    return skip("{...}");
  }
  bool end_object() override {
    if (skipping_ != 0) {
      --skipping_;
    } else if (level_ == Level::Record) {
      end_record();
      level_ = Level::Data;
    }
    return !trace_.hopeless();
  }
  bool start_array(std::size_t) override {
    if (skipping_ == 0 && level_ == Level::Envelope && key_ == "data") {
      level_ = Level::Data;
      return true;
    }
    return skip("[...]");
  }
  bool end_array() override {
    if (skipping_ != 0) {
      --skipping_;
    } else {
      level_ = Level::Envelope;
    }
    return true;
  }
  bool key(string_t& name) override {
    if (skipping_ != 0) return true;
    key_ = name;
    if (level_ == Level::Envelope) {
      check_key(kEnvelopeKeys);
      if (std::ranges::find(seen_, key_) != seen_.end()) {
        error(places_.string, fmt::format("a second key '{}'", key_));
      }
      seen_.push_back(key_);
    } else if (check_key(trace_.format().fields) && fields_[field()].line != 0) {
      error(places_.string, fmt::format("a second key '{}'", key_));
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& what) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error ..."
    std::string_view text = what.what();
    const std::size_t reason = text.find(": ");
    if (reason != std::string_view::npos) text.remove_prefix(reason + 2);
    error(places_.last, fmt::format("invalid JSON: {}", text));
    broken_ = true;
    return false;
  }

  void check_end() {
    if (broken_ || trace_.hopeless()) return;
    for (const std::string_view required : {"kind", "data"}) {
      if (std::ranges::find(seen_, required) == seen_.end()) {
        error(Place{}, fmt::format("the key '{}' is missing", required), example());
      }
    }
  }

 private:
  enum class Level { Document, Envelope, Data, Record };
  [[nodiscard]] std::string example() const { return std::string(trace_.format().json_example); }

  void error(const Place& place, std::string message, std::string hint = {}) {
    trace_.error(place.line, place.column, std::move(message), std::move(hint));
  }

  /// Handles a value other than the envelope, the list of records and a record.
  bool value(std::string text, const Place& place) {
    if (skipping_ != 0) return true;
    switch (level_) {
      case Level::Document:
        error(place, "the trace must be a map", example());
        broken_ = true;
        return false;
      case Level::Envelope:
        if (key_ == "kind" && text != trace_.format().kind) {
          error(place, fmt::format("kind is '{}', not '{}'", text, trace_.format().kind));
        }
        if (key_ == "schema" && text != std::to_string(common::kReportSchema)) {
          error(place, fmt::format("the trace has schema {}, this program reads {}", text,
                                   common::kReportSchema));
        }
        if (key_ == "data") {
          error(place, fmt::format("data must be a list of {}s", trace_.format().record),
                example());
        }
        break;
      case Level::Data:
        error(place, fmt::format("'{}' is not a {}", text, trace_.format().record), example());
        break;
      case Level::Record:
        if (field() < fields_.size())
          fields_[field()] = {std::move(text), place.line, place.column};
        break;
    }
    return !trace_.hopeless();
  }

  /// Handles a nested value and skips its contents.
  bool skip(const char* text) {
    const bool go_on = skipping_ != 0 || value(text, places_.bracket);
    ++skipping_;
    return go_on;
  }

  bool check_key(std::span<const std::string_view> known) {
    if (std::ranges::find(known, key_) != known.end()) return true;
    const auto nearest = common::nearest_name(key_, known);
    error(places_.string, fmt::format("unknown key '{}'", key_),
          nearest ? fmt::format("did you mean '{}'?", *nearest) : std::string());
    return false;
  }

  [[nodiscard]] std::size_t field() const {
    return static_cast<std::size_t>(std::ranges::find(trace_.format().fields, key_) -
                                    trace_.format().fields.begin());
  }

  void end_record() {
    const TraceFormat& format = trace_.format();
    bool complete = true;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i].line != 0) continue;
      if (is_in(format.may_be_missing, i)) {
        fields_[i] = {{}, record_place_.line, record_place_.column};
        continue;
      }
      complete = false;
      error(record_place_, fmt::format("the {} has no '{}'", format.record, format.fields[i]));
    }
    if (complete) trace_.add(fields_);
  }

  const common::JsonPlaces& places_;
  TraceBuilder& trace_;
  Level level_ = Level::Document;
  unsigned skipping_ = 0;  ///< open nested values whose contents are skipped
  std::string key_;
  std::vector<std::string> seen_;
  Place record_place_;
  std::vector<TraceText> fields_;
  bool broken_ = false;
};

}  // namespace

common::ValueForm form_of_trace(const TraceFormat& format, const common::ValueForm& record) {
  using Kind = common::ValueForm::Kind;
  common::ValueForm form;
  for (const std::string_view key : kEnvelopeKeys) {
    common::ValueForm& member = form.parts.emplace_back();
    member.name = key;
    member.kind = Kind::Any;
    member.optional = key != "kind" && key != "data";
  }
  form.member("schema").kind = Kind::Integer;
  form.member("schema").least = form.member("schema").most = common::kReportSchema;
  form.member("kind").kind = Kind::Text;
  form.member("kind").choices = {std::string(format.kind)};
  form.member("data").kind = Kind::List;
  form.member("data").least = 1;
  form.member("data").parts = {record};
  return form;
}

void read_trace_json(std::string_view text, TraceBuilder& trace) {
  common::JsonPlaces places;
  TraceEvents events(places, trace);
  const char* const begin = text.data();
  if (json::sax_parse(common::TrackedJson(begin, &places),
                      common::TrackedJson(begin + text.size(), &places), &events)) {
    events.check_end();
  }
}

}  // namespace kernbench::sim
