// SPDX-License-Identifier: Apache-2.0
// Reader of `verilator --xml-only`. It turns the nodes into those of the JSON format.
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/text_file.hpp"
#include "sim/structure/dump.hpp"
#include "sim/structure/dump_text.hpp"

namespace kernbench::sim::structure {
namespace {

/// Elements whose name is not that of their node in capitals.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kRenamed = {
    {{"contassign", "ASSIGNW"}, {"instance", "CELL"}, {"port", "PIN"}}};

std::string node_type(std::string_view element) {
  for (const auto& [xml, json] : kRenamed) {
    if (element == xml) return std::string(json);
  }
  std::string upper(element);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return upper;
}

class XmlReader {
 public:
  explicit XmlReader(const std::string& path)
      : path_(path), parser_(XML_ParserCreate("UTF-8"), &XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    dump_.by_name = true;
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<XmlReader*>(self)->start(name, attributes);
        },
        [](void* self, const XML_Char*) { static_cast<XmlReader*>(self)->end(); });
  }

  Dump read() {
    const std::string text =
        allowed_text(common::read_text_file(path_, std::numeric_limits<int>::max()));
    if (XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), XML_TRUE) !=
        XML_STATUS_OK) {
      throw common::BadInput(fmt::format("{}:{}: not well-formed XML: {}", path_,
                                         XML_GetCurrentLineNumber(parser_.get()),
                                         XML_ErrorString(XML_GetErrorCode(parser_.get()))));
    }
    if (dump_.root.children.empty()) {
      throw common::BadInput(path_ + ": no modules; it is not an output of verilator --xml-only");
    }
    return std::move(dump_);
  }

 private:
  Name intern(std::string_view text) { return dump_.names.intern(text); }

  void start(std::string_view element, const XML_Char** attributes) {
    if (element == "file" && open_.empty()) add_file(attributes);
    if (element == "netlist") inside_ = true;
    if (!inside_ || element == "netlist") return;
    Node node;
    node.type = intern(node_type(element));
    for (; *attributes != nullptr; attributes += 2) set(node, element, *attributes, attributes[1]);
    open_.push_back(std::move(node));
  }

  void end() {
    if (open_.empty()) return;
    Node node = std::move(open_.back());
    open_.pop_back();
    arrange(node);
    (open_.empty() ? dump_.root : open_.back()).children.push_back(std::move(node));
  }

  void add_file(const XML_Char** attributes) {
    std::string id;
    std::string name;
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view key = *attributes;
      if (key == "id") id = attributes[1];
      if (key == "filename") name = attributes[1];
    }
    if (!files_.emplace(id, static_cast<std::uint32_t>(dump_.files.size())).second) return;
    dump_.files.push_back(name);
  }

  void set(Node& node, std::string_view element, std::string_view key, std::string_view value) {
    if (key == "loc") node.place = place(value);
    if (key == "name") node.name = intern(value);
    if (key == "origName") node.orig = intern(value);
    if (key == "id") node.id = intern(value);
    if (key == "dtype_id") node.dtype = intern(value);
    if (key == "defName" || key == "sub_dtype_id") node.target = intern(value);
    if (key == "dir" || key == "direction" || key == "dotted" || key == "edgeType") {
      node.detail = intern(value);
    }
    if (key == "left" && element == "basicdtype") node.detail = intern(value);
    if (key == "right") {
      node.detail = intern(fmt::format("{}:{}", dump_.text(node.detail), value));
    }
    if (key == "vartype" && value == "ifaceref") node.extra = intern("IFACEREF");
    if (key == "param") node.extra = intern("GPARAM");
    if (key == "localparam") node.extra = intern("LPARAM");
    if (key == "modportname") node.extra = intern(value);
    if (key == "topModule") node.extra = intern("TOP");
  }

  /// Reads, for example, "k,39,11,39,16".
  Place place(std::string_view loc) {
    const auto comma = loc.find(',');
    if (comma == std::string_view::npos) return {};
    const auto rest = loc.substr(comma + 1);
    const auto file = files_.find(std::string(loc.substr(0, comma)));
    return {file == files_.end() ? 0 : file->second,
            static_cast<std::uint32_t>(
                common::parse_u64(std::string(rest.substr(0, rest.find(',')))).value_or(0))};
  }

  bool is(const Node& node, std::string_view type) const { return dump_.text(node.type) == type; }

  bool is_statement(const Node& node) const {
    // Every expression has a type of data; so have assignments and calls.
    static constexpr std::array<std::string_view, 4> kTyped = {"ASSIGN", "ASSIGNDLY", "TASKREF",
                                                               "STMTEXPR"};
    return node.dtype == 0 ||
           std::find(kTyped.begin(), kTyped.end(), dump_.text(node.type)) != kTyped.end();
  }

  void give_role(Node& node, std::string_view role) { node.role = intern(role); }

  /// Replaces the <begin> that only groups child `at` by its content, in the given role.
  void ungroup(Node& node, std::vector<Node>& into, std::size_t at, std::string_view role) {
    if (at >= node.children.size()) return;
    for (Node& child : node.children[at].children) {
      give_role(child, role);
      into.push_back(std::move(child));
    }
  }

  /// Gives the children of control statements their roles, as in JSON.
  void arrange(Node& node) {
    std::vector<Node> children;
    if (is(node, "IF")) {
      give_role(node.children.front(), "condp");
      children.push_back(std::move(node.children.front()));
      ungroup(node, children, 1, "thensp");
      ungroup(node, children, 2, "elsesp");
    } else if (is(node, "WHILE")) {
      constexpr std::array<std::string_view, 4> kRoles = {"precondsp", "condp", "stmtsp", "incsp"};
      for (std::size_t i = 0; i < kRoles.size(); ++i) ungroup(node, children, i, kRoles[i]);
    } else if (is(node, "CASE")) {
      for (Node& child : node.children)
        give_role(child, is(child, "CASEITEM") ? "itemsp" : "exprp");
      return;
    } else if (is(node, "CASEITEM")) {
      for (Node& child : node.children) give_role(child, is_statement(child) ? "stmtsp" : "condsp");
      return;
    } else if (is(node, "SEL") && node.children.size() == 3) {
      const std::string& width = dump_.text(node.children.back().name);
      const auto value = common::parse_u64(fmt::format("0x{}", width.substr(width.find('h') + 1)));
      node.detail = intern(std::to_string(value.value_or(1)));
      node.children.pop_back();
      return;
    } else {
      return;
    }
    node.children = std::move(children);
  }

  std::string path_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  Dump dump_;
  std::unordered_map<std::string, std::uint32_t> files_;
  std::vector<Node> open_;
  bool inside_ = false;
};

}  // namespace

Dump read_xml_dump(const std::string& path) {
  return XmlReader(path).read();
}

}  // namespace kernbench::sim::structure
