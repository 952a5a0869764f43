// SPDX-License-Identifier: Apache-2.0
// Reader of GraphML. expat reports the position of every element and does not resolve external
// entities. Document type declarations, which could define entities, are rejected here.
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
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

  /// Rejects the remaining attributes, except those of other namespaces and hints for parsers and
  /// editors, which have no effect.
  void finish() {
    for (const auto& [name, value] : all_) {
      const bool harmless = name == "xmlns" || name.find(':') != std::string_view::npos ||
                            name.starts_with("parse.") || name.starts_with("yfiles.");
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
  GraphmlReader(std::string_view text, ImportReport& report, std::vector<std::string>* notes)
      : text_(text),
        report_(report),
        notes_(notes),
        parser_(XML_ParserCreate("UTF-8"), &XML_ParserFree) {
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

  /// A node id in the file.
  struct Name {
    std::optional<std::uint32_t> place;  ///< among the nodes of the file, once it was read
    std::size_t offset = 0;
    bool is_group = false;  ///< contains a graph
    bool has_links = false;
    std::uint32_t number = 0;  ///< in the graph
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
    if (place_.back() == Place::Document) take_prefix(name);
    if (name.starts_with(prefix_)) name.remove_prefix(prefix_.size());
    Attributes found(attributes, name, offset(), report_);
    switch (place_.back()) {
      case Place::Document:
        return start_root(name, found);
      case Place::Graphml:
        return start_in_graphml(name, found);
      case Place::Graph:
        return start_in_graph(name, found);
      case Place::Node:
        return start_in_node(name, found);
      case Place::Edge:
        return skip(name, "inside an edge");
    }
  }

  void end() {
    if (stopped_) return;
    if (skipped_ > 0) {
      --skipped_;
    } else {
      if (place_.back() == Place::Graph) directed_.pop_back();
      if (place_.back() == Place::Node) inside_.pop_back();
      place_.pop_back();
    }
  }

  /// Keeps the prefix of the root element, "g:" in <g:graphml>, which all elements of GraphML have.
  void take_prefix(std::string_view root) {
    const std::size_t colon = root.find(':');
    if (colon != std::string_view::npos) prefix_ = root.substr(0, colon + 1);
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
    start_graph(attributes);
  }

  void start_graph(Attributes& attributes) {
    static_cast<void>(attributes.get("id"));
    const auto direction = attributes.required("edgedefault");
    directed_.push_back(direction.value_or("directed") != "undirected");
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

  void start_in_node(std::string_view name, Attributes& attributes) {
    if (name == "graph") {
      if (inside_.back()) names_[*inside_.back()].is_group = true;
      return start_graph(attributes);
    }
    if (name != "port") return skip(name, "inside a node");
    has_ports_ = true;
    ++skipped_;
  }

  void start_node(Attributes& attributes) {
    place_.push_back(Place::Node);
    inside_.emplace_back();
    const auto id = attributes.required("id");
    attributes.finish();
    if (!id) return;
    if (nodes_ == kMaxImportNodes) {
      stop(fmt::format("more than {} nodes", kMaxImportNodes));
      return;
    }
    inside_.back() = index_of(*id);
    Name& node = names_[*inside_.back()];
    if (node.place) {
      report_.error(offset(), fmt::format("node {} appears twice; the first is in line {}",
                                          in_quotes(*id), report_.line_of(node.offset)));
      return;
    }
    node.place = nodes_++;
    node.offset = offset();
  }

  void start_edge(Attributes& attributes) {
    place_.push_back(Place::Edge);
    static_cast<void>(attributes.get("id"));
    const auto source = attributes.required("source");
    const auto target = attributes.required("target");
    const auto directed = attributes.get("directed");
    for (const char* port : {"sourceport", "targetport"}) {
      if (attributes.get(port)) has_ports_ = true;
    }
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
                      directed ? *directed == "true" : directed_.back()});
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
    check_links();
    if (report_.failed()) return {};
    number_nodes();
    ImportedGraph graph{nodes_, {}, node_names()};
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::size_t merged = 0;
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
      const bool is_new = seen.emplace(from, to).second;
      if (is_new) graph.edges.emplace_back(from, to);
      return is_new;
    };
    for (const NamedEdge& edge : edges_) {
      const std::uint32_t from = names_[edge.from].number;
      const std::uint32_t to = names_[edge.to].number;
      const bool is_new = add(from, to);
      const bool is_new_back = edge.directed || add(to, from);
      if (!is_new || !is_new_back) ++merged;
    }
    if (!has_graph_) {
      report_.error("missing <graph>");
    } else if (graph.edges.empty()) {
      report_.error("the graph has no edges");
    } else if (notes_ != nullptr) {
      add_notes(merged);
    }
    return graph;
  }

  /// Reports links with a node that does not exist, and from a node to itself.
  void check_links() {
    for (const NamedEdge& edge : edges_) {
      bool known = true;
      for (const std::uint32_t end : {edge.from, edge.to}) {
        if (names_[end].place) continue;
        known = false;
        report_.error(edge.offset, fmt::format("unknown node {}", in_quotes(*ids_[end])));
      }
      if (known && edge.from == edge.to) {
        report_.error(edge.offset, fmt::format("an edge must not lead from node {} to itself",
                                               in_quotes(*ids_[edge.from])));
      }
      names_[edge.from].has_links = names_[edge.to].has_links = true;
    }
  }

  /// Numbers the nodes in the order of the file. Groups without links are not nodes.
  void number_nodes() {
    std::vector<Name*> in_file(nodes_);
    for (Name& name : names_) {
      if (name.place) in_file[*name.place] = &name;
    }
    nodes_ = 0;
    for (Name* name : in_file) {
      if (name->is_group && !name->has_links) {
        name->place.reset();
        ++groups_;
      } else {
        name->number = nodes_++;
      }
    }
  }

  /// Returns the ids of the nodes by number, or nothing when they only repeat the numbers.
  [[nodiscard]] std::vector<std::string> node_names() const {
    std::vector<std::string> names(nodes_);
    bool numbers_only = true;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!names_[i].place) continue;
      const std::uint32_t number = names_[i].number;
      numbers_only = numbers_only && *ids_[i] == "n" + std::to_string(number);
      names[number] = *ids_[i];
    }
    return numbers_only ? std::vector<std::string>{} : names;
  }

  void add_notes(std::size_t merged) {
    const auto add = [&](std::size_t count, std::string_view one, std::string_view several) {
      if (count == 1) notes_->push_back(fmt::format("{}: 1 {}", report_.file(), one));
      if (count > 1) notes_->push_back(fmt::format("{}: {} {}", report_.file(), count, several));
    };
    add(merged, "link joins nodes that another link joins already, and is merged with it",
        "links join nodes that other links join already, and are merged with them");
    add(groups_, "group without links of its own is left out; its nodes are kept",
        "groups without links of their own are left out; their nodes are kept");
    if (has_ports_) {
      notes_->push_back(fmt::format("{}: ports are ignored; links join nodes", report_.file()));
    }
  }

  std::string_view text_;
  ImportReport& report_;
  std::vector<std::string>* notes_;  ///< null: they are not asked for
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::vector<Place> place_{Place::Document};
  std::size_t skipped_ = 0;  ///< depth below an element that is skipped
  bool stopped_ = false;
  bool has_graph_ = false;
  bool has_ports_ = false;
  std::string prefix_;          ///< "g:" of the elements of GraphML, or empty
  std::vector<bool> directed_;  ///< default direction of edges in each open graph
  std::vector<std::optional<std::uint32_t>> inside_;  ///< open nodes, as indices into names_
  std::uint32_t groups_ = 0;                          ///< left out
  std::uint32_t nodes_ = 0;  ///< in the file; without groups once they are numbered
  std::unordered_map<std::string, std::uint32_t> index_;  ///< index into names_ and ids_, by id
  std::vector<Name> names_;
  std::vector<const std::string*> ids_;
  std::vector<NamedEdge> edges_;
};

}  // namespace

ImportedGraph import_graphml(std::string_view text, const std::string& file,
                             common::Diagnostics& diagnostics, std::vector<std::string>* notes) {
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
  ImportedGraph graph = GraphmlReader(text, report, notes).read();
  return report.failed() ? ImportedGraph{} : graph;
}

}  // namespace kernbench::topology
