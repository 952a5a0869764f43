// SPDX-License-Identifier: Apache-2.0
#include "common/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "common/utf8.hpp"
#include "common/yaml_describe.hpp"
#include "common/yaml_reader.hpp"
#include "common/yaml_text.hpp"

namespace kernbench::common {
namespace {

using Kind = YamlTree::Kind;

constexpr std::string_view kNoAliases = "anchors and aliases are not supported";
constexpr std::string_view kWriteItOut = "write the value out at each place";

/// Thrown through the parser when kMaxYamlDepth is exceeded, which stops its recursion.
struct TooDeep {
  SourcePosition position;
};

/// Builds a YamlTree from yaml-cpp's events. yaml-cpp's own node tree is not used, because it
/// accepts duplicate keys silently and resolves aliases.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string file, Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  [[nodiscard]] std::optional<YamlTree> take_root() { return std::exchange(root_, std::nullopt); }

  /// Returns the start of the document, or std::nullopt if there is none.
  [[nodiscard]] const std::optional<SourcePosition>& start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = position(mark); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    YamlTree leaf = make(Kind::Null, mark);
    // yaml-cpp marks a missing value at the next token, which may be lines away.
    if (!open_.empty() && open_.back().key) leaf.position = open_.back().key->position;
    add_leaf(std::move(leaf));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    diagnostics_.error(position(mark), std::string(kNoAliases), std::string(kWriteItOut));
    add_leaf(make(Kind::Refused, mark));
  }
  void OnAnchor(const YAML::Mark& mark, const std::string& /*name*/) override {
    diagnostics_.error(position(mark), std::string(kNoAliases), std::string(kWriteItOut));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    refuse_tag(mark, tag);
    // yaml-cpp gives every scalar that is not plain the tag "!".
    YamlTree leaf = make(tag == "!" ? Kind::Quoted : Kind::Plain, mark);
    leaf.text = value;
    // Names are printed; a terminal would execute their control characters. A value may have line
    // ends, which only YamlNode::lines() accepts.
    std::string checked = value;
    if (!is_next_a_key()) std::erase(checked, '\n');
    if (has_control(checked)) {
      diagnostics_.error(leaf.position, fmt::format("{} has a control character", in_quotes(value)),
                         "write it on one line of printable characters");
      leaf.kind = Kind::Refused;
    }
    add_leaf(std::move(leaf));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    refuse_tag(mark, tag);
    open(Kind::List, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    refuse_tag(mark, tag);
    open(Kind::Map, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Key {
    std::string text;
    SourcePosition position;
    bool keep = true;  ///< false for a reported key whose value is dropped
  };
  struct Open {
    YamlTree tree;
    std::optional<Key> key;                     ///< key of a map whose value is still missing
    std::map<std::string, unsigned> key_lines;  ///< line of each key of a map so far
  };

  /// Returns true if the next node is a key of a map.
  [[nodiscard]] bool is_next_a_key() const {
    return !open_.empty() && open_.back().tree.kind == Kind::Map && !open_.back().key;
  }

  [[nodiscard]] SourcePosition position(const YAML::Mark& mark) const {
    return {file_, static_cast<unsigned>(mark.line + 1), static_cast<unsigned>(mark.column + 1)};
  }

  [[nodiscard]] YamlTree make(Kind kind, const YAML::Mark& mark) const {
    YamlTree tree;
    tree.kind = kind;
    tree.position = position(mark);
    tree.label = next_label();
    return tree;
  }

  [[nodiscard]] std::string next_label() const {
    if (open_.empty()) return "the document";
    const Open& parent = open_.back();
    if (parent.tree.kind == Kind::List) {
      return fmt::format("item {} of {}", parent.tree.items.size() + 1, parent.tree.label);
    }
    return parent.key ? in_quotes(parent.key->text) : std::string("a key");
  }

  void open(Kind kind, const YAML::Mark& mark) {
    if (open_.size() == kMaxYamlDepth) throw TooDeep{position(mark)};
    open_.push_back({make(kind, mark), std::nullopt, {}});
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    diagnostics_.error(position(mark), fmt::format("tags are not supported: {}", in_quotes(tag)),
                       "remove the tag");
  }

  void add_leaf(YamlTree leaf) {
    if (is_next_a_key()) {
      add_key(leaf);
    } else {
      add_value(std::move(leaf));
    }
  }

  void add_key(const YamlTree& leaf) {
    Open& map = open_.back();
    Key key{leaf.text, leaf.position};
    if (leaf.kind != Kind::Plain && leaf.kind != Kind::Quoted) {
      if (leaf.kind != Kind::Refused) refuse_key(leaf.position);
      key.keep = false;
    }
    if (key.keep && leaf.kind == Kind::Plain && key.text == "<<") {
      diagnostics_.error(key.position, "merge keys are not supported", std::string(kWriteItOut));
      key.keep = false;
    }
    if (key.keep) {
      const auto [first, is_new] = map.key_lines.try_emplace(key.text, key.position.line);
      if (!is_new) {
        diagnostics_.error(key.position, fmt::format("duplicate key {}", in_quotes(key.text)),
                           fmt::format("first given in line {}", first->second));
        key.keep = false;
      }
    }
    map.key = std::move(key);
  }

  void refuse_key(const SourcePosition& at) {
    diagnostics_.error(at, "a key must be text", "write 'key: value'");
  }

  void close() {
    YamlTree closed = std::move(open_.back().tree);
    open_.pop_back();
    if (is_next_a_key()) {
      refuse_key(closed.position);
      open_.back().key = Key{{}, closed.position, false};
    } else {
      add_value(std::move(closed));
    }
  }

  void add_value(YamlTree value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().tree.kind == Kind::List) {
      open_.back().tree.items.push_back(std::move(value));
    } else {
      const Key key = *std::exchange(open_.back().key, std::nullopt);
      if (key.keep) open_.back().tree.entries.push_back({key.text, key.position, std::move(value)});
    }
  }

  std::string file_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::optional<YamlTree> root_;
  std::optional<SourcePosition> start_;
};

/// Returns a hint for those messages of yaml-cpp that do not name the mistake.
std::string syntax_hint(const std::string& message) {
  namespace Said = YAML::ErrorMsg;
  if (message == Said::EOF_IN_SCALAR) return "a quote is not closed";
  if (message == Said::END_OF_SEQ_FLOW)
    return "a '[' is not closed, or a text in it that has '[' or ']' needs quotes";
  if (message == Said::END_OF_MAP_FLOW)
    return "a '{' is not closed, or a text in it that has '[' or ']' needs quotes";
  if (message == Said::END_OF_MAP || message == Said::END_OF_SEQ) {
    return "the line is not indented like its neighbours";
  }
  if (message == Said::MAP_VALUE)
    return "one ':' too many here, or a missing ':' in the line before";
  if (message == Said::YAML_MAJOR_VERSION) return "remove the %YAML line";
  return {};
}

/// Returns the column (from 0) of the first tab in the indentation of `line`, if any.
std::optional<std::size_t> tab_in_indentation(std::string_view text, int line) {
  for (int i = 0; i < line && text.find('\n') != std::string_view::npos; ++i) {
    text.remove_prefix(text.find('\n') + 1);
  }
  const std::size_t tab = text.find_first_not_of(' ');
  if (tab == std::string_view::npos || text[tab] != '\t') return std::nullopt;
  return tab;
}

/// Reports a syntax error, naming a tab in the indentation as the cause if there is one. yaml-cpp
/// takes such a tab for content and complains about the text after it.
void report_syntax_error(const YAML::Exception& e, std::string_view text, const std::string& file,
                         Diagnostics& diagnostics) {
  if (e.mark.is_null()) {
    diagnostics.error({file}, printable(e.msg, 200), syntax_hint(e.msg));
    return;
  }
  const auto line = static_cast<unsigned>(e.mark.line + 1);
  if (const auto tab = tab_in_indentation(text, e.mark.line)) {
    diagnostics.error({file, line, static_cast<unsigned>(*tab + 1)}, "a tab in the indentation",
                      "indent with spaces");
    return;
  }
  diagnostics.error({file, line, static_cast<unsigned>(e.mark.column + 1)}, printable(e.msg, 200),
                    syntax_hint(e.msg));
}

}  // namespace

YamlTree parse_yaml_tree(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  text = checked_yaml_text(text, file, diagnostics);
  TreeBuilder builder(file, diagnostics);
  try {
    // After trailing white space, yaml-cpp accepts the end of the file as a closing quote.
    std::istringstream in{std::string(text.substr(0, text.find_last_not_of(" \t\r\n") + 1))};
    YAML::Parser parser(in);
    parser.HandleNextDocument(builder);
    Diagnostics ignored;  // the second document itself is the error, whatever its content
    TreeBuilder second(file, ignored);
    parser.HandleNextDocument(second);
    if (second.start()) {
      diagnostics.error(*second.start(), "a second document",
                        "a file holds one document; remove '---' and everything after it");
    }
  } catch (const YAML::Exception& e) {
    report_syntax_error(e, text, file, diagnostics);
    throw BadInput(diagnostics);
  } catch (const TooDeep& e) {
    diagnostics.error(e.position, fmt::format("nested deeper than {} levels", kMaxYamlDepth),
                      "check for an unclosed bracket or a wrong indentation");
    throw BadInput(diagnostics);
  }

  std::optional<YamlTree> root = builder.take_root();
  if (!root || root->kind == Kind::Null) {
    diagnostics.error({file}, "the document is empty", "write keys and values, 'key: value'");
    throw BadInput(diagnostics);
  }
  if (root->kind != Kind::Map) {
    diagnostics.error(root->position,
                      fmt::format("the document must be a map, not {}", describe_value(*root)),
                      "write keys and values, 'key: value'");
    throw BadInput(diagnostics);
  }
  return std::move(*root);
}

}  // namespace kernbench::common
