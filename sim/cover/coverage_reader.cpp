// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/coverage_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "sim/cover/coverage_form.hpp"

namespace kernbench::sim {

using maze::Shape;
using nlohmann::json;

namespace {

/// Sets bins from data that have the form of a coverage file. Their numbers of ports, words and
/// bits depend on the shape.
class BinReader {
 public:
  BinReader(const json& data, const std::string& file, CoverageData& coverage,
            common::Diagnostics& diagnostics)
      : data_(data),
        file_(file),
        coverage_(coverage),
        shape_(coverage.shape()),
        diagnostics_(diagnostics) {}

  void read() {
    for (std::size_t i = 0; i < kFabricBinNames.size(); ++i) {
      coverage_.fabric(static_cast<FabricBin>(i)) =
          data_["fabric"][std::string(kFabricBinNames[i])].get<bool>();
    }
    links();
    stages();
    payload("rises", coverage_.rises());
    payload("falls", coverage_.falls());
    packets();
    if (data_.contains("deep")) deep();
  }

 private:
  void error(const std::string& message) { diagnostics_.error({file_}, message); }

  /// Calls `read(port, item, name)` for each port of a list. Reports one of another length.
  template <typename Read>
  void for_ports(std::string_view group, std::string_view bin, Read read) {
    const json& list = data_[std::string(group)][std::string(bin)];
    const std::string name = fmt::format("data.{}.{}", group, bin);
    if (list.size() != shape_.ports()) {
      error(fmt::format("'{}' must be a list of {} ports", name, shape_.ports()));
      return;
    }
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      read(port, list[port], fmt::format("'{}', port {},", name, port));
    }
  }

  /// Reads `count` words. `allowed(i)` is the mask of bits that may be set in word i.
  template <typename Allowed>
  void words(const json& item, const std::string& name, std::size_t count, std::uint64_t* into,
             Allowed allowed) {
    const auto& text = item.get_ref<const std::string&>();
    if (text.size() != (count == 0 ? 0 : count * (kHexDigits + 1) - 1)) {
      error(fmt::format("{} must be {} words of 16 hexadecimal digits", name, count));
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const char* const begin = text.data() + i * (kHexDigits + 1);
      std::from_chars(begin, begin + kHexDigits, into[i], 16);
      if ((into[i] & ~allowed(i)) == 0) continue;
      error(fmt::format("{} has bits without a bin", name));
      return;
    }
  }

  void links() {
    for (std::size_t i = 0; i < kLinkBins.size(); ++i) {
      for_ports("links", kLinkBins[i].name,
                [&](unsigned port, const json& item, const std::string& name) {
                  const bool no_bins = kLinkBins[i].needs_stage && coverage_.depth(port) == 0;
                  words(item, name, shape_.words(),
                        coverage_.link(static_cast<LinkBin>(i)).port(port),
                        [&](std::size_t w) { return no_bins ? 0 : shape_.node_mask(w); });
                });
    }
  }

  void stages() {
    for (std::size_t i = 0; i < kStageBinNames.size(); ++i) {
      for_ports("stages", kStageBinNames[i],
                [&](unsigned port, const json& item, const std::string& name) {
                  words(item, name, std::size_t{coverage_.depth(port)} * shape_.words(),
                        coverage_.stages(static_cast<StageBin>(i), port),
                        [&](std::size_t w) { return shape_.node_mask(w % shape_.words()); });
                });
    }
  }

  void payload(std::string_view bin, std::vector<maze::Payload>& into) {
    for_ports("payload", bin, [&](unsigned port, const json& item, const std::string& name) {
      words(item, name, shape_.nodes(), into.data() + std::size_t{port} * shape_.nodes(),
            [&](std::size_t) { return (std::uint64_t{1} << shape_.payload_w()) - 1; });
    });
  }

  void packets() {
    for (const auto& [bin, kind] : kBackPressureNames) {
      std::uint64_t* const into = coverage_.packets(kind).data();
      for_ports("packets", bin, [&](unsigned port, const json& item, const std::string& name) {
        if (item.size() != shape_.nodes()) {
          error(fmt::format("{} must be a list of {} whole numbers", name, shape_.nodes()));
          return;
        }
        const auto counts = item.get<std::vector<std::uint64_t>>();
        std::copy(counts.begin(), counts.end(), into + std::size_t{port} * shape_.nodes());
      });
    }
  }

  void deep() {
    const json& item = data_["deep"];
    DeepBins& bins = coverage_.deep().emplace(shape_, topology::MazeLinks(shape_.nx, shape_.ny));
    std::size_t known = 0;
    const auto part = [&](const std::string& name) {
      const auto found = item.find(name);
      known += found == item.end() ? 0 : 1;
      return found == item.end() ? json() : *found;
    };
    DeepBins::visit_storage(
        bins,
        [&](const std::string& name, std::vector<maze::BitPlane>& planes) {
          const json list = part(name);
          if (!list.is_array() || list.size() != planes.size()) {
            error(fmt::format("'data.deep.{}' must be a list of {} planes", name, planes.size()));
            return;
          }
          for (std::size_t i = 0; i < planes.size(); ++i) {
            words(list[i], fmt::format("'data.deep.{}', plane {},", name, i), planes[i].size(),
                  planes[i].data(),
                  [&](std::size_t w) { return shape_.node_mask(w % shape_.words()); });
          }
        },
        [&](const std::string& name, std::vector<std::uint8_t>& flags) {
          const json digits = part(name);
          if (!digits.is_string() || digits.get_ref<const std::string&>().size() != flags.size()) {
            error(fmt::format("'data.deep.{}' must be {} digits 0 or 1", name, flags.size()));
            return;
          }
          const auto& bits = digits.get_ref<const std::string&>();
          std::transform(bits.begin(), bits.end(), flags.begin(),
                         [](char bit) { return bit == '1' ? 1 : 0; });
        });
    if (known != item.size()) error("'data.deep' has bins that this program does not know");
  }

  const json& data_;
  const std::string& file_;
  CoverageData& coverage_;
  const Shape& shape_;
  common::Diagnostics& diagnostics_;
};

}  // namespace

CoverageOfRuns coverage_of_json(const json& data, const std::string& file) {
  common::Diagnostics diagnostics;
  const json version = data.is_object() ? data.value("schema", json()) : json();
  if (version.is_number_unsigned() && version != kCoverageSchema) {
    // The rest of the file has another format.
    diagnostics.error({file}, fmt::format("the coverage has schema {}, this program reads {}",
                                          version.dump(), kCoverageSchema));
    diagnostics.throw_if_any();
  }
  common::require_form(common::form_of<CoverageFile>(), data, file);
  Shape shape;
  std::vector<CoveredRun> runs;
  common::description::read(data["shape"], shape);
  common::description::read(data["runs"], runs);
  CoverageData coverage(shape, topology::MazeLinks(shape.nx, shape.ny),
                        data["at_least"].get<std::uint64_t>());
  BinReader(data, file, coverage, diagnostics).read();
  diagnostics.throw_if_any();
  return {std::move(coverage), std::move(runs)};
}

}  // namespace kernbench::sim
