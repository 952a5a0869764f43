// SPDX-License-Identifier: Apache-2.0
#include "mutant_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::mutants {
namespace fs = std::filesystem;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Edit read_edit(common::YamlMap& map, const fs::path& rtl_dir) {
  Edit edit;
  edit.file = map.string("file");
  edit.find = map.lines("find");
  edit.replace = map.lines("replace");
  if (!fs::is_regular_file(rtl_dir / edit.file)) {
    map.error("file", fmt::format("{} has no file '{}'", rtl_dir.string(), edit.file));
    return edit;
  }
  const std::size_t count = occurrences(common::read_text_file(rtl_dir / edit.file), edit.find);
  if (count != 1) {
    map.error("find",
              fmt::format("occurs {} times in {}, must occur exactly once", count, edit.file));
  }
  return edit;
}

Mutant read_mutant(const common::YamlNode& node, const fs::path& rtl_dir) {
  Mutant mutant;
  common::YamlMap map(node);
  mutant.id = map.string("id");
  mutant.kind = map.string("kind");
  mutant.full_size = map.boolean("full_size", false);
  mutant.survives = map.has("survives") ? map.lines("survives") : "";
  mutant.edits.push_back(read_edit(map, rtl_dir));
  return mutant;
}

}  // namespace

std::vector<Mutant> load_mutants(const std::string& path, const std::string& rtl_dir) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::load(path, diagnostics);
  std::vector<Mutant> mutants;
  {
    common::YamlMap root(document.root());
    std::set<std::string> ids;
    for (const common::YamlNode& node : root.list("mutants", {.min = 1})) {
      mutants.push_back(read_mutant(node, rtl_dir));
      if (!ids.insert(mutants.back().id).second) {
        node.error(fmt::format("a second mutant '{}'", mutants.back().id));
      }
    }
  }
  diagnostics.throw_if_any();
  return mutants;
}

namespace {

void apply(const std::vector<Edit>& edits, const std::string& rtl_dir, const std::string& folder) {
  fs::remove_all(folder);
  common::ensure_directory(folder);
  fs::copy(rtl_dir, folder, fs::copy_options::recursive);
  for (const Edit& edit : edits) {
    const fs::path file = fs::path(folder) / edit.file;
    std::string text = common::read_text_file(file);
    const std::size_t at = text.find(edit.find);
    if (at == std::string::npos) {
      throw common::BadInput(fmt::format("{} has no '{}'", file.string(), edit.find));
    }
    text.replace(at, edit.find.size(), edit.replace);
    common::write_file_atomically(file, text);
  }
}

/// An expression with the text around it.
struct Expression {
  std::string before, text, after;
};

/// Returns the right side of an assignment, or what is in a pair of parentheses.
std::optional<Expression> expression_in(const std::string& text) {
  const std::size_t end = text.size() - 1;
  if (text.back() == ';' && text.find(';') == end) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return std::nullopt;
    return Expression{text.substr(0, equals + 1), text.substr(equals + 1, end - equals - 1), ";"};
  }
  if (text.front() != '(' || text.back() != ')') return std::nullopt;
  int depth = 0;
  for (std::size_t i = 0; i < end; ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return std::nullopt;  // two pairs of parentheses
  }
  return Expression{"(", text.substr(1, end - 1), ")"};
}

/// Returns whether both assign to the same target, or are in parentheses.
bool differ_in_expression(const Edit& edit) {
  const auto found = expression_in(edit.find);
  const auto replaced = expression_in(edit.replace);
  const auto words = [](const std::string& text) {
    std::istringstream in(text);
    return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
  };
  return found && replaced && words(found->before) == words(replaced->before);
}

}  // namespace

void number(std::vector<Mutant>& mutants, const std::string& rtl_dir) {
  struct Place {
    std::string file;
    std::size_t first, last;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> taken;
  unsigned last = 0;
  for (Mutant& mutant : mutants) {
    if (mutant.full_size || mutant.edits.size() != 1) continue;
    const Edit& edit = mutant.edits.front();
    if (!differ_in_expression(edit)) continue;
    const std::size_t at = common::read_text_file(fs::path(rtl_dir) / edit.file).find(edit.find);
    const Place place{edit.file, at, at + edit.find.size()};
    if (std::any_of(taken.begin(), taken.end(), [&](const Place& other) {
          return !(place == other) && place.file == other.file && place.first < other.last &&
                 other.first < place.last;
        })) {
      continue;
    }
    taken.push_back(place);
    mutant.number = ++last;
  }
}

void plant(const Mutant& mutant, const std::string& rtl_dir, const std::string& folder) {
  apply(mutant.edits, rtl_dir, folder);
}

void plant_together(const std::vector<Mutant>& mutants, const std::string& rtl_dir,
                    const std::string& folder) {
  std::vector<Edit> edits = {
      {"maze_pkg.sv", "endpackage", "  int unsigned mutant;\nendpackage"},
      {"topo.sv", "  localparam int unsigned PyldW",
       "  initial if (!$value$plusargs(\"mutant=%d\", maze_pkg::mutant)) maze_pkg::mutant = 0;\n"
       "  localparam int unsigned PyldW"}};
  for (const Mutant& mutant : mutants) {
    if (mutant.number == 0) continue;
    const Edit& edit = mutant.edits.front();
    auto same = std::find_if(edits.begin(), edits.end(), [&](const Edit& other) {
      return other.file == edit.file && other.find == edit.find;
    });
    if (same == edits.end()) same = edits.insert(edits.end(), {edit.file, edit.find, edit.find});
    const Expression sound = *expression_in(same->replace);
    same->replace =
        fmt::format("{} maze_pkg::mutant == {} ? ({}) : ({}){}", sound.before, mutant.number,
                    expression_in(edit.replace)->text, sound.text, sound.after);
  }
  apply(edits, rtl_dir, folder);
}

}  // namespace kernbench::mutants
