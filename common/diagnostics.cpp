// SPDX-License-Identifier: Apache-2.0
#include "common/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "common/utf8.hpp"

namespace kernbench::common {
namespace {

Diagnostics single(const std::string& message) {
  Diagnostics diagnostics;
  diagnostics.error({}, message);
  return diagnostics;
}

bool is_utf8_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

/// Returns `line` with '?' for each byte that is invalid UTF-8 or part of a control character. Tabs
/// are kept.
std::string without_unprintable(std::string_view line) {
  std::string shown(line);
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length = utf8_length(line.substr(i));
    const std::size_t taken = std::max<std::size_t>(length, 1);
    if (length == 0 || (is_control(line.substr(i)) && line[i] != '\t')) {
      shown.replace(i, taken, taken, '?');
    }
    i += taken;
  }
  return shown;
}

/// A rendered source line, and its part before the caret.
struct ShownLine {
  std::string text;
  std::string before_caret;
};

ShownLine shown_line(std::string_view full, std::size_t before_caret) {
  constexpr std::size_t kLongLine = 200;
  constexpr std::size_t kAround = 80;  // bytes kept on both sides of the caret in a long line
  std::size_t begin = 0;
  std::size_t end = full.size();
  if (full.size() > kLongLine) {
    const std::size_t caret = std::min(before_caret, full.size());
    begin = caret > kAround ? caret - kAround : 0;
    end = std::min(full.size(), caret + kAround);
    while (begin > 0 && is_utf8_continuation(full[begin])) --begin;
    while (end < full.size() && is_utf8_continuation(full[end])) ++end;
  }
  const std::string line = without_unprintable(full.substr(begin, end - begin));
  const std::string_view cut_off = "...";
  ShownLine shown;
  if (begin > 0) shown.text = shown.before_caret = cut_off;
  shown.text += line;
  if (end < full.size()) shown.text += cut_off;
  shown.before_caret += line.substr(0, before_caret - begin);
  if (before_caret > full.size()) shown.before_caret.append(before_caret - full.size(), ' ');
  return shown;
}

/// Returns blanks as wide as `text`: one for each UTF-8 character, and a tab for a tab.
std::string blanks_like(std::string_view text) {
  std::string blanks;
  for (const char c : text) {
    if (!is_utf8_continuation(c)) blanks += c == '\t' ? '\t' : ' ';
  }
  return blanks;
}

std::string render_position(const SourcePosition& position) {
  if (position.file.empty()) return {};
  if (position.line == 0) return position.file + ": ";
  return fmt::format("{}:{}:{}: ", position.file, position.line, position.column);
}

}  // namespace

void Diagnostics::add_source(const std::string& file, std::string_view text) {
  std::vector<std::string>& lines = source_lines_[file];
  lines.clear();
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

void Diagnostics::error(SourcePosition position, std::string message, std::string hint) {
  errors_.push_back({std::move(position), std::move(message), std::move(hint)});
}

std::vector<Diagnostic> Diagnostics::in_file_order() const {
  std::map<std::string, std::size_t> file_order;
  for (const Diagnostic& d : errors_) file_order.try_emplace(d.position.file, file_order.size());
  const auto key = [&](const Diagnostic& d) {
    return std::tuple(file_order.at(d.position.file), d.position.line, d.position.column);
  };
  std::vector<Diagnostic> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  return sorted;
}

void Diagnostics::render_source(const SourcePosition& position, std::string& out) const {
  const auto source = source_lines_.find(position.file);
  if (source == source_lines_.end()) return;
  if (position.line == 0 || position.line > source->second.size()) return;
  const std::size_t before_caret = position.column == 0 ? 0 : position.column - 1;
  const ShownLine shown = shown_line(source->second[position.line - 1], before_caret);
  fmt::format_to(std::back_inserter(out), "{:>5} | {}\n", position.line, shown.text);
  fmt::format_to(std::back_inserter(out), "      | {}^\n", blanks_like(shown.before_caret));
}

void Diagnostics::add(const Diagnostics& other) {
  errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
  source_lines_.insert(other.source_lines_.begin(), other.source_lines_.end());
}

std::string Diagnostics::render() const {
  std::string out;
  std::vector<Diagnostic> shown = in_file_order();
  const std::size_t hidden = shown.size() > kShownErrors ? shown.size() - kShownErrors : 0;
  shown.resize(shown.size() - hidden);
  for (const Diagnostic& d : shown) {
    fmt::format_to(std::back_inserter(out), "{}error: {}\n", render_position(d.position),
                   d.message);
    render_source(d.position, out);
    if (!d.hint.empty()) fmt::format_to(std::back_inserter(out), "  hint: {}\n", d.hint);
  }
  if (hidden > 0) {
    fmt::format_to(std::back_inserter(out), "error: and {} more error{}\n", hidden,
                   hidden == 1 ? "" : "s");
  }
  if (!out.empty()) out.pop_back();
  return out;
}

void Diagnostics::throw_if_any() const {
  if (open_readers_ != 0) {
    throw std::logic_error("Diagnostics::throw_if_any called before every YamlMap was finished");
  }
  if (!empty()) throw BadInput(*this);
}

BadInput::BadInput(Diagnostics diagnostics)
    : std::runtime_error(diagnostics.render()),
      diagnostics_(std::make_shared<const Diagnostics>(std::move(diagnostics))) {}

BadInput::BadInput(const std::string& message) : BadInput(single(message)) {}

}  // namespace kernbench::common
