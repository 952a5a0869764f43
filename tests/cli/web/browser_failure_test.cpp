// SPDX-License-Identifier: Apache-2.0
// The page of a failure in a headless Chromium: from its file and in the viewer.
#include "cli/base/report_kinds.hpp"
#include "common/text_file.hpp"
#include "tests/cli/process.hpp"
#include "tests/places.hpp"
#include "viewer_page.hpp"

namespace kernbench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// A failure of a line of three nodes, whose third packet on 1->2 has a wrong bit.
class FailureInViewer : public cli_test::ViewerPage {
 protected:
  void SetUp() override {
    ViewerPage::SetUp();
    if (IsSkipped()) return;
    (void)folder_.write("line.yaml",
                        "name: line\ndut: noc\n"
                        "network: {topology: BidirectionalLine(3), slots: 4}\nsuites:\n"
                        "  - {name: busy, load: 0.5, cycles: 500}\n");
    const cli_test::Finished finished =
        cli_test::kernbench({"sim", "line.yaml", "--model", places::kReferenceNoc, "--plusarg",
                             "third_head", "--report", "reports"},
                            folder_.path(), folder_.path());
    ASSERT_EQ(finished.exit_code, 1) << finished.err;
  }
  [[nodiscard]] ShownViewer viewer() const {
    return ShownViewer(cli_test::small_system(topology::InterCube::UcieMesh),
                       folder_.path() / "reports", {}, {}, cli::report_kinds());
  }
  [[nodiscard]] fs::path file(const std::string& name) const {
    return folder_.path() / "reports/failures/busy-seed1" / name;
  }
  void open_page() {
    page().open("file://" + file("failure.html").string());
    ASSERT_TRUE(page().wait_until("document.querySelector('.map .held, .moving') !== null"));
  }
  /// Returns the numbers that are drawn on the map, and the places of the packets in the table.
  [[nodiscard]] static json drawn() { return texts(".moving text, .map .held"); }
  [[nodiscard]] static json places_now() { return texts(".ways .now"); }
  [[nodiscard]] static json labels() { return texts(".wave-tools b"); }
  static void focus(const std::string& selector) {
    (void)page().evaluate("document.querySelector('" + selector + "').focus() ?? ''");
  }

  static constexpr const char* kPath = "failures/busy-seed1/failure.json";
};

TEST_F(FailureInViewer, IsThePageThatTheCommandWrote) {
  const ShownViewer shown = viewer();
  open_reports(shown, std::string("report=") + kPath);
  ASSERT_TRUE(page().wait_until("document.querySelector('.report iframe') !== null"));
  EXPECT_EQ(page().evaluate("document.querySelector('.report iframe').getAttribute('src')"),
            std::string("/page/") + kPath);
  EXPECT_EQ(
      page().evaluate(std::string("fetch('/page/") + kPath + "').then((page) => page.text())"),
      common::read_text_file(file("failure.html").string()));
}

TEST_F(FailureInViewer, IsLinkedFromItsRegression) {
  const ShownViewer shown = viewer();
  open_reports(shown, "report=report.json");
  ASSERT_TRUE(page().wait_until("document.querySelector('.report li a') !== null"));
  EXPECT_THAT(texts(".report li:has(a)"),
              ElementsAre(HasSubstr("busy seed 1: 1->2: vc 0, 0x99faa2866")));
  (void)page().evaluate("document.querySelector('.report li a').click() ?? ''");
  ASSERT_TRUE(page().wait_until("document.querySelector('.report iframe') !== null"));
  EXPECT_EQ(page().evaluate("document.querySelector('.report iframe').getAttribute('src')"),
            std::string("/page/") + kPath);
}

TEST_F(FailureInViewer, IsRefusedInTheViewerWithoutItsForm) {
  // The viewer finds the kind of a report in its head.
  auto report =
      nlohmann::ordered_json::parse(common::read_text_file(file("failure.json").string()));
  report.at("data").at("ways").at("map").erase("nodes");
  (void)folder_.write("reports/damaged.json", report.dump(1));
  const ShownViewer shown = viewer();
  open_reports(shown, "report=damaged.json");
  EXPECT_EQ(count(".report iframe"), 0);
  EXPECT_THAT(text(".report dl"), HasSubstr("data.ways.map.nodes"));
}

TEST_F(FailureInViewer, PlaysThePacketsWithTheCursorOfTheWave) {
  open_page();
  const json data = json::parse(common::read_text_file(file("failure.json").string())).at("data");
  const json& wave = data.at("shrunk_wave");
  const int first = wave.at("first");
  const int wrong = wave.at("wrong");
  const int last = first + wave.at("cycles").get<int>() - 1;
  const auto label = [](int cycle) { return "cycle " + std::to_string(cycle); };
  /// The places of all packets in a cycle, as the report has them.
  const auto places = [&](int cycle) {
    json found = json::array();
    for (const json& packet : data.at("ways").at("packets")) {
      for (const json& stay : packet.at("stays")) {
        const int from = stay.at("first");
        const int to = stay.at("last");
        if (cycle < from || cycle > to) continue;
        found.push_back(
            (from == to ? std::to_string(from) : std::to_string(from) + "-" + std::to_string(to)) +
            ": " + stay.at("place").get<std::string>());
      }
    }
    return found;
  };
  const std::string other = label(data.at("wave").at("wrong"));
  EXPECT_THAT(labels(), ElementsAre(label(wrong), label(wrong), other));
  EXPECT_EQ(places_now(), places(wrong));
  EXPECT_GT(count(".moving.wrong"), 0);
  // At the first wrong cycle something differs; its value stands beside that of the reference.
  const json differing = texts(".wave-values .differs");
  ASSERT_FALSE(differing.empty());
  for (const json& one : differing) {
    EXPECT_THAT(one.get<std::string>(), ::testing::ContainsRegex("^[^=]+ = .+, reference .+$"));
  }
  focus("svg.wave");
  for (int cycle = wrong - 1; cycle >= first; --cycle) {
    page().press("ArrowLeft");
    EXPECT_EQ(texts(".wave-tools b").at(1), label(cycle));
    EXPECT_EQ(places_now(), places(cycle)) << cycle;
  }
  page().press("ArrowLeft");
  EXPECT_EQ(labels().at(0), label(first));
  // The map has the same keys, and moves the cursor of the wave.
  focus("svg.map");
  page().press("End");
  EXPECT_EQ(labels().at(0), label(last));
  EXPECT_EQ(places_now(), places(last));
  page().press("Home");
  EXPECT_EQ(labels().at(0), label(first));
  const std::string at = page().evaluate("document.querySelector('.cursor').getAttribute('d')");
  page().press("ArrowRight");
  EXPECT_NE(page().evaluate("document.querySelector('.cursor').getAttribute('d')"), at);
  // The wave of the case as it ran has a cursor of its own.
  EXPECT_EQ(labels().at(2), other);
}

TEST_F(FailureInViewer, PlaysToTheEndAndPauses) {
  open_page();
  focus("svg.map");
  page().press("End");
  const std::string last = labels().at(0);
  page().press(" ");  // from the first cycle on
  EXPECT_NE(labels().at(0), last);
  page().press(" ");
  const std::string paused = labels().at(0);
  EXPECT_EQ(texts(".wave-tools button").at(3), "\u25b6");
  page().press("ArrowRight");
  EXPECT_NE(labels().at(0), paused);
  (void)page().evaluate("document.querySelectorAll('.wave-tools button')[3].click() ?? ''");
  EXPECT_EQ(texts(".wave-tools button").at(3), "\u2016");
  page().press("End");
  page().press("ArrowLeft");
  EXPECT_EQ(texts(".wave-tools button").at(3), "\u25b6");
  page().press(" ");
  ASSERT_TRUE(page().wait_until("document.querySelector('.wave-tools b').textContent === " +
                                json(last).dump()));
  EXPECT_EQ(texts(".wave-tools button").at(3), "\u25b6");
}

}  // namespace
}  // namespace kernbench
