#include "common/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

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

/// Blanks as wide as the first `bytes` bytes of `line`: tabs stay tabs, a UTF-8 character is one.
std::string blanks_like(std::string_view line, std::size_t bytes) {
  std::string blanks;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (i >= line.size()) {
      blanks += ' ';
    } else if (!is_utf8_continuation(line[i])) {
      blanks += line[i] == '\t' ? '\t' : ' ';
    }
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
  const std::string& line = source->second[position.line - 1];
  fmt::format_to(std::back_inserter(out), "{:>5} | {}\n", position.line, line);
  const std::size_t before_caret = position.column == 0 ? 0 : position.column - 1;
  fmt::format_to(std::back_inserter(out), "      | {}^\n", blanks_like(line, before_caret));
}

std::string Diagnostics::render() const {
  std::string out;
  for (const Diagnostic& d : in_file_order()) {
    fmt::format_to(std::back_inserter(out), "{}error: {}\n", render_position(d.position),
                   d.message);
    render_source(d.position, out);
    if (!d.hint.empty()) fmt::format_to(std::back_inserter(out), "  hint: {}\n", d.hint);
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
