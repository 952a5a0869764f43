// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/source_names.hpp"

#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "names";

/// Returns true if a name that ends before `text[end]` is whole: "kb_src/1" is not in "kb_src/12".
bool ends_name(std::string_view text, std::size_t end) {
  return end == text.size() ||
         (std::isalnum(static_cast<unsigned char>(text[end])) == 0 && text[end] != '_');
}

/// Returns the path as users see it: the repository's files relative to the current folder.
std::string shown_path(const std::string& name, const fs::path& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error || name != kRootName) return path.string();
  const fs::path relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

}  // namespace

void SourceNames::add(std::string name, fs::path path) {
  names_.emplace_back(std::move(name), std::move(path));
}

fs::path SourceNames::path_of(std::string_view name) const {
  for (const auto& [known, path] : names_) {
    if (!name.starts_with(known) || !ends_name(name, known.size())) continue;
    // Text, not a path operation: "kb_inc/0/../x" is beside the folder that the link leads to.
    return fs::path(path.string() + std::string(name.substr(known.size())));
  }
  return {std::string(name)};
}

std::string SourceNames::user_text(std::string_view text) const {
  if (text.find("kb_") == std::string_view::npos) return std::string(text);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::pair<std::string, fs::path>* found = nullptr;
    for (const auto& one : names_) {
      if (text.compare(at, one.first.size(), one.first) == 0 &&
          ends_name(text, at + one.first.size())) {
        found = &one;
        break;
      }
    }
    if (found == nullptr) {
      result += text[at++];
      continue;
    }
    std::string path = shown_path(found->first, found->second);
    at += found->first.size();
    // The current folder itself is not worth a word: "rtl/topo.sv", not "./rtl/topo.sv".
    if (path == "." && at < text.size() && text[at] == '/') {
      path.clear();
      ++at;
    }
    result += path;
  }
  return result;
}

SourceNames SourceNames::read(const fs::path& folder) {
  SourceNames names;
  std::error_code error;
  if (!fs::is_regular_file(folder / kFile, error)) return names;
  const std::string text = common::read_text_file(folder / kFile);
  // Each name and each path ends with a zero, the only character that no path has.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t middle = text.find('\0', at);
    if (middle == std::string::npos) break;
    const std::size_t end = text.find('\0', middle + 1);
    if (end == std::string::npos) break;
    names.add(text.substr(at, middle - at), text.substr(middle + 1, end - middle - 1));
    at = end + 1;
  }
  return names;
}

void SourceNames::write(const fs::path& folder) const {
  std::string text;
  for (const auto& [name, path] : names_) {
    text += name;
    text += '\0';
    text += path.string();
    text += '\0';
  }
  std::error_code error;
  if (fs::is_regular_file(folder / kFile, error) &&
      common::read_text_file(folder / kFile) == text) {
    return;
  }
  common::write_file_atomically(folder / kFile, text);
}

std::string source_name(std::string name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kCodes = {
      {{"__BRA__", "["}, {"__KET__", "]"}, {"__DOT__", "."}, {"__Viftop", ""}}};
  for (const auto& [code, text] : kCodes) {
    for (auto at = name.find(code); at != std::string::npos; at = name.find(code)) {
      name.replace(at, code.size(), text);
    }
  }
  return name;
}

}  // namespace kernbench::sim
