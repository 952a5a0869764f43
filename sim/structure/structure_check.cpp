#include "sim/structure/structure_check.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sim/structure/design.hpp"
#include "sim/structure/fabric_view.hpp"
#include "sim/structure/rules.hpp"

namespace kernbench::sim::structure {
namespace {

bool is_irs(const Module& module) {
  return module.orig == "IRS_N";
}

/// Orders by file and line, and removes repetitions.
void arrange(std::vector<Finding>& findings) {
  const auto key = [](const Finding& finding) {
    const auto colon = finding.where.rfind(':');
    return std::tuple{finding.where.substr(0, colon),
                      std::stoul("0" + finding.where.substr(colon + 1)), finding.message};
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  findings.erase(std::unique(findings.begin(), findings.end()), findings.end());
}

}  // namespace

CheckResult check_structure(const std::string& path, const maze::Shape& shape) {
  const Design design(path.ends_with(".json") ? read_json_dump(path) : read_xml_dump(path));
  CheckResult result;
  ModuleLogics logics(design);
  const Netlist netlist(logics, design.top(), is_irs);
  const FabricView fabric(netlist, shape);
  result.findings = fabric.findings();
  result.links = static_cast<unsigned>(fabric.instances().size());
  result.bits = netlist.bits();
  check_links(fabric, result.findings);
  arrange(result.findings);
  return result;
}

}  // namespace kernbench::sim::structure
