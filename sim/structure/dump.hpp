// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kernbench::sim::structure {

/// Number of a string in Names; 0 is the empty string.
using Name = std::uint32_t;

/// Strings, each stored once.
class Names {
 public:
  Names() { intern({}); }
  Name intern(std::string_view text);
  [[nodiscard]] const std::string& operator[](Name name) const { return strings_[name]; }

 private:
  std::deque<std::string> strings_;
  std::unordered_map<std::string_view, Name> numbers_;
};

/// A place in the sources: a number in Dump::files, and a line.
struct Place {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// A node of Verilator's syntax tree after elaboration. Types and roles have the names of the JSON
/// format ("VAR", "condp"), whichever format was read. Fields that a type does not have are empty.
struct Node {
  Name type = 0;
  Name role = 0;    ///< list of the parent that holds this node
  Name name = 0;    ///< constants: "4'hf"
  Name orig = 0;    ///< name in the sources
  Name id = 0;      ///< identity that `dtype` and `target` of other nodes refer to
  Name dtype = 0;   ///< data type
  Name target = 0;  ///< variable, module or function that this node refers to
  Name detail = 0;  ///< direction, edge, dotted prefix, width of a selection, range of bits
  Name extra = 0;   ///< kind of a variable; keyword of a process; name of a modport
  Place place;
  std::vector<Node> children;
};

/// A dump that Verilator wrote of an elaborated design.
struct Dump {
  Names names;
  std::vector<std::string> files;
  Node root;             ///< modules, interfaces, packages and the table of data types
  bool by_name = false;  ///< references have no `target`; they are resolved by name and scope

  [[nodiscard]] const std::string& text(Name name) const { return names[name]; }
  /// Returns, for example, "rtl/topo.sv:45".
  [[nodiscard]] std::string at(const Place& place) const;
};

/// Reads a dump of either format, which its suffix tells.
[[nodiscard]] Dump read_dump(const std::string& path);

/// Reads the output of `verilator --xml-only`. Throws common::BadInput when `path` cannot be read
/// or is not such a file.
[[nodiscard]] Dump read_xml_dump(const std::string& path);

/// Reads the two outputs of `verilator --json-only`: `path` ends in .tree.json, and beside it is
/// the file in .tree.meta.json. Throws common::BadInput as above.
[[nodiscard]] Dump read_json_dump(const std::string& path);

}  // namespace kernbench::sim::structure
