// SPDX-License-Identifier: Apache-2.0
// Reader of GraphML. expat reports the position of every element and does not resolve external
// entities. Document type declarations, which could define entities, are rejected here.
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "common/utf8.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/exchange/import_report.hpp"

namespace kernbench::topology {

using common::in_quotes;

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool equals_ignoring_case(std::string_view text, std::string_view upper) {
  return std::equal(text.begin(), text.end(), upper.begin(), upper.end(), [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

/// Attributes of an element. finish() rejects all attributes that were not read before.
class Attributes {
 public:
  Attributes(const XML_Char** names_and_values, std::string_view element, std::size_t offset,
             ImportReport& report)
      : element_(element), offset_(offset), report_(report) {
    for (; *names_and_values != nullptr; names_and_values += 2) {
      all_.emplace_back(names_and_values[0], names_and_values[1]);
    }
  }

  std::optional<std::string_view> get(std::string_view name) {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == all_.end()) return std::nullopt;
    const std::string_view value = found->second;
    all_.erase(found);
    return value;
  }

  std::optional<std::string_view> required(std::string_view name) {
    const auto value = get(name);
    if (!value) report_.error(offset_, fmt::format("<{}> must have '{}'", element_, name));
    if (value && value->empty()) {
      report_.error(offset_, fmt::format("'{}' of <{}> must not be empty", name, element_));
      return std::nullopt;
    }
    return value;
  }

  /// Rejects the remaining attributes, except namespaces and parser hints, which have no effect.
  void finish() {
    for (const auto& [name, value] : all_) {
      const bool harmless = name.starts_with("xmlns") || name.starts_with("xsi:") ||
                            name.starts_with("xml:") || name.starts_with("parse.");
      if (harmless) continue;
      report_.error(offset_,
                    fmt::format("<{}> with {} is not supported", element_, in_quotes(name)));
    }
  }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> all_;
  std::string_view element_;
  std::size_t offset_;
  ImportReport& report_;
};

class GraphmlReader {
 public:
  GraphmlReader(std::string_view text, ImportReport& report)
      : text_(text), report_(report), parser_(XML_ParserCreate("UTF-8"), &XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), &on_start, &on_end);
    XML_SetCharacterDataHandler(parser_.get(), &on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), &on_doctype);
    XML_SetXmlDeclHandler(parser_.get(), &on_declaration);
  }

  ImportedGraph read() {
    const XML_Status status =
        XML_Parse(parser_.get(), text_.data(), static_cast<int>(text_.size()), XML_TRUE);
    if (status != XML_STATUS_OK && !stopped_) {
      report_.error(offset(), fmt::format("not well-formed XML: {}",
                                          XML_ErrorString(XML_GetErrorCode(parser_.get()))));
      return {};
    }
    if (stopped_) return {};
    return finish();
  }

 private:
  enum class Place { Document, Graphml, Graph, Node, Edge };

  /// A node id in the file, and the node's number once the node was read.
  struct Name {
    std::optional<std::uint32_t> number;
    std::size_t offset = 0;
  };
  struct NamedEdge {
    std::uint32_t from;  ///< index into names_
    std::uint32_t to;
    std::size_t offset;
    bool directed;
  };

  static GraphmlReader& self(void* user_data) { return *static_cast<GraphmlReader*>(user_data); }
  static void XMLCALL on_start(void* user_data, const XML_Char* name, const XML_Char** attributes) {
    self(user_data).start(name, attributes);
  }
  static void XMLCALL on_end(void* user_data, const XML_Char* /*name*/) { self(user_data).end(); }
  static void XMLCALL on_text(void* user_data, const XML_Char* text, int length) {
    self(user_data).characters({text, static_cast<std::size_t>(length)});
  }
  static void XMLCALL on_doctype(void* user_data, const XML_Char* /*name*/,
                                 const XML_Char* /*system_id*/, const XML_Char* /*public_id*/,
                                 int /*has_internal_subset*/) {
    self(user_data).refuse_doctype();
  }
  static void XMLCALL on_declaration(void* user_data, const XML_Char* /*version*/,
                                     const XML_Char* encoding, int /*standalone*/) {
    if (encoding != nullptr) self(user_data).check_encoding(encoding);
  }

  [[nodiscard]] std::size_t offset() const {
    const XML_Index index = XML_GetCurrentByteIndex(parser_.get());
    return index < 0 ? text_.size() : std::min(static_cast<std::size_t>(index), text_.size());
  }

  void stop(std::string message) {
    if (stopped_) return;
    report_.error(offset(), std::move(message));
    give_up();
  }

  void refuse_doctype() {
    const std::size_t start = text_.rfind("<!DOCTYPE", offset());
    report_.error(start == std::string_view::npos ? offset() : start,
                  "a document type declaration (DOCTYPE) is not supported");
    give_up();
  }

  void give_up() {
    stopped_ = true;
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void check_encoding(std::string_view encoding) {
    if (equals_ignoring_case(encoding, "UTF-8") || equals_ignoring_case(encoding, "US-ASCII")) {
      return;
    }
    stop(fmt::format("the encoding must be UTF-8, not {}", in_quotes(encoding)));
  }

  void start(std::string_view name, const XML_Char** attributes) {
    if (stopped_) return;
    if (report_.full()) {
      give_up();
      return;
    }
    if (skipped_ > 0) {
      ++skipped_;
      return;
    }
    Attributes found(attributes, name, offset(), report_);
    switch (place_.back()) {
      case Place::Document:
        return start_root(name, found);
      case Place::Graphml:
        return start_in_graphml(name, found);
      case Place::Graph:
        return start_in_graph(name, found);
      case Place::Node:
      case Place::Edge:
        return skip(name, "inside a node or an edge");
    }
  }

  void end() {
    if (stopped_) return;
    if (skipped_ > 0) {
      --skipped_;
    } else {
      place_.pop_back();
    }
  }

  void characters(std::string_view text) {
    if (stopped_ || skipped_ > 0 || is_blank(text)) return;
    report_.error(offset(), fmt::format("text between elements: {}", in_quotes(text)));
  }

  /// Skips descriptions and data, which have no effect; rejects any other element.
  void skip(std::string_view name, std::string_view where) {
    if (name != "data" && name != "desc" && !(name == "key" && place_.back() == Place::Graphml)) {
      report_.error(offset(),
                    fmt::format("<{}> is not supported {}", common::printable(name, 40), where));
    }
    ++skipped_;
  }

  void start_root(std::string_view name, Attributes& attributes) {
    if (name != "graphml") {
      stop(
          fmt::format("the root element must be <graphml>, not <{}>", common::printable(name, 40)));
      return;
    }
    attributes.finish();
    place_.push_back(Place::Graphml);
  }

  void start_in_graphml(std::string_view name, Attributes& attributes) {
    if (name != "graph") return skip(name, "beside the graph");
    if (has_graph_) {
      stop("a second <graph>: only one is allowed");
      return;
    }
    has_graph_ = true;
    static_cast<void>(attributes.get("id"));
    const auto direction = attributes.required("edgedefault");
    directed_ = direction.value_or("directed") != "undirected";
    if (direction && *direction != "directed" && *direction != "undirected") {
      report_.error(offset(), fmt::format("'edgedefault' must be directed or undirected, not {}",
                                          in_quotes(*direction)));
    }
    attributes.finish();
    place_.push_back(Place::Graph);
  }

  void start_in_graph(std::string_view name, Attributes& attributes) {
    if (name == "node") return start_node(attributes);
    if (name == "edge") return start_edge(attributes);
    skip(name, "in a graph");
  }

  void start_node(Attributes& attributes) {
    place_.push_back(Place::Node);
    const auto id = attributes.required("id");
    attributes.finish();
    if (!id) return;
    if (nodes_ == kMaxImportNodes) {
      stop(fmt::format("more than {} nodes", kMaxImportNodes));
      return;
    }
    Name& node = names_[index_of(*id)];
    if (node.number) {
      report_.error(offset(), fmt::format("node {} appears twice; the first is in line {}",
                                          in_quotes(*id), report_.line_of(node.offset)));
      return;
    }
    node.number = nodes_++;
    node.offset = offset();
  }

  void start_edge(Attributes& attributes) {
    place_.push_back(Place::Edge);
    static_cast<void>(attributes.get("id"));
    const auto source = attributes.required("source");
    const auto target = attributes.required("target");
    const auto directed = attributes.get("directed");
    if (directed && *directed != "true" && *directed != "false") {
      report_.error(offset(),
                    fmt::format("'directed' must be true or false, not {}", in_quotes(*directed)));
    }
    attributes.finish();
    if (!source || !target) return;
    if (edges_.size() == kMaxImportEdges) {
      stop(fmt::format("more than {} edges", kMaxImportEdges));
      return;
    }
    edges_.push_back({index_of(*source), index_of(*target), offset(),
                      directed ? *directed == "true" : directed_});
  }

  std::uint32_t index_of(std::string_view id) {
    const auto [entry, is_new] =
        index_.try_emplace(std::string(id), static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      names_.emplace_back();
      ids_.push_back(&entry->first);
    }
    return entry->second;
  }

  ImportedGraph finish() {
    EdgeCollector collector(report_);
    for (const NamedEdge& edge : edges_) {
      const auto from = number_of(edge.from, edge.offset);
      const auto to = number_of(edge.to, edge.offset);
      if (!from || !to) continue;
      collector.add(*from, *to, edge.offset);
      if (!edge.directed && *from != *to) collector.add(*to, *from, edge.offset);
    }
    ImportedGraph graph{nodes_, collector.finish(), node_names()};
    if (report_.failed()) return graph;
    if (!has_graph_) {
      report_.error("missing <graph>");
    } else if (graph.edges.empty()) {
      report_.error("the graph has no edges");
    }
    return graph;
  }

  /// Returns the ids of the nodes by number, or nothing when they only repeat the numbers.
  [[nodiscard]] std::vector<std::string> node_names() const {
    std::vector<std::string> names(nodes_);
    bool numbers_only = true;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const auto number = names_[i].number;
      if (!number) continue;
      numbers_only = numbers_only && *ids_[i] == "n" + std::to_string(*number);
      names[*number] = *ids_[i];
    }
    return numbers_only ? std::vector<std::string>{} : names;
  }

  std::optional<std::uint32_t> number_of(std::uint32_t index, std::size_t offset) {
    if (!names_[index].number) {
      report_.error(offset, fmt::format("unknown node {}", in_quotes(*ids_[index])));
    }
    return names_[index].number;
  }

  std::string_view text_;
  ImportReport& report_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::vector<Place> place_{Place::Document};
  std::size_t skipped_ = 0;  ///< depth below an element that is skipped
  bool stopped_ = false;
  bool has_graph_ = false;
  bool directed_ = true;  ///< default direction of edges
  std::uint32_t nodes_ = 0;
  std::unordered_map<std::string, std::uint32_t> index_;  ///< index into names_ and ids_, by id
  std::vector<Name> names_;
  std::vector<const std::string*> ids_;
  std::vector<NamedEdge> edges_;
};

}  // namespace

ImportedGraph import_graphml(std::string_view text, const std::string& file,
                             common::Diagnostics& diagnostics) {
  ImportReport report(text, file, diagnostics);
  if (text.size() > kMaxImportBytes) {
    report.error(fmt::format("more than {} bytes", kMaxImportBytes));
    return {};
  }
  // expat would take text with NUL bytes for UTF-16.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    report.error(nul, "a NUL byte: the file must be text in UTF-8");
    return {};
  }
  ImportedGraph graph = GraphmlReader(text, report).read();
  return report.failed() ? ImportedGraph{} : graph;
}

}  // namespace kernbench::topology
