// SPDX-License-Identifier: Apache-2.0
// Reader of `verilator --json-only`. The file is read as a stream of events: as a tree of JSON
// values, the dump of a large fabric would need gigabytes.
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
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

using Json = nlohmann::json;

/// Fields of a node and the keys that fill them. A node has at most one of the keys of a field.
constexpr std::array<std::pair<std::string_view, Name Node::*>, 18> kNodeFields = {
    {{"type", &Node::type},
     {"name", &Node::name},
     {"origName", &Node::orig},
     {"addr", &Node::id},
     {"dtypep", &Node::dtype},
     {"varp", &Node::target},
     {"modp", &Node::target},
     {"taskp", &Node::target},
     {"refDTypep", &Node::target},
     {"direction", &Node::detail},
     {"edgeType", &Node::detail},
     {"dotted", &Node::detail},
     {"widthConst", &Node::detail},
     {"range", &Node::detail},
     {"varType", &Node::extra},
     {"keyword", &Node::extra},
     {"modportName", &Node::extra},
     {"blockp", &Node::target}}};

class JsonReader final : public nlohmann::json_sax<Json> {
 public:
  explicit JsonReader(Dump& dump, const std::unordered_map<std::string, std::uint32_t>& files)
      : dump_(dump), files_(files) {}

  bool start_object(std::size_t /*count*/) override {
    Node node;
    node.role = roles_.empty() ? 0 : roles_.back();
    open_.push_back(std::move(node));
    return true;
  }
  bool end_object() override {
    Node node = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) {
      dump_.root = std::move(node);
    } else {
      open_.back().children.push_back(std::move(node));
    }
    return true;
  }
  bool start_array(std::size_t /*count*/) override {
    roles_.push_back(key_);
    return true;
  }
  bool end_array() override {
    roles_.pop_back();
    return true;
  }
  bool key(string_t& text) override {
    key_ = dump_.names.intern(text);
    return true;
  }
  bool string(string_t& text) override {
    set(text);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    set(std::to_string(value));
    return true;
  }
  bool number_integer(number_integer_t value) override {
    set(std::to_string(value));
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    error_at_ = position;
    return false;
  }

  [[nodiscard]] std::size_t error_at() const { return error_at_; }

 private:
  void set(const std::string& value) {
    if (open_.empty()) return;
    Node& node = open_.back();
    const std::string& key = dump_.text(key_);
    if (key == "loc") {
      node.place = place(value);
      return;
    }
    for (const auto& [name, field] : kNodeFields) {
      if (key == name && value != "UNLINKED") node.*field = dump_.names.intern(value);
    }
  }

  /// Reads, for example, "n,20:8,20:19".
  Place place(const std::string& loc) {
    const auto comma = loc.find(',');
    if (comma == std::string::npos) return {};
    const auto file = files_.find(loc.substr(0, comma));
    const auto line = loc.substr(comma + 1, loc.find(':') - comma - 1);
    return {file == files_.end() ? 0 : file->second,
            static_cast<std::uint32_t>(common::parse_u64(line).value_or(0))};
  }

  Dump& dump_;
  const std::unordered_map<std::string, std::uint32_t>& files_;
  std::vector<Node> open_;
  std::vector<Name> roles_;
  Name key_ = 0;
  std::size_t error_at_ = 0;
};

std::ifstream open_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw common::BadInput(path + ": cannot be read");
  return file;
}

}  // namespace

Dump read_json_dump(const std::string& path) {
  Dump dump;
  std::unordered_map<std::string, std::uint32_t> files;
  const std::string meta_path = path.substr(0, path.rfind(".json")) + ".meta.json";
  const Json meta = Json::parse(allowed_text(common::read_text_file(meta_path)), nullptr,
                                /*allow_exceptions=*/false);
  if (!meta.is_object() || !meta.contains("files")) {
    throw common::BadInput(meta_path + ": not an output of verilator --json-only");
  }
  for (const auto& [id, file] : meta.at("files").items()) {
    files.emplace(id, static_cast<std::uint32_t>(dump.files.size()));
    dump.files.push_back(file.value("filename", "?"));
  }
  std::ifstream tree = open_file(path);
  JsonReader reader(dump, files);
  if (!Json::sax_parse(tree, &reader)) {
    throw common::BadInput(fmt::format("{}: not valid JSON at byte {}", path, reader.error_at()));
  }
  if (dump.text(dump.root.type) != "NETLIST") {
    throw common::BadInput(path + ": not an output of verilator --json-only");
  }
  return dump;
}

}  // namespace kernbench::sim::structure
