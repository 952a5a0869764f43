// SPDX-License-Identifier: Apache-2.0
// Reads the reports of the program in a headless Chromium.
#include "cli/base/report_kinds.hpp"
#include "tests/cli/process.hpp"
#include "tests/places.hpp"
#include "viewer_page.hpp"

namespace kernbench {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

std::string envelope(const std::string& kind, const std::string& data) {
  return R"({"schema": 1, "kind": ")" + kind +
         R"(", "outcome": "pass", "seed": 1, "config_hash": "0", "revision": "r", )"
         R"("command": "kernbench x", "data": )" +
         data + "}";
}

class ViewerReports : public cli_test::ViewerPage {
 protected:
  ViewerReports() {
    (void)folder_.write("small.yaml", "sip: {cube_mesh: {w: 2, h: 2}, inter_cube: maze}\n");
    (void)folder_.write("mesh.yaml", "sip: {cube_mesh: {w: 2, h: 2}}\n");
    fs::create_directories(folder_.path() / "reports");
  }
  /// Runs the program in the folder above the reports.
  void run(const std::vector<std::string>& arguments) const {
    fs::create_directories(folder_.path() / "out");
    const cli_test::Finished finished =
        cli_test::kernbench(arguments, folder_.path(), folder_.path() / "out");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_.path() / "reports" / name).parent_path());
    (void)folder_.write("reports/" + name, text);
  }
  [[nodiscard]] ShownViewer viewer(
      topology::InterCube inter_cube = topology::InterCube::UcieMesh) const {
    plot::ReportKinds kinds = cli::report_kinds();
    kinds.push_back(&cli_test::kNote);
    return ShownViewer(cli_test::small_system(inter_cube), folder_.path() / "reports", {}, {},
                       kinds);
  }
  /// Returns the titles of all parts of the open report, in order.
  [[nodiscard]] static json parts() {
    return texts(
        ".report h2.part, .report figcaption strong, .report label.choice, "
        ".report section > details.fold > summary");
  }
  /// Expects the viewer to show the page that the program makes of a report, with these headings
  /// among others, or of two.
  void expect_page(const ShownViewer& viewer, const std::string& path,
                   const std::vector<std::string>& headings, const std::string& other = {}) {
    open_reports(viewer, "report=" + path + (other.empty() ? "" : "&with=" + other));
    ASSERT_TRUE(page().wait_until("document.querySelector('.report iframe') !== null")) << path;
    const std::string address = "/page/" + path + (other.empty() ? "" : "?with=" + other);
    EXPECT_EQ(page().evaluate("document.querySelector('.report iframe').getAttribute('src')"),
              address);
    EXPECT_EQ(count(".report .bad, .report dl"), 0) << path;
    page().open("http://127.0.0.1:" + std::to_string(viewer.port()) + address);
    ASSERT_TRUE(page().wait_until("document.querySelector('footer') !== null")) << path;
    const std::vector<std::string> shown = texts("h2, h3");
    EXPECT_THAT(shown, IsSupersetOf(headings)) << path;
    EXPECT_THAT(text("main"), Not(HasSubstr("NaN"))) << path;
  }
  /// Expects a report to be drawn by its kind, with parts of these titles among others.
  void expect_parts(const ShownViewer& viewer, const std::string& path,
                    const std::vector<std::string>& titles) {
    open_reports(viewer, "report=" + path);
    const std::vector<std::string> shown = parts();
    EXPECT_THAT(shown, IsSupersetOf(titles)) << path;
    EXPECT_EQ(count(".report pre, .report .bad"), 0) << path;
    EXPECT_THAT(text(".report"), Not(HasSubstr("as expected"))) << path;
    EXPECT_THAT(text(".report"), Not(HasSubstr("NaN"))) << path;
    EXPECT_THAT(text(".report"), Not(HasSubstr("undefined"))) << path;
  }
};

TEST_F(ViewerReports, DrawsEveryKindThatACommandOfTheModelWrites) {
  const std::string topology = "small.yaml";
  run({"probe", "--topology", "mesh.yaml", "--json", "reports/probe.json"});
  run({"traffic", "Mesh2D(3,3)", "--loads", "0.1,0.3", "--cycles", "500", "--json",
       "reports/traffic.json"});
  run({"run", "--topology", topology, "softmax", "--set", "rows=64", "--set", "columns=64",
       "--verify", "--json", "reports/run.json", "--oplog", "reports/op-log.json"});
  run({"evaluate", "gemm", "--topology", topology, "--quick", "--json", "reports/gemm.json"});
  run({"topology", "export", "--topology", topology, "--json", "--output",
       "reports/topology.json"});
  run({"cosim", "--topology", topology, "--fabric", "cycle", "--loads", "0.1,0.5", "--cycles",
       "300", "--json", "reports/cosim.json"});
  run({"topology", "zoo", "Mesh2D(2,2)", "-o", "reports/zoo.json"});
  const ShownViewer shown = viewer();
  expect_page(shown, "zoo.json", {"Channels", "Routes"});
  expect_page(shown, "probe.json", {"Latency on an idle machine", "Utilization by size"});
  expect_page(shown, "traffic.json", {"Latency by load", "Accepted load", "Loads"});
  EXPECT_EQ(count("figure svg, section svg"), 2);
  expect_page(shown, "op-log.json", {"Records"});
  expect_page(shown, "gemm.json",
              {"Latency", "Utilization of the matrix engines", "Roofline", "Points"});
  expect_page(shown, "topology.json", {"Nodes", "Edges"});
  expect_parts(shown, "run.json",
               {"Parameters", "Launches over time", "Launches", "Results compared"});
  EXPECT_EQ(count(".timeline canvas"), 1);
  expect_parts(shown, "cosim.json",
               {"Load of the links over time", "uniform_random: mean latency by offered load",
                "utilization on cycle", "Runs"});
}

TEST_F(ViewerReports, ShowsACriticalPathOverTime) {
  run({"run", "--topology", "small.yaml", "gemm", "--explain", "--json", "reports/run.json"});
  const ShownViewer shown = viewer();
  expect_parts(shown, "run.json", {"Critical path of region 'gemm'", "Parts in region 'gemm'"});
  const std::string arrows = ".path-link[display=inline]";
  const int all = count(arrows);
  EXPECT_GT(all, 10);
  EXPECT_GT(count(".path-columns .column"), 16);
  EXPECT_EQ(count(".path-columns .chosen"), 0);
  EXPECT_TRUE(shows(".load-time", "all: "));
  // The third window.
  (void)page().evaluate(
      "(() => { const slider = document.querySelector('.path-player input'); slider.value = 3; "
      "slider.dispatchEvent(new Event('input')); return ''; })()");
  EXPECT_EQ(count(".path-columns .column:nth-child(3).chosen"), 1);
  EXPECT_EQ(count(".path-columns .chosen"), 1);
  EXPECT_LT(count(arrows), all);
  EXPECT_TRUE(
      page().wait_until("!document.querySelector('.load-time').textContent.includes('all: ')"));
}

TEST_F(ViewerReports, DrawsEveryKindThatACommandOfTheRtlWrites) {
  const std::string reference = places::source("/tests/cli/reference.yaml");
  run({"sim", reference, "--model", places::kReferenceModel, "--report", "reports", "--waves",
       "off", "--no-structure"});
  const std::string chunk = "name: chunk\nfabric: {nx: 4, ny: 3}\nsuites:\n  - {name: more}\n";
  (void)folder_.write("chunk.yaml", chunk);
  run({"sim", "chunk.yaml", "--packets", "100000000", "--report", "reports", "--model",
       places::kReferenceModel, "--seeds", "1"});
  const ShownViewer shown = viewer();
  expect_parts(shown, "report.json",
               {"packets delivered", "Cases", "Coverage", "Bins hit by group"});
  EXPECT_GT(count(".bars .bar"), 5);
  EXPECT_THAT(texts(".report-links a"), ElementsAre("open the file", "show report.html"));
  expect_page(shown, "coverage.json", {"Missed"});
  expect_page(shown, "soak.json",
              {"60 links by receiving node and input port", "Links with the longest stalls"});
}

TEST_F(ViewerReports, DrawsTheKindsOfProofsAndTraces) {
  write("proofs.json", envelope("proofs", R"({"rtl": "rtl", "rtl_hash": "0",
    "summary": {"proven": 1, "refuted": 1, "undecided": 0, "mutants": 0, "mutants_refuted": 0,
                "whole": false},
    "results": [
      {"id": "a", "group": "primitives", "module": "IRS_N", "property": "order", "outcome": "proven",
       "engine": "pdr", "depth": 3, "cover": 1, "seconds": 0.5, "note": "", "files": []},
      {"id": "b", "group": "wiring", "module": "TOPO", "property": "links", "outcome": "refuted",
       "engine": "bmc", "depth": 2, "cover": 1, "seconds": 0.25, "note": "x[0]", "files": []}]})"));
  write("pins.json", envelope("pin-trace", R"({"bench": "topo",
    "fabric": {"nx": 2, "ny": 2, "flit_bits": 8}, "receivers": [{"node": 1, "port": 0}],
    "cycles": [{"reset": true, "offers": [], "ready": [true]},
               {"reset": false, "offers": [{"node": 3, "port": 1, "packet": "0x1f"}],
                "ready": [false]}],
    "fails": {"cycle": 1, "rule": "order"}})"));
  write("failure.json", envelope("cosim-reproduction", R"({"nx": 2, "ny": 2, "fault": null,
    "failure": "lost", "transfers": [{"src": 0, "dst": 1, "bytes": 4}]})"));
  write("transfers.json", R"({"kind": "transfer-trace", "data": [
    {"time_ps": 1500, "src": 0, "dst": 1, "bytes": 2048, "qos": "low", "type": "unicast"}]})");
  write("links.json", R"({"kind": "link-trace", "data": [
    {"cycle": 3, "node": 0, "port": "x[0]", "packet": "0x1"},
    {"cycle": 4, "node": 1, "port": "y[0]", "packet": "0x2"}]})");
  const ShownViewer shown = viewer();
  expect_parts(shown, "proofs.json",
               {"Proven properties and refuted mutants", "Not proven", "Time by group"});
  EXPECT_THAT(texts(".part-grid:nth-of-type(4) td, .bars .bar-value"),
              ElementsAre("1 of 1", "0 of 1", "TOPO", "links", "refuted", "bmc", "2", "0.25 s",
                          "x[0]", "0.5 s", "0.25 s"));
  expect_parts(shown, "pins.json", {"Cycles"});
  EXPECT_THAT(texts(".report td"), ElementsAre("0", "reset", "", "", "", "1", "", "[1,1].y[0] 0x1f",
                                               "[0,1].x[0]", "rule broken"));
  expect_parts(shown, "failure.json", {"Transfers"});
  expect_parts(shown, "transfers.json", {"Transfers by type", "Transfers"});
  EXPECT_THAT(texts(".report td"), ElementsAre("1.5 ns", "0", "1", "2 KiB", "low", "unicast"));
  expect_parts(shown, "links.json", {"Packets by cycle"});
}

TEST_F(ViewerReports, ShowsThePageThatTheProgramMakesOfAKind) {
  write("note.json", cli_test::note_report(R"({"text": "said once"})"));
  const ShownViewer viewer = this->viewer();
  open_reports(viewer, "report=note.json");
  EXPECT_EQ(page().evaluate("document.querySelector('.report iframe').getAttribute('src')"),
            "/page/note.json");
  EXPECT_EQ(page().evaluate("document.querySelector('.report iframe').getAttribute('sandbox')"),
            "allow-scripts allow-downloads");
  EXPECT_THAT(texts(".report-links a"), ElementsAre("open the file", "open as a page"));
}

TEST_F(ViewerReports, ShowsUnknownKindsAsTables) {
  write("new.json", envelope("sweep-of-the-future", R"({"title": "a sweep", "time_ps": 1234000,
    "nested": {"a": {"deep": "x"}}, "rows": [
      {"name": "one", "latency_ps": 1500, "bytes": 4096, "more": [1, 2]},
      {"name": "two", "latency_ps": 2500000, "bytes": 1, "more": []}]})"));
  write("plain.json", R"([{"a": 1}, {"a": 2}])");
  write("other-version.json", envelope("traffic", R"({"points": [{"load": 0.5}]})"));
  write("table.csv", "load,latency\n0.1,5\n0.5,7.25\n");
  const ShownViewer shown = viewer();
  open_reports(shown, "report=new.json");
  EXPECT_THAT(texts(".report dl.pairs dt"),
              ElementsAre("outcome", "seed", "revision", "command", "title", "time"));
  EXPECT_THAT(texts(".report thead th"), ElementsAre("name", "latency", "bytes", "more"));
  EXPECT_THAT(texts(".report tbody td"),
              ElementsAre("one", "1.5 ns", "4 KiB", "2 items", "two", "2.5 µs", "1 B", "0 items"));
  page().click(".report section > .fold summary");
  EXPECT_TRUE(shows(".report section > .fold dl", "deepx"));
  page().click(".report td summary");
  EXPECT_TRUE(shows(".report td dl", "values1, 2"));
  EXPECT_EQ(count(".report pre"), 0);
  open_reports(shown, "report=plain.json");
  EXPECT_THAT(texts(".report td"), ElementsAre("1", "2"));
  open_reports(shown, "report=other-version.json");
  EXPECT_THAT(text(".report"), HasSubstr("notemissing key 'data.topology'"));
  EXPECT_THAT(texts(".report td"), ElementsAre("0.5"));
  open_reports(shown, "report=table.csv");
  EXPECT_THAT(texts(".report th, .report td"),
              ElementsAre("load", "latency", "0.1", "5", "0.5", "7.25"));
  write("quoted.csv", "a,\"b, c\"\r\n\"say \"\"hi\"\"\",\r\n\"two\nlines\",3\r\n");
  open_reports(shown, "report=quoted.csv");
  EXPECT_THAT(texts(".report th, .report td"),
              ElementsAre("a", "b, c", "say \"hi\"", "", "two\nlines", "3"));
}

TEST_F(ViewerReports, ComparesTwoReportsOfAKindOnAPage) {
  for (const char* name : {"a", "b"}) {
    run({"traffic", "Mesh2D(3,3)", "--loads", "0.1", "--cycles", "500", "--seed",
         std::string(name) == "a" ? "1" : "2", "--json", std::string("reports/") + name + ".json"});
  }
  write(
      "other.json",
      envelope("structure", R"({"rules": 2, "links": 1, "nodes": 0, "bits": 1, "findings": []})"));
  const ShownViewer shown = viewer();
  open_reports(shown, "report=a.json");
  EXPECT_THAT(texts(".compare option"), ElementsAre("nothing", "b.json"));
  (void)page().evaluate(
      "(() => { const s = document.querySelector('.compare'); s.value = 'b.json'; "
      "s.dispatchEvent(new Event('change')); })()");
  ASSERT_TRUE(page().wait_until("location.hash === '#report=a.json&with=b.json'"));
  expect_page(shown, "a.json", {"Inputs", "Results", "A: Latency by load", "B: Latency by load"},
              "b.json");
  open_reports(shown, "report=a.json&with=other.json");
  EXPECT_EQ(text(".report .bad"),
            "Cannot show this report: other.json is a report of another kind");
}

TEST_F(ViewerReports, SavesTheRowsThatAreShownAndCharts) {
  write("rows.csv", "name,size\n\"a, \"\"b\"\"\",1\nc,2500\n");
  run({"cosim", "--topology", "small.yaml", "--fabric", "cycle", "--loads", "0.1,0.5", "--cycles",
       "90", "--json", "reports/cosim.json"});
  const ShownViewer shown = viewer();
  const auto saved = [&](const std::string& button) {
    (void)page().evaluate(
        "(() => { window.saved = ''; URL.createObjectURL = (blob) => { blob.text().then((text) => "
        "{ window.saved = text; }); return '#'; }; [...document.querySelectorAll('.save')].find("
        "(one) => one.textContent === '" +
        button + "').click(); return ''; })()");
    EXPECT_TRUE(page().wait_until("window.saved !== ''")) << button;
    return page().evaluate("window.saved");
  };
  open_reports(shown, "report=rows.csv");
  EXPECT_EQ(saved("save CSV"), "name,size\n\"a, \"\"b\"\"\",1\nc,2500\n");
  open_reports(shown, "report=cosim.json");
  const std::string chart = saved("save SVG");
  EXPECT_THAT(chart, StartsWith("<svg "));
  EXPECT_THAT(chart, HasSubstr(" xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(chart, HasSubstr("offered load, packets per sender and cycle</text>"));
  EXPECT_THAT(chart, HasSubstr("stroke=\"rgb("));
  EXPECT_THAT(chart, Not(HasSubstr("NaN")));
}

// The viewer draws a run itself, and shows the comparison of two on the page of the program.
TEST_F(ViewerReports, ComparesTwoReportsThatItDraws) {
  run({"run", "--topology", "small.yaml", "gemm", "--explain", "--json", "reports/a.json"});
  run({"run", "--topology", "small.yaml", "gemm", "--explain", "--set", "topology.pe.clock_ghz=2",
       "--json", "reports/b.json"});
  write(
      "other.json",
      envelope("structure", R"({"rules": 2, "links": 1, "nodes": 0, "bits": 1, "findings": []})"));
  const ShownViewer shown = viewer();
  expect_page(shown, "a.json", {"Inputs", "Why", "Results"}, "b.json");
  open_reports(shown, "report=a.json&with=other.json");
  EXPECT_EQ(text(".report .bad"),
            "Cannot show this report: other.json is a report of another kind");
}

TEST_F(ViewerReports, FiltersTheListAndScrollsToTheOpenReport) {
  for (int i = 0; i < 60; ++i) {
    const std::string name = "night" + std::to_string(i % 3) + "/r" + std::to_string(i) + ".json";
    write(name, envelope(i == 7 ? "structure" : "traffic", "{}"));
  }
  const ShownViewer shown = viewer();
  const auto open_is_in_view = [] {
    return page().evaluate(
        "(() => { const b = document.querySelector('[aria-current=page]').getBoundingClientRect(); "
        "return b.top >= 0 && b.bottom <= innerHeight; })()");
  };
  for (const char* name : {"night0/r0.json", "night1/r31.json", "night2/r59.json"}) {
    open_reports(shown, std::string("report=") + name);
    EXPECT_EQ(open_is_in_view(), true) << name;
  }
  EXPECT_EQ(text(".report-list summary"), "Reports (60)");
  page().click("input[aria-label=\"Filter reports\"]");
  for (const char* key : {"s", "t", "r", "u", "c", "t"}) page().press(key);
  EXPECT_EQ(text(".report-list summary"), "Reports (1 of 60)");
  EXPECT_THAT(texts(".report-list .report-name"), ElementsAre("r7.jsonpass"));
  EXPECT_THAT(texts(".report-list .folder"), ElementsAre("night1/"));
  EXPECT_TRUE(page().wait_until("location.hash.includes('filter=struct')"));
  open_reports(shown, "reports=1&filter=night2 r5 pass");
  EXPECT_EQ(page().evaluate("document.querySelector('.report-list input').value"),
            "night2 r5 pass");
  EXPECT_EQ(count(".report-list li"), 5);  // r5, r50, r53, r56 and r59
  open_reports(shown, "reports=1&filter=nothing");
  EXPECT_THAT(text(".report-list"), HasSubstr("No report matches."));
}

TEST_F(ViewerReports, PlaysTheLoadOfACosimulationOnTheTopology) {
  run({"cosim", "--topology", "small.yaml", "--fabric", "cycle", "--loads", "0.5", "--cycles", "90",
       "--warmup", "10", "--json", "reports/cosim.json"});
  const auto load_shown = [] {
    return page().evaluate(
        "[...document.querySelectorAll('.load-view .link')].map((line) => "
        "line.getAttribute('class').split(' ')[1]).filter((level) => level !== 'no-load').length");
  };
  for (const auto inter_cube : {topology::InterCube::Maze, topology::InterCube::UcieMesh}) {
    const ShownViewer shown = viewer(inter_cube);
    open_reports(shown, "report=cosim.json");
    ASSERT_TRUE(page().wait_until("document.querySelectorAll('.load-view .link').length === 4"));
    EXPECT_THAT(text(".load"), HasSubstr(inter_cube == topology::InterCube::Maze
                                             ? "SIP view of test.yaml"
                                             : "has no MAZE of 2x2, so nodes are drawn in a grid"));
    EXPECT_EQ(text(".load-time"), "0 ps to 16 ns");
    EXPECT_EQ(load_shown(), 4);
    page().click(".play");
    ASSERT_TRUE(
        page().wait_until("document.querySelector('.load input').value >= 6 && "
                          "document.querySelector('.play').textContent === '▶ Play'"));
    EXPECT_EQ(page().evaluate("document.querySelector('.load input').value === "
                              "document.querySelector('.load input').max"),
              true);
    // The tooltip has both directions of a line, with the packets of the file.
    const std::string windows = page().evaluate(
        "fetch('/reports/cosim.json').then((r) => r.json()).then((j) => "
        "j.data.workloads[0].links.load.packets[0])");
    (void)page().evaluate(
        "document.querySelector('.load input').value = 0; "
        "document.querySelector('.load input').dispatchEvent(new Event('input'))");
    (void)page().evaluate(
        "document.querySelector('[data-line=\"0\"]').dispatchEvent("
        "new PointerEvent('pointermove', {bubbles: true}))");
    const std::string first = windows.substr(0, windows.find(' '));
    EXPECT_THAT(text(".load > p"), AllOf(HasSubstr("[0,0].x[0]: " + first + " packets, "),
                                         HasSubstr(" · [0,1].x[0]: ")));
  }
}

TEST_F(ViewerReports, FindsSlicesAndTimesInATimeline) {
  run({"probe", "--topology", "mesh.yaml", "--trace", "reports/hops.json"});
  const ShownViewer shown = viewer();
  open_reports(shown, "report=hops.json");
  const auto find = [](const std::string& wanted) {
    (void)page().evaluate(
        "(() => { const f = document.querySelector('.timeline-tools input'); "
        "f.value = " +
        json(wanted).dump() +
        "; f.dispatchEvent(new Event('input')); f.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter'})); })()");
  };
  find("pcie_ep");
  const std::string found = text(".timeline-tools output");
  EXPECT_THAT(found, ::testing::MatchesRegex("1 of [0-9]+"));
  EXPECT_THAT(text(".timeline-note"), HasSubstr("sip0.io0.pcie_ep: "));
  page().click(".timeline-tools button[title=\"Previous match\"]");
  const std::string count = found.substr(5);
  EXPECT_EQ(text(".timeline-tools output"), count + " of " + count);
  find("nothing");
  EXPECT_EQ(text(".timeline-tools output"), "no match");
  find("1.5 us");
  EXPECT_EQ(text(".timeline-tools output"), "");
}

TEST_F(ViewerReports, ShowsNestedSlicesAndCountersOfATimeline) {
  run({"run", "--topology", "small.yaml", "softmax", "--set", "rows=8", "--trace",
       "reports/run.json"});
  const ShownViewer shown = viewer();
  open_reports(shown, "report=run.json");
  (void)page().evaluate(
      "(() => { const f = document.querySelector('.timeline-tools input'); f.value = 'exp'; "
      "f.dispatchEvent(new Event('input')); f.dispatchEvent(new KeyboardEvent('keydown', "
      "{key: 'Enter'})); })()");
  EXPECT_THAT(text(".timeline-note"), HasSubstr(": exp, "));
  (void)page().evaluate(
      "(() => { const c = document.querySelector('.timeline canvas'); c.dispatchEvent("
      "new KeyboardEvent('keydown', {key: '0'})); const r = c.getBoundingClientRect(); "
      "c.dispatchEvent(new PointerEvent('pointermove', {clientX: r.left + 400, clientY: r.top + "
      "55})); })()");
  EXPECT_THAT(text(".timeline-note"), HasSubstr("DMA read: "));
}

TEST_F(ViewerReports, ShowsTheOpenReportFirstOnANarrowScreen) {
  for (int i = 0; i < 50; ++i) write("r" + std::to_string(i) + ".json", envelope("x", "{}"));
  run({"probe", "--topology", "mesh.yaml", "--json", "reports/probe.json", "--trace",
       "reports/hops.json"});
  const ShownViewer shown = viewer();
  page().resize(390, 844);
  for (const char* name : {"r30.json", "probe.json", "hops.json"}) {
    open_reports(shown, std::string("report=") + name);
    EXPECT_LT(page()
                  .evaluate("document.querySelector('.report h1').getBoundingClientRect().bottom")
                  .get<double>(),
              200)
        << name;
    EXPECT_LE(page().evaluate("document.documentElement.scrollWidth").get<int>(), 390) << name;
    EXPECT_EQ(page().evaluate("document.querySelector('.report').scrollWidth <= 390"), true)
        << name;
  }
  page().click(".report-list summary");
  EXPECT_EQ(page().evaluate("document.querySelector('.report-list details').open"), true);
  page().click("a[href=\"#report=r49.json\"]");
  EXPECT_TRUE(shows(".report h1", "r49.json"));
  EXPECT_EQ(page().evaluate("document.querySelector('.report-list details').open"), false);
}

TEST_F(ViewerReports, HasTheHeatMapColoursOfTheHtmlReports) {
  run({"cosim", "--topology", "small.yaml", "--fabric", "cycle", "--loads", "0.5", "--cycles", "90",
       "--html", "reports/cosim.html"});
  const ShownViewer shown = viewer();
  open_reports(shown, "reports=1");
  const std::string html = page().evaluate("fetch('/reports/cosim.html').then((r) => r.text())");
  const auto viewer_colour = [](char ramp, int i) -> std::string {
    return page().evaluate("getComputedStyle(document.documentElement).getPropertyValue('--" +
                           (ramp + std::to_string(i)) + "').trim()");
  };
  for (const bool dark : {false, true}) {
    if (dark) page().prefer_dark();
    // p and s: the blue and the orange colours of the HTML reports.
    for (const auto& [ramp, of_html] : {std::pair{'h', 'p'}, {'q', 's'}}) {
      for (int i = 0; i < 10; ++i) {
        const std::string name = std::string("--") + of_html + std::to_string(i) + ": ";
        std::size_t at = html.find(name);
        if (dark) at = html.find(name, at + 1);
        ASSERT_NE(at, std::string::npos) << name;
        EXPECT_EQ(viewer_colour(ramp, i), html.substr(at + name.size(), 7)) << name << dark;
      }
    }
  }
}

}  // namespace
}  // namespace kernbench
