// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/coverage_form.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "common/description.hpp"
#include "common/hash.hpp"
#include "sim/dut/shape_form.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;
using Texts = std::vector<std::string>;
using DeepTexts = std::map<std::string, std::variant<Texts, std::string>>;

struct GroupCounts {
  CoverageGroup group;
};

bool are_words(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_gap = i % (kHexDigits + 1) == kHexDigits;
    const std::string_view allowed = is_gap ? " " : "0123456789abcdef";
    if (allowed.find(text[i]) == std::string_view::npos) return false;
  }
  return text.empty() || text.size() % (kHexDigits + 1) == kHexDigits;
}
bool are_bits(std::string_view text) {
  return text.find_first_not_of("01") == std::string_view::npos;
}
constexpr common::TextRule kWordsRule = {"^([0-9a-f]{16}( [0-9a-f]{16})*)?$",
                                         "words of 16 hexadecimal digits", are_words};
constexpr common::TextRule kBitsRule = {"^[01]*$", "digits 0 and 1", are_bits};

std::string hex_words(const std::uint64_t* words, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text += ' ';
    text += common::hex64(words[i]);
  }
  return text;
}

/// Returns the words of each port, which `words_of` returns as a pair of pointer and count.
template <typename WordsOf>
Texts by_port(const CoverageFile& file, WordsOf words_of) {
  Texts texts;
  for (unsigned port = 0; port < file.coverage.shape().ports(); ++port) {
    const auto [words, count] = words_of(port);
    texts.push_back(hex_words(words, count));
  }
  return texts;
}

Texts link_words(const CoverageFile& file, LinkBin bin) {
  return by_port(file, [&](unsigned port) {
    return std::pair(file.coverage.link(bin).port(port), file.coverage.shape().words());
  });
}

Texts stage_words(const CoverageFile& file, StageBin bin) {
  return by_port(file, [&](unsigned port) {
    return std::pair(file.coverage.stages(bin, port),
                     std::size_t{file.coverage.depth(port)} * file.coverage.shape().words());
  });
}

Texts payload_words(const CoverageFile& file, const std::vector<maze::Payload>& seen) {
  const std::size_t nodes = file.coverage.shape().nodes();
  return by_port(file, [&](unsigned port) { return std::pair(seen.data() + port * nodes, nodes); });
}

std::vector<std::vector<std::uint64_t>> packets(const CoverageFile& file, BackPressure kind) {
  std::vector<std::vector<std::uint64_t>> ports;
  auto next = file.coverage.packets(kind).begin();
  const Shape& shape = file.coverage.shape();
  for (unsigned port = 0; port < shape.ports(); ++port, next += shape.nodes()) {
    ports.emplace_back(next, next + shape.nodes());
  }
  return ports;
}

std::optional<DeepTexts> deep(const CoverageFile& file) {
  if (!file.coverage.deep()) return std::nullopt;
  const Shape& shape = file.coverage.shape();
  DeepTexts texts;
  DeepBins::visit_storage(
      *file.coverage.deep(),
      [&](const std::string& name, const std::vector<maze::BitPlane>& planes) {
        Texts list;
        for (const maze::BitPlane& plane : planes) {
          list.push_back(hex_words(plane.data(), std::size_t{shape.ports()} * shape.words()));
        }
        texts[name] = std::move(list);
      },
      [&](const std::string& name, const std::vector<std::uint8_t>& flags) {
        std::string bits;
        for (const std::uint8_t flag : flags) bits += flag != 0 ? '1' : '0';
        texts[name] = std::move(bits);
      });
  return texts;
}

std::vector<GroupCounts> group_counts(const CoverageFile& file) {
  std::vector<GroupCounts> rows;
  for (const CoverageGroup& group : file.coverage.summary().groups) rows.push_back({group});
  return rows;
}

}  // namespace
}  // namespace kernbench::sim

namespace kernbench::common {

using sim::CoverageFile;
using sim::CoveredRun;
using sim::GroupCounts;

namespace {

Description<CoverageFile> fabric_bins() {
  Description<CoverageFile> all;
  for (std::size_t i = 0; i < sim::kFabricBinNames.size(); ++i) {
    all.add(std::string(sim::kFabricBinNames[i]), [i](const CoverageFile& file) {
      return file.coverage.fabric(static_cast<sim::FabricBin>(i));
    });
  }
  return all;
}

Description<CoverageFile> link_bins() {
  Description<CoverageFile> all;
  for (std::size_t i = 0; i < sim::kLinkBins.size(); ++i) {
    const auto bin = static_cast<sim::LinkBin>(i);
    all.add(std::string(sim::kLinkBins[i].name),
            [bin](const CoverageFile& file) { return sim::link_words(file, bin); })
        .rule(sim::kWordsRule);
  }
  return all;
}

Description<CoverageFile> stage_bins() {
  Description<CoverageFile> all;
  for (std::size_t i = 0; i < sim::kStageBinNames.size(); ++i) {
    const auto bin = static_cast<sim::StageBin>(i);
    all.add(std::string(sim::kStageBinNames[i]),
            [bin](const CoverageFile& file) { return sim::stage_words(file, bin); })
        .rule(sim::kWordsRule);
  }
  return all;
}

Description<CoverageFile> payload_bins() {
  return Description<CoverageFile>()
      .add("rises",
           [](const auto& file) { return sim::payload_words(file, file.coverage.rises()); })
      .rule(sim::kWordsRule)
      .add("falls",
           [](const auto& file) { return sim::payload_words(file, file.coverage.falls()); })
      .rule(sim::kWordsRule);
}

Description<CoverageFile> packet_counts() {
  Description<CoverageFile> all;
  for (const auto& [name, kind] : sim::kBackPressureNames) {
    all.add(std::string(name),
            [kind = kind](const CoverageFile& file) { return sim::packets(file, kind); });
  }
  return all;
}

Description<CoverageFile> summary() {
  return Description<CoverageFile>()
      .add("hit", [](const auto& file) { return file.coverage.hit_bins(); })
      .add("total", [](const auto& file) { return file.coverage.total_bins(); })
      .add("groups", sim::group_counts);
}

}  // namespace

template <>
const Description<GroupCounts>& description_of() {
  static const auto kAll = Description<GroupCounts>()
                               .add("name", [](const auto& row) { return row.group.name; })
                               .add("hit", [](const auto& row) { return row.group.hit; })
                               .add("total", [](const auto& row) { return row.group.total; });
  return kAll;
}

template <>
const Description<CoveredRun>& description_of() {
  static const auto kAll = Description<CoveredRun>()
                               .add("model", &CoveredRun::model, "hash of the model that ran")
                               .add("outcome", &CoveredRun::outcome, "missed bins aside");
  return kAll;
}

template <>
const Description<CoverageFile>& description_of() {
  static const auto kAll =
      Description<CoverageFile>()
          .add_constant("schema", sim::kCoverageSchema, "version of the bins")
          .add("shape", [](const auto& file) { return file.coverage.shape(); })
          .add(
              "at_least", [](const auto& file) { return file.coverage.at_least(); },
              "packets that every link must deliver under each back-pressure; 0: any number")
          .add_section("fabric", fabric_bins(), "bins of the whole fabric")
          .add_section("links", link_bins(), "bits of the links by port, in words of 64")
          .add_section("stages", stage_bins(), "bits of the IRS stages by port, in words of 64")
          .add_section("payload", payload_bins(), "bits of the payloads by port, a word for a link")
          .add_section("packets", packet_counts(),
                       "packets of each link by port, under each back-pressure")
          .add("deep", sim::deep, "bins of depth")
          .absent_unless("the run collected them")
          .refine([](ValueForm& map) {
            map.items().parts.at(0).items().rule = &sim::kWordsRule;
            map.items().parts.at(1).rule = &sim::kBitsRule;
          })
          .add_section("summary", summary())
          .add(
              "missed", [](const auto& file) { return file.coverage.missed(); }, "names of bins")
          .add(
              "runs", [](const auto& file) { return file.runs; }, "those that it is of")
          .not_empty();
  return kAll;
}

}  // namespace kernbench::common
