// SPDX-License-Identifier: Apache-2.0
// Reader of GraphML. expat reports the position of every element and does not resolve external
// entities. Document type declarations, which could define entities, are rejected here.
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/numbers.hpp"
#include "common/utf8.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/exchange/graphml_attributes.hpp"
#include "topology/exchange/graphml_graph.hpp"
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

class GraphmlReader {
 public:
  GraphmlReader(std::string_view text, ImportReport& report, std::vector<std::string>* notes)
      : text_(text),
        report_(report),
        notes_(notes),
        parser_(XML_ParserCreate("UTF-8"), &XML_ParserFree),
        graph_(report) {
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
      look_at_skipped(name, attributes);
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
        skip(name, "inside an edge");
        if (const auto key = found.get("key"); name == "data" && key && graph_.links() > 0) {
          take_number(*key, kStagesKey);
        }
        return;
    }
  }

  void end() {
    if (stopped_) return;
    if (skipped_ > 0) {
      if (skipped_ == label_depth_) take_label();
      --skipped_;
    } else {
      if (place_.back() == Place::Graph) directed_.pop_back();
      if (place_.back() == Place::Node) inside_.pop_back();
      place_.pop_back();
    }
  }

  /// Takes what editors say of nodes and links in their own elements inside <data>.
  void look_at_skipped(std::string_view name, const XML_Char** attributes) {
    const std::string_view local = name.substr(name.find(':') + 1);
    if (local == "NodeLabel" && place_.back() == Place::Node && label_depth_ == 0) {
      label_depth_ = skipped_;
    } else if (local == "Arrows" && place_.back() == Place::Edge && has_arrows_) {
      Attributes found(attributes, local, offset(), report_);
      const auto is_drawn = [&](std::string_view end) {
        return found.get(end).value_or("none") != "none";
      };
      const bool at_source = is_drawn("source");
      graph_.set_arrows(at_source, is_drawn("target"));
    }
  }

  void take_label() {
    if (data_ == kStagesKey) {
      if (const auto stages = number(kMaxImportStages)) graph_.set_stages(*stages);
    } else if (data_ == kEndpointsKey) {
      const auto endpoints = number(kMaxImportEndpoints);
      if (inside_.back() && endpoints) graph_.set_endpoints(*inside_.back(), *endpoints);
    } else if (inside_.back()) {
      graph_.set_label(*inside_.back(), label_);
    }
    label_.clear();
    label_depth_ = 0;
    data_ = {};
  }

  /// Returns the number that the data are, or reports that they are none up to `most`.
  std::optional<std::uint32_t> number(std::uint32_t most) {
    const auto value = common::parse_u64(label_);
    if (value && *value <= most) return static_cast<std::uint32_t>(*value);
    report_.error(offset(), fmt::format("'{}' must be an integer from 0 to {}, not {}", data_, most,
                                        in_quotes(label_)));
    return std::nullopt;
  }

  /// Takes the text of the open <data> if it is a number of the graph.
  void take_number(std::string_view id, std::string_view key) {
    if (!number_keys_.contains({std::string(id), std::string(key)})) return;
    label_depth_ = skipped_;
    data_ = key;
  }

  /// Notes a key whose data are labels of nodes, or numbers of the graph.
  void read_key(Attributes& attributes) {
    const auto id = attributes.get("id");
    const std::string_view name = attributes.get("attr.name").value_or("");
    const std::string_view owner = attributes.get("for").value_or("all");
    if (id && (name == "label" || name == "name") && (owner == "node" || owner == "all")) {
      label_keys_.emplace(*id);
    }
    if (id &&
        ((name == kEndpointsKey && owner == "node") || (name == kStagesKey && owner == "edge"))) {
      number_keys_.emplace(*id, name);
    }
  }

  /// Keeps the prefix of the root element, "g:" in <g:graphml>, which all elements of GraphML have.
  void take_prefix(std::string_view root) {
    const std::size_t colon = root.find(':');
    if (colon != std::string_view::npos) prefix_ = root.substr(0, colon + 1);
  }

  void characters(std::string_view text) {
    if (!stopped_ && label_depth_ > 0 && skipped_ == label_depth_) label_ += text;
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
    if (name == "key") read_key(attributes);
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
      if (inside_.back()) graph_.set_group(*inside_.back());
      return start_graph(attributes);
    }
    if (name != "port") {
      skip(name, "inside a node");
      const auto key = attributes.get("key");
      if (name != "data" || !key) return;
      if (label_keys_.contains(*key)) label_depth_ = skipped_;
      take_number(*key, kEndpointsKey);
      return;
    }
    has_ports_ = true;
    ++skipped_;
  }

  void start_node(Attributes& attributes) {
    place_.push_back(Place::Node);
    inside_.emplace_back();
    const auto id = attributes.required("id");
    attributes.finish();
    if (!id) return;
    if (graph_.nodes() == kMaxImportNodes) {
      stop(fmt::format("more than {} nodes", kMaxImportNodes));
      return;
    }
    inside_.back() = graph_.index_of(*id);
    graph_.add_node(*inside_.back(), offset());
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
    has_arrows_ = !directed && source && target;
    if (!source || !target) return;
    if (graph_.links() == kMaxImportEdges) {
      stop(fmt::format("more than {} edges", kMaxImportEdges));
      return;
    }
    const std::uint32_t from = graph_.index_of(*source);
    graph_.add_link(from, graph_.index_of(*target), offset(),
                    directed ? *directed == "true" : directed_.back());
  }

  ImportedGraph finish() {
    ImportedGraph graph = graph_.finish(notes_);
    if (!report_.failed() && !has_graph_) {
      report_.error("missing <graph>");
    } else if (!report_.failed() && graph.edges.empty()) {
      report_.error("the graph has no edges");
    }
    if (has_ports_ && notes_ != nullptr) {
      notes_->push_back(fmt::format("{}: ports are ignored; links join nodes", report_.file()));
    }
    return graph;
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
  std::vector<std::optional<std::uint32_t>> inside_;  ///< open nodes, as indices of their ids
  bool has_arrows_ = false;  ///< arrows of an editor decide the direction of the open edge
  GraphmlGraph graph_;
  std::set<std::string, std::less<>> label_keys_;  ///< keys of data that label nodes
  std::size_t label_depth_ = 0;  ///< `skipped_` of the element whose text is a label; 0 for none
  std::string label_;
  std::string_view data_;  ///< the number of the graph that `label_` is; empty for a label
  std::set<std::pair<std::string, std::string>> number_keys_;  ///< keys and what their data are
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
