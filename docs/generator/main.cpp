// SPDX-License-Identifier: Apache-2.0
// `make docs`: writes the documents that are made from the sources and from a verilated TOPO.
// Reports an error when a waveform differs from the one in docs/maze-topo.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/outcome.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "docs/generator/block_diagram.hpp"
#include "docs/generator/connection_matrix.hpp"
#include "docs/generator/cycle_recorder.hpp"
#include "docs/generator/described_schemas.hpp"
#include "docs/generator/launch_recorder.hpp"
#include "docs/generator/layer_diagram.hpp"
#include "docs/generator/link_recorder.hpp"
#include "docs/generator/load_curves.hpp"
#include "docs/generator/network_diagram.hpp"
#include "docs/generator/signal_tables.hpp"
#include "docs/generator/timing_diagram.hpp"
#include "plot/report_page.hpp"
#include "sim/dut/dut_library.hpp"

namespace {

using namespace kernbench;
using common::Outcome;

constexpr unsigned kExampleNode = 28;  // [3,4], as in the requirements

std::string signal_tables(const std::string& rtl) {
  std::string text = docs::interface_markdown(
      docs::read_interface(common::read_text_file(rtl + "/pkt_con_if.sv")));
  text += "\n# Modules\n";
  for (const char* file : {"topo", "irs_n", "irs_lp", "irs_half"}) {
    text += "\n" + docs::module_markdown(docs::read_module(
                       common::read_text_file(fmt::format("{}/{}.sv", rtl, file))));
  }
  return text;
}

std::string image(const std::string& file, const std::string& meaning) {
  return fmt::format("<p><img src=\"{}\" alt=\"{}\"/></p>\n", file, meaning);
}

/// Returns a page with all figures, for a browser.
std::string index_page() {
  plot::ReportPage page("KernBench", "img { max-width: 100%; }\n");
  page.header("<h1>Documents made from sources and runs</h1>\n", true);
  page.add({"KernBench", image("layers.svg", "The layers of the repository") +
                             image("layers-model.svg", "The layers of model/") +
                             image("cycle.svg", "A cycle of the RTL bench") +
                             image("launch.svg", "A kernel launch") +
                             image("load.svg", "Latency against load")});
  std::string maze =
      "<p><a href=\"connections.md\">Connection matrix</a> (<a href=\"connections.csv\">CSV</a>), "
      "<a href=\"signals.md\">signals</a></p>\n" +
      image("topology.svg", "The links of one node") + image("link.svg", "Signal flow of a link");
  for (const docs::Scenario& scenario : docs::shipped_scenarios()) {
    maze += image(fmt::format("timing-{}.svg", scenario.name), scenario.title);
  }
  page.add({"MAZE Topo", maze});
  page.add({"MAZE network", image("maze-node.svg", "A node") + image("maze-top.svg", "MAZE_TOP") +
                                image("accepted.svg", "Accepted over offered load")});
  page.footer("<p>Written by make docs.</p>");
  return std::move(page).finish();
}

/// Returns the checkout that this program was built in.
std::filesystem::path checkout() {
  const auto data = common::find_data_folder(common::running_program(), "");
  if (!data) throw common::BadInput("docs_generator is not in the build folder of a checkout");
  return data->path;
}

void write_documents(const std::filesystem::path& root, const std::string& model,
                     const std::string& rtl, const std::string& page,
                     const std::filesystem::path& out) {
  const topology::MazeLinks links(8, 8);
  common::ensure_directory(out);
  const auto write = [&](const std::string& name, const std::string& text) {
    common::write_file_atomically(out / name, text);
    fmt::print("{}\n", (out / name).string());
  };
  write("connections.csv", docs::connection_csv(links));
  write("connections.md", docs::connection_markdown(links));
  write("signals.md", signal_tables(rtl));
  write("topology.svg", docs::block_diagram(links, kExampleNode));
  write("link.svg", docs::link_diagram(links.leaving(kExampleNode, 3).depth));
  write("layers.svg", docs::repository_layers(root));
  write("layers-model.svg", docs::model_layers(root));
  write("load.svg", docs::load_curves());
  write("maze-node.svg", docs::node_diagram());
  write("maze-top.svg", docs::top_diagram());
  write("accepted.svg", docs::accepted_curves());
  write("launch.svg", docs::launch_diagram(docs::record_launch()));
  const std::string shown = common::read_text_file(page);
  const sim::DutLibrary library(model);
  write("cycle.svg", docs::cycle_diagram(docs::record_cycle(*library.create(1))));
  for (const docs::Scenario& scenario : docs::shipped_scenarios()) {
    const auto dut = library.create(1);
    const auto samples = docs::record(*dut, scenario);
    const std::string text = docs::waveform_text(scenario, samples);
    write(fmt::format("timing-{}.svg", scenario.name), docs::timing_diagram(scenario, samples));
    write(fmt::format("timing-{}.txt", scenario.name), text);
    if (shown.find(text) == std::string::npos) {
      throw common::BadInput(fmt::format(
          "{} shows a waveform that {} does not have; the right one is in timing-{}.txt", page,
          model, scenario.name));
    }
  }
  for (const char* const folder : {"schemas/reports", "schemas/inputs"}) {
    common::ensure_directory(out / folder);
  }
  for (const docs::DescribedSchema& schema : docs::described_schemas()) {
    write("schemas/" + schema.name, schema.text);
  }
  write("index.html", index_page());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes the documents that are made from the sources and from a verilated TOPO.");
  std::string model = "build/models/8x8x8/libmaze_model.so";
  std::string rtl;
  std::string page;
  std::string out = "build/docs";
  app.add_option("--model", model, "Verilated 8x8 TOPO to record")->capture_default_str();
  app.add_option("--rtl", rtl, "Folder of the RTL sources")->default_str("rtl");
  app.add_option("--page", page, "Page whose waveforms must be those of the model")
      ->default_str("docs/maze-topo.md");
  app.add_option("--out", out, "Folder to write to")->capture_default_str();
  try {
    app.parse(argc, argv);
    const std::filesystem::path root = checkout();
    if (rtl.empty()) rtl = (root / "rtl").string();
    if (page.empty()) page = (root / "docs" / "maze-topo.md").string();
    write_documents(root, model, rtl, page, out);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : common::exit_code(Outcome::BadInput);
  } catch (const common::BadInput& error) {
    fmt::print(stderr, "{}\n", error.what());
    return common::exit_code(Outcome::BadInput);
  } catch (const std::exception& error) {
    fmt::print(stderr, "docs_generator: {}\n", error.what());
    return common::exit_code(Outcome::InternalError);
  }
  return 0;
}
