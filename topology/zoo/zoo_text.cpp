// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/text_distance.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/zoo_kinds.hpp"

namespace kernbench::topology::zoo {
namespace {

constexpr std::string_view kSource = "topology";  // file name in messages

bool is_word(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

class TextParser {
 public:
  explicit TextParser(std::string_view text) : text_(text) {}

  [[nodiscard]] TopologyPtr parse() {
    TopologyPtr topology = parse_topology(0);
    skip_blanks();
    if (at_ != text_.size()) fail(at_, "unexpected text after the topology");
    return topology;
  }

 private:
  [[nodiscard]] TopologyPtr parse_topology(std::uint32_t depth);
  [[nodiscard]] TopologyPtr parse_arguments(const ZooKind& kind, std::uint32_t depth);
  [[nodiscard]] TopologyPtr parse_sized(const ZooKind& kind);
  [[nodiscard]] TopologyPtr parse_hierarchical(std::uint32_t depth);
  [[nodiscard]] TopologyPtr parse_custom();

  [[nodiscard]] const ZooKind& parse_kind();
  [[nodiscard]] std::uint32_t parse_number(std::string_view what, std::uint32_t least);
  [[nodiscard]] std::string_view take_word();
  [[nodiscard]] bool take(std::string_view sign);
  void expect(std::string_view sign);
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  [[noreturn]] void fail(std::size_t at, std::string message, std::string hint = {}) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

void TextParser::fail(std::size_t at, std::string message, std::string hint) const {
  common::Diagnostics diagnostics;
  diagnostics.add_source(std::string(kSource), text_);
  diagnostics.error({std::string(kSource), 1, static_cast<unsigned>(at + 1)}, std::move(message),
                    std::move(hint));
  throw common::BadInput(diagnostics);
}

bool TextParser::take(std::string_view sign) {
  skip_blanks();
  if (!text_.substr(at_).starts_with(sign)) return false;
  at_ += sign.size();
  return true;
}

void TextParser::expect(std::string_view sign) {
  if (!take(sign)) fail(at_, fmt::format("expected '{}' here", sign));
}

std::string_view TextParser::take_word() {
  skip_blanks();
  const std::size_t start = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

std::uint32_t TextParser::parse_number(std::string_view what, std::uint32_t least) {
  const std::string_view word = take_word();
  const auto number = common::parse_u64(word);
  if (!number || *number < least || *number > kMaxNodes) {
    fail(at_ - word.size(),
         fmt::format("'{}' must be an integer from {} to {}", what, least, kMaxNodes));
  }
  return static_cast<std::uint32_t>(*number);
}

const ZooKind& TextParser::parse_kind() {
  const std::string_view word = take_word();
  const auto kind = std::find_if(zoo_kinds().begin(), zoo_kinds().end(),
                                 [word](const ZooKind& k) { return k.name == word; });
  if (kind != zoo_kinds().end()) return *kind;
  const std::size_t start = at_ - word.size();
  if (word.empty()) {
    fail(start, "expected a topology here", "for example Mesh2D(4,3)");
  }
  const auto nearest = common::nearest_name(word, zoo_kind_names());
  fail(start, fmt::format("'{}' is not a known topology", word),
       nearest ? fmt::format("did you mean '{}'?", *nearest)
               : fmt::format("the topologies are {}", fmt::join(zoo_kind_names(), ", ")));
}

TopologyPtr TextParser::parse_topology(std::uint32_t depth) {
  skip_blanks();
  const std::size_t start = at_;
  if (depth >= kMaxNesting) {
    fail(start, fmt::format("topologies are nested more than {} deep", kMaxNesting));
  }
  const ZooKind& kind = parse_kind();
  expect("(");
  try {
    return parse_arguments(kind, depth);
  } catch (const std::invalid_argument& error) {
    fail(start, error.what());
  }
}

TopologyPtr TextParser::parse_arguments(const ZooKind& kind, std::uint32_t depth) {
  switch (kind.shape) {
    case KindShape::Sized:
      return parse_sized(kind);
    case KindShape::Terminal: {
      TopologyPtr base = parse_topology(depth + 1);
      expect(")");
      return std::make_shared<const TerminalRouter>(std::move(base));
    }
    case KindShape::Hierarchical:
      return parse_hierarchical(depth);
    case KindShape::Custom:
      return parse_custom();
  }
  throw std::logic_error("a kind without a shape");
}

TopologyPtr TextParser::parse_sized(const ZooKind& kind) {
  std::vector<std::uint32_t> sizes;
  for (const SizeParameter& size : kind.sizes) {
    if (!sizes.empty()) expect(",");
    sizes.push_back(parse_number(size.key, size.least));
  }
  expect(")");
  return kind.make(sizes);
}

TopologyPtr TextParser::parse_hierarchical(std::uint32_t depth) {
  TopologyPtr base = parse_topology(depth + 1);
  std::vector<HierarchicalSubTopology> children;
  while (take(",")) {
    expect("(");
    HierarchicalSubTopology child;
    child.base_node = parse_number("base_node", 0);
    expect(",");
    child.child_node = parse_number("child_node", 0);
    expect(",");
    child.topology = parse_topology(depth + 1);
    expect(")");
    children.push_back(std::move(child));
  }
  expect(")");
  return std::make_shared<const HierarchicalTopology>(std::move(base), std::move(children));
}

TopologyPtr TextParser::parse_custom() {
  const std::uint32_t n = parse_number("n", 1);
  std::vector<Channel> edges;
  while (take(",")) {
    const std::uint32_t src = parse_number("src", 0);
    expect("->");
    edges.push_back({src, parse_number("dst", 0)});
  }
  expect(")");
  return std::make_shared<const CustomTopology>(n, std::move(edges));
}

}  // namespace

TopologyPtr parse_zoo_text(std::string_view text) {
  return TextParser(text).parse();
}

}  // namespace kernbench::topology::zoo
