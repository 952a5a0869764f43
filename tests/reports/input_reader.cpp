// SPDX-License-Identifier: Apache-2.0
// Reads input files as the program does: for each line "FORMAT PATH" of its input it prints a line
// that is empty, or says all that is wrong with the file.
#include <fmt/format.h>

#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "cosim/calibrate/parameters_file.hpp"
#include "cosim/workload/reproduction.hpp"
#include "cosim/workload/transfer_trace.hpp"
#include "farm/engine.hpp"
#include "farm/job.hpp"
#include "farm/plan.hpp"
#include "model/bench/transformer/shape.hpp"
#include "model/ccl/ccl_config.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/noc/noc_spec.hpp"
#include "sim/regression/known_failures.hpp"
#include "sim/regression/regression_spec.hpp"
#include "sim/stimulus/pin_trace.hpp"
#include "sim/trace/link_trace.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/zoo_spec.hpp"

namespace kernbench {
namespace {

using Reader = std::function<void(const std::string& path)>;

void read_ccl(const std::string& path) {
  const topology::TopologySpec spec;
  (void)model::ccl::read_ccl_config(path, spec);
}

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> kReaders = {
      {"analytic-parameters", [](const std::string& path) { (void)cosim::read_parameters(path); }},
      {"ccl", read_ccl},
      {"cosim-reproduction", [](const std::string& path) { (void)cosim::read_reproduction(path); }},
      {"engine", [](const std::string& path) { (void)farm::read_engine(path); }},
      {"job", [](const std::string& path) { (void)farm::read_job(path); }},
      {"known-failures", [](const std::string& path) { (void)sim::read_known_failures(path); }},
      {"link-trace",
       [](const std::string& path) {
         (void)sim::read_link_trace(path, {16, 16, 32});
       }},
      {"model",
       [](const std::string& path) { (void)model::bench::transformer::read_model_shape(path); }},
      {"network-regression",
       [](const std::string& path) {
         (void)sim::parse_network_regression(common::read_text_file(path), path);
       }},
      {"noc-regression",
       [](const std::string& path) {
         (void)sim::parse_noc_regression(common::read_text_file(path), path);
       }},
      {"pin-trace",
       [](const std::string& path) {
         (void)sim::pin_trace_of(common::read_report(path, sim::kPinTraceKind), path);
       }},
      {"regression", [](const std::string& path) { (void)sim::load_regression(path); }},
      {"sweep-plan", [](const std::string& path) { (void)farm::read_plan(path); }},
      {"topology", [](const std::string& path) { (void)topology::load_topology_spec(path); }},
      {"transfer-trace",
       [](const std::string& path) { (void)cosim::read_transfer_trace(path, 256); }},
      {"zoo", [](const std::string& path) { (void)topology::zoo::load_zoo_spec(path); }},
  };
  return kReaders;
}

/// Returns what is wrong with a file on one line.
std::string problem(const std::string& format, const std::string& path) {
  std::string text;
  try {
    readers().at(format)(path);
  } catch (const common::BadInput& error) {
    text = error.what();
  } catch (const std::exception& error) {
    text = fmt::format("internal error: {}", error.what());
  }
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text;
}

}  // namespace
}  // namespace kernbench

int main() {
  for (std::string format, path; std::cin >> format >> path;) {
    std::cout << kernbench::problem(format, path)
              << std::endl;  // also if the next file ends this program
  }
  return 0;
}
