// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <utility>

#include "common/random.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "mutant_list.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::mutants {
namespace {

// The torus of configs/regressions/mutants-deep.yaml. Its X links have all depths up to 3.
constexpr unsigned kNx = 8;
constexpr unsigned kNy = 2;

/// Cause or error of a list, with its range of counts.
struct Part {
  std::string name;
  std::string text;  ///< logic of a trigger, chance of an effect
  std::uint64_t from = 1, to = 1, certain = 0;
  std::uint64_t draws = 1;
  bool single_stage = false;  ///< on links of depth 1 only
  std::vector<Edit> edits;
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::vector<Edit> read_edits(const std::vector<common::YamlNode>& nodes) {
  std::vector<Edit> edits;
  for (const common::YamlNode& node : nodes) {
    common::YamlMap map(node);
    Edit& edit = edits.emplace_back();
    edit.file = map.string("file");
    edit.find = map.lines("find");
    edit.replace = map.lines("replace");
  }
  return edits;
}

std::vector<Part> read_parts(common::YamlMap& root, const char* key, const char* text) {
  std::vector<Part> parts;
  for (const common::YamlNode& node : root.list(key, {.min = 1})) {
    common::YamlMap map(node);
    Part& part = parts.emplace_back();
    part.name = map.string("name");
    if (*text != '\0') part.text = map.lines(text);
    part.from = map.u64("from", {.min = 1}, 1);
    part.to = map.u64("to", {.min = part.from}, part.from);
    part.certain = map.u64("certain", {}, part.to);
    part.draws = map.u64("draws", {.min = 1, .max = 100}, 1);
    part.single_stage = map.boolean("single_stage", false);
    part.edits = read_edits(map.optional_list("edits"));
  }
  return parts;
}

/// Draws log-uniformly: an octave, then a number of that octave.
std::uint64_t draw_count(common::Rng& rng, std::uint64_t from, std::uint64_t to) {
  for (;;) {
    const std::uint64_t first = std::uint64_t{1} << rng.below(std::bit_width(to));
    const std::uint64_t n = first + rng.below(first);
    if (n >= from && n <= to) return n;
  }
}

/// Draws the stage and the count, and replaces the marks in all edits.
Mutant drawn(const Part& part, std::string id, std::vector<Edit> edits, std::uint64_t seed) {
  common::Rng rng = common::Rng::stream(seed, id);
  const topology::MazeLinks links(kNx, kNy);
  std::vector<std::pair<const topology::MazeLink*, unsigned>> stages;
  for (const topology::MazeLink& link : links.links()) {
    if (part.single_stage && link.depth != 1) continue;
    for (unsigned s = 0; s < link.depth; ++s) stages.emplace_back(&link, s);
  }
  const auto& [link, stage] = stages[rng.below(stages.size())];
  const std::uint64_t n = draw_count(rng, part.from, part.to);
  Mutant mutant;
  mutant.kind = part.name;
  mutant.drawn_from = id;
  mutant.by_chance = n > part.certain && !std::has_single_bit(n);
  mutant.id =
      fmt::format("{}-seed{}-n{}-{}.{}.{}", id, seed, n, link->from.node, link->from.port, stage);
  for (Edit& edit : edits) {
    replace_all(edit.replace, "@NODE@", std::to_string(link->from.node));
    replace_all(edit.replace, "@PORT@", std::to_string(link->from.port));
    replace_all(edit.replace, "@STAGE@", std::to_string(stage));
    replace_all(edit.replace, "@N@", std::to_string(n));
  }
  mutant.edits = std::move(edits);
  return mutant;
}

/// The logic of `fault`: 1 in the first cycle with a chance after the trigger.
Edit fault_logic(const Part& trigger, const Part& effect) {
  return {"irs_lp.sv", "  assign valid_o   = main_vld_q;",
          fmt::format("  assign valid_o   = main_vld_q;\n"
                      "  if (FAULTY) begin : g_faulty\n"
                      "    logic trigger, armed_q = 1'b0, done_q = 1'b0;\n{}"
                      "    always_ff @(posedge clk) begin\n"
                      "      if (fault) armed_q <= 1'b0;\n"
                      "      else if (trigger) armed_q <= 1'b1;\n"
                      "      if (fault) done_q <= 1'b1;\n"
                      "    end\n"
                      "    assign fault = rst_n & (armed_q | trigger) & ({});\n"
                      "  end else begin : g_sound\n"
                      "    assign fault = 1'b0;\n"
                      "  end\n",
                      trigger.text, effect.text)};
}

}  // namespace

std::vector<Mutant> draw_mutants(const std::string& path, const std::string& rtl_dir,
                                 std::uint64_t seed) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::load(path, diagnostics);
  std::vector<Mutant> mutants;
  {
    common::YamlMap root(document.root());
    const std::vector<Edit> stage = read_edits(root.list("stage", {.min = 1}));
    const std::vector<Part> effects = read_parts(root, "effects", "chance");
    for (const Part& trigger : read_parts(root, "triggers", "logic")) {
      for (const Part& effect : effects) {
        std::vector<Edit> edits = stage;
        edits.insert(edits.end(), effect.edits.begin(), effect.edits.end());
        edits.push_back(fault_logic(trigger, effect));
        edits.push_back({"irs_lp.sv", "logic stall, main_load, skid_load;",
                         "logic stall, main_load, skid_load, fault;"});
        mutants.push_back(drawn(trigger, trigger.name + "-" + effect.name, std::move(edits), seed));
      }
    }
    for (const Part& other : read_parts(root, "others", "")) {
      for (std::uint64_t i = 1; i <= other.draws; ++i) {
        std::vector<Edit> edits = stage;
        edits.insert(edits.end(), other.edits.begin(), other.edits.end());
        mutants.push_back(
            drawn(other, fmt::format("{}-{}", other.name, i), std::move(edits), seed));
      }
    }
  }
  diagnostics.throw_if_any();
  for (const Mutant& mutant : mutants) {
    for (const Edit& edit : mutant.edits) {
      const std::string text = common::read_text_file(std::filesystem::path(rtl_dir) / edit.file);
      const auto at = text.find(edit.find);
      if (at == std::string::npos || text.find(edit.find, at + 1) != std::string::npos) {
        throw common::BadInput(
            fmt::format("{}: '{}' must occur exactly once in {}", path, edit.find, edit.file));
      }
    }
  }
  return mutants;
}

}  // namespace kernbench::mutants
