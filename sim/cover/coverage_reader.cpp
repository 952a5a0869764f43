// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/coverage_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/cover/coverage_file.hpp"

namespace kernbench::sim {

using maze::Shape;
using nlohmann::json;

namespace {

constexpr std::size_t kHexDigits = 16;

/// Parses words of exactly 16 lower-case hexadecimal digits, separated by one blank; returns
/// nothing for any other text.
std::optional<std::vector<std::uint64_t>> parse_words(std::string_view text, std::size_t count) {
  std::vector<std::uint64_t> words;
  if (text.size() != (count == 0 ? 0 : count * (kHexDigits + 1) - 1)) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t start = i * (kHexDigits + 1);
    if (i != 0 && text[start - 1] != ' ') return std::nullopt;
    std::uint64_t word = 0;
    for (const char c : text.substr(start, kHexDigits)) {
      const std::size_t digit = std::string_view("0123456789abcdef").find(c);
      if (digit == std::string_view::npos) return std::nullopt;
      word = word << 4 | digit;
    }
    words.push_back(word);
  }
  return words;
}

std::vector<std::string_view> link_bin_names() {
  std::vector<std::string_view> names;
  names.reserve(kLinkBins.size());
  for (const LinkBinInfo& info : kLinkBins) names.push_back(info.name);
  return names;
}

std::vector<std::string_view> back_pressure_names() {
  std::vector<std::string_view> names;
  names.reserve(kBackPressureNames.size());
  for (const auto& [name, kind] : kBackPressureNames) names.push_back(name);
  return names;
}

}  // namespace

const json& CoverageReader::value(const json& object, std::string_view key) {
  static const json kAbsent;
  if (!object.is_object()) return kAbsent;
  const auto found = object.find(key);
  return found == object.end() ? kAbsent : *found;
}

void CoverageReader::check_keys(const json& object, const std::string& prefix,
                                const std::vector<std::string_view>& keys) {
  if (!object.is_object()) {
    error(fmt::format("'{}' must be an object", prefix));
    return;
  }
  for (const std::string_view key : keys) {
    if (!object.contains(key)) error(fmt::format("missing key '{}.{}'", prefix, key));
  }
  for (const auto& item : object.items()) {
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
      error(fmt::format("unknown key '{}.{}'", prefix, item.key()));
    }
  }
}

std::optional<std::uint64_t> CoverageReader::number(const json& item, const std::string& name,
                                                    std::uint64_t min, std::uint64_t max) {
  if (item.is_null()) return std::nullopt;  // reported as missing
  if (item.is_number_unsigned()) {
    const auto got = item.get<std::uint64_t>();
    if (got >= min && got <= max) return got;
  }
  error(max == std::numeric_limits<std::uint64_t>::max()
            ? fmt::format("'{}' must be a whole number, not {}", name, item.dump())
            : fmt::format("'{}' must be a whole number from {} to {}, not {}", name, min, max,
                          item.dump()));
  return std::nullopt;
}

std::optional<CoverageData> CoverageReader::read() {
  const json& schema = value(data_, "schema");
  if (schema.is_number_unsigned() && schema.get<std::uint64_t>() != kCoverageSchema) {
    // The rest of the file has another format.
    error(fmt::format("the coverage has schema {}, this program reads {}", schema.dump(),
                      kCoverageSchema));
    return std::nullopt;
  }
  std::vector<std::string_view> keys = {"schema",  "shape",  "at_least", "fabric",
                                        "links",   "stages", "payload",  "packets",
                                        "summary", "missed", "runs"};
  if (data_.is_object() && data_.contains("deep")) keys.emplace_back("deep");
  check_keys(data_, "data", keys);
  (void)number(schema, "data.schema", kCoverageSchema, kCoverageSchema);
  const std::optional<Shape> read_shape = shape();
  const auto at_least = number(value(data_, "at_least"), "data.at_least", 0,
                               std::numeric_limits<std::uint64_t>::max());
  if (!read_shape || !at_least) return std::nullopt;
  CoverageData coverage(*read_shape, topology::MazeLinks(read_shape->nx, read_shape->ny),
                        *at_least);
  fabric(coverage);
  links(coverage);
  stages(coverage);
  payload(coverage);
  packets(coverage);
  deep(coverage);
  read_runs();
  return coverage;
}

std::optional<Shape> CoverageReader::shape() {
  const json& item = value(data_, "shape");
  if (item.is_null()) return std::nullopt;
  check_keys(item, "data.shape", {"nx", "ny", "flit_w"});
  const auto nx = number(value(item, "nx"), "data.shape.nx", 2, 16);
  const auto ny = number(value(item, "ny"), "data.shape.ny", 2, 16);
  const auto flit_w = number(value(item, "flit_w"), "data.shape.flit_w", 1, 32);
  if (!nx || !ny || !flit_w) return std::nullopt;
  return Shape{static_cast<unsigned>(*nx), static_cast<unsigned>(*ny),
               static_cast<unsigned>(*flit_w)};
}

void CoverageReader::fabric(CoverageData& coverage) {
  const json& item = value(data_, "fabric");
  if (item.is_null()) return;
  check_keys(item, "data.fabric", {kFabricBinNames.begin(), kFabricBinNames.end()});
  for (std::size_t i = 0; i < kFabricBinNames.size(); ++i) {
    const json& bin = value(item, kFabricBinNames[i]);
    if (bin.is_boolean()) {
      coverage.fabric(static_cast<FabricBin>(i)) = bin.get<bool>();
    } else if (!bin.is_null()) {
      error(fmt::format("'data.fabric.{}' must be true or false", kFabricBinNames[i]));
    }
  }
}

const json* CoverageReader::ports(const json& item, const std::string& name,
                                  const CoverageData& coverage) {
  if (item.is_null()) return nullptr;
  if (item.is_array() && item.size() == coverage.shape().ports()) return &item;
  error(fmt::format("'{}' must be a list of {} ports", name, coverage.shape().ports()));
  return nullptr;
}

template <typename Allowed>
void CoverageReader::words(const json& item, const std::string& name, std::size_t count,
                           std::uint64_t* into, Allowed allowed) {
  std::optional<std::vector<std::uint64_t>> read;
  if (item.is_string()) read = parse_words(item.get_ref<const std::string&>(), count);
  if (!read) {
    error(fmt::format("{} must be {} words of 16 hexadecimal digits", name, count));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (((*read)[i] & ~allowed(i)) != 0) {
      error(fmt::format("{} has bits without a bin", name));
      return;
    }
  }
  std::copy(read->begin(), read->end(), into);
}

void CoverageReader::links(CoverageData& coverage) {
  const Shape& shape = coverage.shape();
  const json& item = value(data_, "links");
  if (item.is_null()) return;
  check_keys(item, "data.links", link_bin_names());
  for (std::size_t i = 0; i < kLinkBins.size(); ++i) {
    const LinkBinInfo& info = kLinkBins[i];
    const std::string name = fmt::format("data.links.{}", info.name);
    const json* list = ports(value(item, info.name), name, coverage);
    for (unsigned port = 0; list != nullptr && port < shape.ports(); ++port) {
      const bool no_bins = info.needs_stage && coverage.depth(port) == 0;
      words((*list)[port], fmt::format("'{}', port {},", name, port), shape.words(),
            coverage.link(static_cast<LinkBin>(i)).port(port),
            [&](std::size_t w) { return no_bins ? 0 : shape.node_mask(w); });
    }
  }
}

void CoverageReader::stages(CoverageData& coverage) {
  const Shape& shape = coverage.shape();
  const json& item = value(data_, "stages");
  if (item.is_null()) return;
  check_keys(item, "data.stages", {kStageBinNames.begin(), kStageBinNames.end()});
  for (std::size_t i = 0; i < kStageBinNames.size(); ++i) {
    const std::string name = fmt::format("data.stages.{}", kStageBinNames[i]);
    const json* list = ports(value(item, kStageBinNames[i]), name, coverage);
    for (unsigned port = 0; list != nullptr && port < shape.ports(); ++port) {
      words((*list)[port], fmt::format("'{}', port {},", name, port),
            std::size_t{coverage.depth(port)} * shape.words(),
            coverage.stages(static_cast<StageBin>(i), port),
            [&](std::size_t w) { return shape.node_mask(w % shape.words()); });
    }
  }
}

void CoverageReader::read_runs() {
  const json& list = value(data_, "runs");
  if (list.is_null()) return;
  if (!list.is_array() || list.empty()) {
    error("'data.runs' must be a list of the runs that the coverage is of");
    return;
  }
  for (const json& item : list) {
    const json& model = value(item, "model");
    const json& outcome = value(item, "outcome");
    const auto known = outcome.is_string()
                           ? common::outcome_from_name(outcome.get_ref<const std::string&>())
                           : std::nullopt;
    if (!model.is_string() || !known) {
      error("each of 'data.runs' must have a model and an outcome");
      return;
    }
    runs_.push_back({model.get<std::string>(), *known});
  }
}

void CoverageReader::payload(CoverageData& coverage) {
  const Shape& shape = coverage.shape();
  const json& item = value(data_, "payload");
  if (item.is_null()) return;
  check_keys(item, "data.payload", {"rises", "falls"});
  const auto read = [&](const char* key, std::vector<maze::Payload>& into) {
    const std::string name = fmt::format("data.payload.{}", key);
    const json* list = ports(value(item, key), name, coverage);
    for (unsigned port = 0; list != nullptr && port < shape.ports(); ++port) {
      words((*list)[port], fmt::format("'{}', port {},", name, port), shape.nodes(),
            into.data() + std::size_t{port} * shape.nodes(),
            [&](std::size_t) { return (std::uint64_t{1} << shape.payload_w()) - 1; });
    }
  };
  read("rises", coverage.rises());
  read("falls", coverage.falls());
}

void CoverageReader::packets(CoverageData& coverage) {
  const Shape& shape = coverage.shape();
  const json& item = value(data_, "packets");
  if (item.is_null()) return;
  check_keys(item, "data.packets", back_pressure_names());
  for (const auto& [key, kind] : kBackPressureNames) {
    const std::string name = fmt::format("data.packets.{}", key);
    const json* list = ports(value(item, key), name, coverage);
    for (unsigned port = 0; list != nullptr && port < shape.ports(); ++port) {
      const json& counts = (*list)[port];
      if (!counts.is_array() || counts.size() != shape.nodes() ||
          !std::all_of(counts.begin(), counts.end(),
                       [](const json& count) { return count.is_number_unsigned(); })) {
        error(fmt::format("'{}', port {}, must be a list of {} whole numbers", name, port,
                          shape.nodes()));
        continue;
      }
      for (unsigned node = 0; node < shape.nodes(); ++node) {
        coverage.packets(kind)[std::size_t{port} * shape.nodes() + node] =
            counts[node].get<std::uint64_t>();
      }
    }
  }
}

void CoverageReader::deep(CoverageData& coverage) {
  const json& item = value(data_, "deep");
  if (item.is_null()) return;
  const Shape& shape = coverage.shape();
  DeepBins& bins = coverage.deep().emplace(shape, topology::MazeLinks(shape.nx, shape.ny));
  std::vector<std::string> names;
  DeepBins::visit_storage(
      bins,
      [&](const std::string& name, std::vector<maze::BitPlane>& planes) {
        names.push_back(name);
        const json& list = value(item, name);
        if (!list.is_array() || list.size() != planes.size()) {
          error(fmt::format("'data.deep.{}' must be a list of {} planes", name, planes.size()));
          return;
        }
        for (std::size_t i = 0; i < planes.size(); ++i) {
          words(list[i], fmt::format("'data.deep.{}', plane {},", name, i), planes[i].size(),
                planes[i].data(),
                [&](std::size_t w) { return shape.node_mask(w % shape.words()); });
        }
      },
      [&](const std::string& name, std::vector<std::uint8_t>& flags) {
        names.push_back(name);
        const json& text = value(item, name);
        if (!text.is_string() || text.get_ref<const std::string&>().size() != flags.size() ||
            text.get_ref<const std::string&>().find_first_not_of("01") != std::string::npos) {
          error(fmt::format("'data.deep.{}' must be {} digits 0 or 1", name, flags.size()));
          return;
        }
        const auto& digits = text.get_ref<const std::string&>();
        for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = digits[i] == '1' ? 1 : 0;
      });
  check_keys(item, "data.deep", {names.begin(), names.end()});
}

}  // namespace kernbench::sim
