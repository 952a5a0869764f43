// SPDX-License-Identifier: Apache-2.0
#include "prose.hpp"

#include <cctype>
#include <string_view>

namespace kernbench::docs {
namespace {

using Kind = Passage::Kind;

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Collects words into passages. Text of the same kind goes into one passage until it is closed.
class Prose {
 public:
  void add(Kind kind, std::string_view text, unsigned line) {
    if (!open_ || passages_.back().kind != kind) passages_.push_back({kind, {}});
    open_ = true;
    std::string word;
    const auto flush = [&] {
      while (word.starts_with('\'')) word.erase(0, 1);
      while (word.ends_with('\'')) word.pop_back();
      if (!word.empty()) passages_.back().words.push_back({word, line});
      word.clear();
    };
    for (const char c : text) {
      if (is_alnum(c) || c == '\'' || c == '-' || c == '_') {
        word += c;
        continue;
      }
      flush();
      if (c == '\n') ++line;
      if (!is_space(c)) passages_.back().words.push_back({std::string(1, c), line});
    }
    flush();
  }
  void close() { open_ = false; }
  [[nodiscard]] bool is_open(Kind kind) const { return open_ && passages_.back().kind == kind; }

  [[nodiscard]] std::vector<Passage> finish() { return std::move(passages_); }

 private:
  std::vector<Passage> passages_;
  bool open_ = false;
};

std::string_view trimmed_front(std::string_view text, std::string_view characters) {
  const auto first = text.find_first_not_of(characters);
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Reads C++, SystemVerilog, JavaScript and CSS: `//` and `/* */` comments, quoted literals.
class CodeReader {
 public:
  CodeReader(std::string_view text, bool script, bool verilog)
      : text_(text), script_(script), verilog_(verilog) {}

  std::vector<Passage> read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (starts("//")) {
        line_comment();
      } else if (starts("/*")) {
        block_comment();
      } else if (starts("R\"") && !script_ && (at_ == 0 || !is_alnum(text_[at_ - 1]))) {
        raw_literal();
      } else if (c == '"' || (script_ && (c == '\'' || c == '`'))) {
        literal(c);
      } else if (c == '\'' && !verilog_ && (at_ == 0 || !is_alnum(text_[at_ - 1]))) {
        skip_quoted('\'');
      } else if (c == '/' && script_ && after_operator_) {
        skip_quoted('/');
      } else {
        code(c);
      }
    }
    return prose_.finish();
  }

 private:
  [[nodiscard]] bool starts(std::string_view part) const {
    return text_.substr(at_, part.size()) == part;
  }

  void code(char c) {
    if (c == '\n') {
      // Prose of a comment ends at a line without one; adjacent literals may be on several lines.
      if (!line_had_comment_ && !prose_.is_open(Kind::Literal)) prose_.close();
      line_had_comment_ = false;
      line_has_code_ = false;
      ++line_;
    } else if (!is_space(c)) {
      prose_.close();
      line_has_code_ = true;
      after_operator_ = std::string_view("(,=:[!&|?{};>").find(c) != std::string_view::npos;
    }
    ++at_;
  }

  void line_comment() {
    const auto end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view comment = text_.substr(at_, end - at_);
    const bool field = comment.starts_with("///<");
    const std::string_view text = trimmed_front(comment, "/<! \t");
    // A comment behind code is a passage of its own; the next line may continue it.
    if (text.empty() || (line_has_code_ && !prose_.is_open(Kind::Comment)) || field) prose_.close();
    const bool continues = !field && !line_has_code_ && prose_.is_open(Kind::FieldComment);
    prose_.add(field || continues ? Kind::FieldComment : Kind::Comment, text, line_);
    line_had_comment_ = !text.empty();
    at_ = end;
  }

  void block_comment() {
    const auto end = std::min(text_.find("*/", at_ + 2), text_.size());
    prose_.close();
    std::string body(text_.substr(at_ + 2, end - at_ - 2));
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (body[i] == '*' && body.find_last_not_of(" \t*", i) != std::string::npos &&
          body[body.find_last_not_of(" \t*", i)] == '\n') {
        body[i] = ' ';
      }
    }
    if (body.starts_with('*')) body[0] = ' ';
    prose_.add(Kind::Comment, body, line_);
    prose_.close();
    count_lines(at_, end);
    at_ = std::min(end + 2, text_.size());
  }

  void literal(char quote) {
    const std::size_t begin = at_ + 1;
    const unsigned first_line = line_;
    skip_quoted(quote);
    const std::size_t end = at_ > begin ? at_ - 1 : begin;
    prose_.add(Kind::Literal, unescaped(text_.substr(begin, end - begin)), first_line);
    line_has_code_ = true;
    after_operator_ = false;
  }

  void raw_literal() {
    const auto open = text_.find('(', at_);
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const auto end = std::min(text_.find(close, open), text_.size());
    prose_.add(Kind::Literal, text_.substr(open + 1, end - open - 1), line_);
    count_lines(at_, end);
    at_ = std::min(end + close.size(), text_.size());
  }

  void skip_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\n') {
        if (quote != '`') return;
        ++line_;
      }
      if (text_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  /// `\n` in a literal separates words.
  static std::string unescaped(std::string_view literal) {
    std::string text;
    for (std::size_t i = 0; i < literal.size(); ++i) {
      if (literal[i] == '\\' && i + 1 < literal.size()) {
        text += ' ';
        ++i;
      } else {
        text += literal[i];
      }
    }
    return text;
  }

  void count_lines(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) line_ += text_[i] == '\n' ? 1U : 0U;
  }

  std::string_view text_;
  bool script_, verilog_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  bool line_had_comment_ = false;
  bool line_has_code_ = false;
  bool after_operator_ = true;
  Prose prose_;
};

/// Reads Python, shell, CMake, Make and YAML: `#` comments and quoted literals. Plain values of
/// YAML are prose too.
std::vector<Passage> read_hash_comments(std::string_view text, bool python, bool yaml) {
  Prose prose;
  unsigned line_number = 0;
  std::string_view docstring;  // the quotes that end it
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    std::size_t at = 0;
    bool commented = false;
    if (yaml && line.find(": ") != std::string_view::npos) prose.close();
    while (at < line.size()) {
      if (!docstring.empty()) {
        const std::size_t close = line.find(docstring, at);
        prose.add(Kind::Comment, line.substr(at, std::min(close, line.size()) - at), line_number);
        if (close != std::string_view::npos) docstring = {};
        at = close == std::string_view::npos ? line.size() : close + 3;
        commented = true;
      } else if (python && (line.substr(at, 3) == "\"\"\"" || line.substr(at, 3) == "'''")) {
        prose.close();
        docstring = line.substr(at, 3);
        at += 3;
      } else if (line[at] == '#' && (at == 0 || is_space(line[at - 1]))) {
        const std::string_view comment = trimmed_front(line.substr(at), "# \t!@");
        if (comment.empty() || !trimmed_front(line.substr(0, at), " \t").empty()) prose.close();
        prose.add(Kind::Comment, comment, line_number);
        commented = !comment.empty();
        at = line.size();
      } else if (line[at] == '"' || line[at] == '\'') {
        const std::size_t close = line.find(line[at], at + 1);
        const std::size_t last = close == std::string_view::npos ? at : close;
        if (last > at) {
          prose.add(Kind::Literal, line.substr(at + 1, last - at - 1), line_number);
        }
        at = last + 1;
      } else {
        const std::size_t next = std::min(line.find_first_of("\"'#", at + 1), line.size());
        const std::string_view plain = line.substr(at, next - at);
        if (yaml) {
          prose.add(Kind::Literal, plain, line_number);
        } else if (!trimmed_front(plain, " \t\\").empty()) {
          prose.close();
        }
        at = next;
      }
    }
    if (!commented && !prose.is_open(Kind::Literal)) prose.close();
  }
  return prose.finish();
}

/// Reads a page: a passage for each paragraph, without code spans.
std::vector<Passage> read_page(std::string_view text) {
  Prose prose;
  unsigned line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line(text.substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    const bool fence = line.starts_with("```");
    for (auto open = line.find('`'); open != std::string::npos && !fence;
         open = line.find('`', open + 1)) {
      const auto close = line.find('`', open + 1);
      if (close == std::string::npos) break;
      line.replace(open, close - open + 1, "`");
    }
    const std::string_view content = trimmed_front(line, " \t");
    if (content.empty() || std::string_view("#-|*").find(content[0]) != std::string_view::npos) {
      prose.close();
    }
    prose.add(Kind::Page, content, line_number);
  }
  return prose.finish();
}

}  // namespace

std::vector<Passage> prose_of(const SourceFile& file) {
  const auto ends = [&](std::initializer_list<std::string_view> endings) {
    for (const std::string_view ending : endings) {
      if (file.path.ends_with(ending)) return true;
    }
    return false;
  };
  if (ends({".md", ".html"})) return read_page(file.text);
  if (ends({".cpp", ".hpp", ".h", ".c", ".sv", ".svh", ".v", ".js", ".mjs", ".css"})) {
    return CodeReader(file.text, ends({".js", ".mjs"}), ends({".sv", ".svh", ".v"})).read();
  }
  return read_hash_comments(file.text, ends({".py"}), ends({".yaml", ".yml"}));
}

}  // namespace kernbench::docs
