// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/proofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "sim/dut/rtl_sources.hpp"
#include "sim/regression/files_read.hpp"

namespace kernbench::sim {
namespace {

constexpr const char* kProofsKind = "proofs";

/// Reads the results into `proofs`. Throws common::BadInput or a JSON exception for any other text
/// than `make prove` writes.
void read_results(const std::filesystem::path& path, const std::string& hash, Proofs& proofs) {
  const nlohmann::json data = common::read_report(path, kProofsKind).data;
  if (data.at("rtl_hash").get<std::string>() != hash) {
    proofs.state = Proofs::State::OfOtherRtl;
    return;
  }
  const auto count = [&](const char* key) {
    const nlohmann::json& number = data.at("summary").at(key);
    if (!number.is_number_unsigned()) throw common::BadInput("a count is not a number from 0");
    return number.get<unsigned>();
  };
  proofs.proven = count("proven");
  proofs.refuted = count("refuted");
  proofs.undecided = count("undecided");
  if (proofs.total() == 0) throw common::BadInput("a report without properties");
}

}  // namespace

std::string rtl_hash(const std::filesystem::path& topo_f) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(topo_f).lexically_normal().parent_path();
  std::vector<std::string> files;
  for (const fs::path& list : {topo_f, folder / "network" / "maze.f", folder / "noc" / "noc.f"}) {
    if (list != topo_f && !fs::exists(list)) continue;  // links alone
    RtlRequest request;
    request.filelist = list.string();
    for (std::string& file : find_rtl(request, topo_f.string()).files) {
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  }
  common::ByteHash hash;
  const auto add = [&](const std::string& name, const fs::path& file) {
    hash.add(name);
    hash.add("\n");
    hash.add(common::read_text_file(file));
  };
  for (const std::string& file : files) {
    add(fs::path(file).lexically_relative(folder).string(), file);
    const auto included = files_read(file, folder);
    if (!included) return {};
    for (const auto& [name, path] : *included) add(name, path);
  }
  return common::hex64(hash.value());
}

std::optional<Proofs> read_proofs(const std::filesystem::path& folder, const std::string& hash,
                                  const std::filesystem::path& reports) {
  namespace fs = std::filesystem;
  const fs::path file = folder / "proofs.json";
  if (!fs::exists(file)) return std::nullopt;
  Proofs unreadable;
  unreadable.state = Proofs::State::Unreadable;
  Proofs proofs;
  try {
    read_results(file, hash, proofs);
  } catch (const common::BadInput&) {
    return unreadable;
  } catch (const nlohmann::json::exception&) {
    return unreadable;
  }
  const fs::path page = folder / "proofs.html";
  if (proofs.state == Proofs::State::OfThisRtl && fs::exists(page)) {
    proofs.report = page.string();
    proofs.link = fs::proximate(fs::absolute(page), fs::absolute(reports)).string();
  }
  return proofs;
}

std::string proofs_text(const Proofs& proofs) {
  switch (proofs.state) {
    case Proofs::State::OfOtherRtl:
      return "of other RTL; run make prove";
    case Proofs::State::Unreadable:
      return "not readable; run make prove";
    case Proofs::State::OfThisRtl:
      break;
  }
  std::string text = fmt::format("{} of {} properties proven", proofs.proven, proofs.total());
  if (proofs.refuted != 0) text += fmt::format(", {} refuted", proofs.refuted);
  if (proofs.undecided != 0) text += fmt::format(", {} undecided", proofs.undecided);
  return text;
}

}  // namespace kernbench::sim
