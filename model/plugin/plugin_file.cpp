// SPDX-License-Identifier: Apache-2.0
#include "model/plugin/plugin_file.hpp"

#include <link.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace kernbench::model::plugin {
namespace {

constexpr std::string_view kSection = ".kernbench_plugin";
constexpr std::string_view kMark = "kernbench-plugin";

/// Returns the T at `offset`, or nothing if the file ends before.
template <typename T>
std::optional<T> at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

/// Returns the text from `offset` to the next null character, empty beyond the file.
std::string_view text_at(std::string_view file, std::uint64_t offset) {
  if (offset >= file.size()) return {};
  const std::string_view rest = file.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

/// Returns the content of a section, empty if there is none.
std::string_view section(std::string_view file, std::string_view name) {
  const auto head = at<ElfW(Ehdr)>(file, 0);
  if (!head) return {};
  const auto header = [&](std::uint64_t index) {
    return at<ElfW(Shdr)>(file, head->e_shoff + index * sizeof(ElfW(Shdr)));
  };
  const auto names = header(head->e_shstrndx);
  if (!names) return {};
  for (std::uint64_t i = 0; i < head->e_shnum; ++i) {
    const auto found = header(i);
    if (!found) return {};
    if (text_at(file, names->sh_offset + found->sh_name) != name) continue;
    if (found->sh_offset > file.size()) return {};
    return file.substr(found->sh_offset, found->sh_size);
  }
  return {};
}

}  // namespace

bool is_shared_library(std::string_view file) {
  const auto head = at<ElfW(Ehdr)>(file, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  return head->e_ident[EI_CLASS] == own_class && head->e_type == ET_DYN;
}

std::optional<PluginFacts> read_facts(std::string_view file) {
  std::string_view text = section(file, kSection);
  std::array<std::string, 5> words;
  for (std::string& word : words) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    word = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  if (words[0] != kMark) return std::nullopt;
  return PluginFacts{words[1], words[2], words[3], words[4]};
}

}  // namespace kernbench::model::plugin
