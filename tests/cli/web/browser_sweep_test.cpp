// SPDX-License-Identifier: Apache-2.0
// Looks at sweeps in a headless Chromium: table, filter and linked charts.
#include <fstream>

#include "sweep_file.hpp"
#include "viewer_page.hpp"

namespace kernbench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class ViewerSweeps : public cli_test::ViewerPage {
 protected:
  ViewerSweeps() { fs::create_directories(root_); }

  [[nodiscard]] ShownViewer viewer() const { return {cli_test::small_system(), root_}; }

  /// Opens a sweep, such as "s.db&rows=mode%3Da", and waits until table and charts are drawn.
  void open_sweep(const ShownViewer& viewer, const std::string& hash) {
    open_reports(viewer, "report=" + hash);
    ASSERT_TRUE(page().wait_until("performance.getEntriesByName('sweep').length > 0"));
  }
  /// Evaluates a statement and waits until the page has drawn its result.
  static void act(const std::string& statement) {
    const std::string drawn = "performance.getEntriesByName('sweep').length";
    const int before = page().evaluate(drawn);
    (void)page().evaluate("(() => { " + statement + "; return ''; })()");
    ASSERT_TRUE(page().wait_until(drawn + " > " + std::to_string(before)));
  }
  static void type_filter(const std::string& text) {
    act("const box = document.querySelector('.sweep-filter input'); box.value = " +
        json(text).dump() + "; box.dispatchEvent(new Event('input'))");
  }
  /// Returns the texts of a column of the table, counted from 1.
  [[nodiscard]] static json column(int number) {
    return texts("[data-row] td:nth-child(" + std::to_string(number) + ")");
  }
  /// Returns a place in the window by its shares of the axes of a chart, from the least to the
  /// greatest point.
  [[nodiscard]] static json place(int chart, double across, double up) {
    return page().evaluate(
        "(() => { const c = document.querySelectorAll('.scatter canvas[tabindex]')[" +
        std::to_string(chart) +
        "]; c.scrollIntoView({block: 'center'}); const b = c.getBoundingClientRect();"
        " return [Math.round(b.x + 78 + " +
        std::to_string(across) + " * (b.width - 100)), Math.round(b.y + b.height - 48 - " +
        std::to_string(up) + " * (b.height - 68))]; })()");
  }
  [[nodiscard]] static std::string filter() {
    return page().evaluate("document.querySelector('.sweep-filter input').value");
  }
  [[nodiscard]] static std::string address() {
    return page().evaluate("decodeURIComponent(location.hash.replaceAll('+', ' '))");
  }
  /// Returns the rows that are selected.
  [[nodiscard]] static json selected() {
    return page().evaluate(
        "[...document.querySelectorAll('[data-row][aria-selected=true]')].map((e) => "
        "Number(e.dataset.row))");
  }
  /// Returns the number of pixels of a canvas of a chart that have a colour.
  [[nodiscard]] static int coloured(int chart, const std::string& canvas) {
    return page().evaluate(
        "(() => { const c = document.querySelectorAll('.scatter')[" + std::to_string(chart) +
        "].querySelector('" + canvas +
        "'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        " let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; })()");
  }

  fs::path root_ = folder_.path() / "reports";
};

TEST_F(ViewerSweeps, ShowsCommandCountsAndRows) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db");
  EXPECT_THAT(text(".report-list li"), HasSubstr("s.dbdeadlocksweep · 3 rows · "));
  EXPECT_THAT(
      texts(".sweep .part-facts dd"),
      ElementsAre("least data.end_ps: 1 us with bench.m=256, mode=b; data.hops 8.5",
                  "most data.hops: 8.5 with bench.m=256, mode=b; data.end_ps 1 us",
                  "kernbench run gemm", "3 of 4 have a row Reload", "2", "1 deadlock ", "1"));
  EXPECT_THAT(texts(".row-table th"), ElementsAre("bench.m", "mode", "outcome", "grade",
                                                  "data.end_ps", "data.hops", "message", "key"));
  EXPECT_THAT(texts("[data-row] td"),
              ElementsAre("128", "a", "pass", "exact", "2,000,000", "7", "", "k0", "256", "b",
                          "pass", "exact", "1,000,000", "8.5", "", "k1", "512", "a", "deadlock", "",
                          "", "", "no event, <1> waits", "k2"));
  EXPECT_EQ(count(".row-table .front"), 1);
  EXPECT_EQ(text(".filter-line p"), "3 rows");
  EXPECT_EQ(count(".scatter"), 3);
  EXPECT_EQ(page().evaluate("document.querySelector('.scatter canvas[tabindex]').ariaLabel"),
            "data.hops over data.end_ps, 2 points; arrows select one, Escape clears the range");
}

TEST_F(ViewerSweeps, SortsByAHeadingRowsWithoutAValueLast) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db");
  const std::string head = ".row-table th:nth-child(5)";
  page().click(head + " button");
  EXPECT_TRUE(shows(head, "▲"));
  EXPECT_TRUE(page().wait_until("document.querySelector('[data-row]').dataset.row === '1'"));
  EXPECT_THAT(column(8), ElementsAre("k1", "k0", "k2"));
  (void)page().evaluate("document.querySelector('" + head + " button').focus()");
  page().press("Enter");
  EXPECT_TRUE(shows(head, "▼"));
  EXPECT_TRUE(page().wait_until("document.querySelector('[data-row]').dataset.row === '0'"));
  EXPECT_THAT(column(8), ElementsAre("k0", "k1", "k2"));
  EXPECT_EQ(page().evaluate("document.querySelector('" + head + "').ariaSort"), "descending");
  EXPECT_THAT(address(), HasSubstr("sort=-data.end_ps"));
  open_sweep(shown, "s.db&sort=-bench.m");
  EXPECT_THAT(column(8), ElementsAre("k2", "k1", "k0"));
}

TEST_F(ViewerSweeps, FiltersByComparisonsThatAllHold) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db&rows=mode%3Da");
  EXPECT_THAT(column(8), ElementsAre("k0", "k2"));
  EXPECT_EQ(text(".filter-line p"), "2 of 3 rows");
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"bench.m>=256 outcome=pass", {"k1"}},
      {"bench.m >= 256  outcome = pass", {"k1"}},
      {"bench.m<256", {"k0"}},
      {"bench.m=128,512", {"k0", "k2"}},
      {"bench.m!=128,512", {"k1"}},
      {"data.end_ps<=1e6", {"k1"}},
      {"data.end_ps>0", {"k0", "k1"}},
      {"data.end_ps=\"\"", {"k2"}},
      {"message~\"<1> Waits\"", {"k2"}},
      {"\"front\"==yes", {"k1"}},
      {"key=k0,\"k1\"", {"k0", "k1"}},
      {"mode=c", {}},
      {"", {"k0", "k1", "k2"}}};
  for (const auto& [filter, keys] : cases) {
    type_filter(filter);
    EXPECT_EQ(column(8), json(keys)) << filter;
    EXPECT_EQ(count("#sweep-mistake[hidden]"), 1) << filter;
  }
  type_filter("bench.m>128");
  EXPECT_THAT(address(), HasSubstr("rows=bench.m>128"));
}

TEST_F(ViewerSweeps, ExplainsEveryMistakeInAFilterAndKeepsTheRows) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db");
  type_filter("mode=a");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"bnch.m=1", "There is no column 'bnch.m'; did you mean 'bench.m'?"},
      {"speed>1",
       "There is no column 'speed'; there are bench.m, mode, outcome, grade, data.end_ps, "
       "data.hops, "
       "message, key, front."},
      {"256", "'256' is not a comparison such as bench.m>=256."},
      {"bench.m>=", "'bench.m>=' needs a value, such as bench.m>=128."},
      {"bench.m>=many", "'many' is not a number, which 'bench.m>=' needs."},
      {"bench.m<1,2", "'<' takes one value; lists stand after '=' and '!='."},
      {"mode<b", "'mode' has no numbers, which '<' compares; use =, != or ~."},
      {"mode=b x y=1",
       "'x' is not a comparison such as bench.m>=256. There is no column 'y'; did you mean "
       "'key'?"}};
  for (const auto& [filter, message] : cases) {
    type_filter(filter);
    EXPECT_EQ(text("#sweep-mistake"), message + " The filter is not applied.");
    EXPECT_EQ(count("#sweep-mistake[hidden]"), 0);
    EXPECT_EQ(count(".sweep-filter input[aria-invalid=true]"), 1);
    EXPECT_THAT(column(8), ElementsAre("k0", "k2")) << filter;
  }
  open_sweep(shown, "s.db&rows=x");
  EXPECT_EQ(column(8).size(), 3U);
  EXPECT_EQ(count("#sweep-mistake[hidden]"), 0);
}

TEST_F(ViewerSweeps, APointAndItsRowAreMarkedTogether) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db");
  EXPECT_EQ(coloured(0, "canvas[tabindex]"), 0);
  page().click("[data-row='1']");
  EXPECT_EQ(selected(), json({1}));
  for (int chart = 0; chart < 3; ++chart) EXPECT_GT(coloured(chart, "canvas[tabindex]"), 50);
  EXPECT_EQ(text(".row-note"),
            "bench.m 256 mode b outcome pass grade exact data.end_ps 1,000,000 data.hops 8.5 ");
  // A failed row has no place in the charts.
  page().click("[data-row='2']");
  EXPECT_EQ(selected(), json({2}));
  EXPECT_THAT(text(".row-note"), HasSubstr("message no event, <1> waits"));
  page().click(".report h1");
  EXPECT_EQ(coloured(0, "canvas[tabindex]"), 0);
  for (int chart = 0; chart < 3; ++chart) {
    const json at = chart == 0 ? place(0, 1, 0) : place(chart, 0, 1);
    page().drag(at[0], at[1], at[0], at[1]);
    EXPECT_TRUE(
        page().wait_until("document.querySelector('[aria-selected=true]')?.dataset.row === '0'"));
    EXPECT_EQ(count("[data-row=\"0\"].hovered"), 0);
    page().click("[data-row='1']");
    EXPECT_EQ(selected(), json({1}));
  }
}

TEST_F(ViewerSweeps, ArrowsMoveTheSelectionInTableAndCharts) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db");
  (void)page().evaluate("document.querySelector('.row-table').focus()");
  for (const auto& [key, row] : {std::pair{"ArrowDown", 0},
                                 {"ArrowDown", 1},
                                 {"End", 2},
                                 {"ArrowDown", 2},
                                 {"ArrowUp", 1},
                                 {"Home", 0}}) {
    page().press(key);
    EXPECT_EQ(selected(), json({row})) << key;
  }
  (void)page().evaluate("document.querySelector('.scatter canvas[tabindex]').focus()");
  for (const auto& [key, row] :
       {std::pair{"ArrowLeft", 1}, {"ArrowRight", 0}, {"ArrowUp", 1}, {"ArrowDown", 0}}) {
    page().press(key);
    EXPECT_EQ(selected(), json({row})) << key;
  }
}

TEST_F(ViewerSweeps, ARangeOfAChartBecomesPartOfTheFilter) {
  cli_test::write_sweep(root_ / "s.db", cli_test::gemm_plan(),
                        {{{"1", "a"}, {100, 10}},
                         {{"2", "b"}, {200, 20}},
                         {{"3", "c"}, {300, 30}},
                         {{"4", "c"}, {400, 40}}});
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db&rows=outcome%3Dpass");
  const json low = place(0, 0.3, 0.3);
  const json high = place(0, 0.7, 0.7);
  page().drag(low[0], low[1], high[0], high[1]);
  EXPECT_TRUE(shows(".filter-line p", "2 of 4 rows"));
  // The table is drawn in the next frame.
  EXPECT_TRUE(page().wait_until("document.querySelectorAll('[data-row]').length === 2"));
  EXPECT_THAT(column(8), ElementsAre("k1", "k2"));
  EXPECT_THAT(filter(), ::testing::MatchesRegex(
                            "outcome=pass data\\.end_ps>=1[89][.0-9]* data\\.end_ps<=3[01][.0-9]* "
                            "data\\.hops>=1[89][.0-9]* data\\.hops<=3[01][.0-9]*"));
  EXPECT_GT(coloured(0, "canvas[tabindex]"), 1000);  // the range is drawn
  EXPECT_EQ(address(),
            "#report=s.db&rows=" + filter() + "&x=data.end_ps&y=data.hops&of=data.end_ps");
  // Another range takes its place; one of texts is a list.
  (void)page().evaluate("document.querySelector('.scatter canvas[tabindex]').focus()");
  page().press("Escape");
  EXPECT_TRUE(shows(".filter-line p", "4 rows"));
  EXPECT_EQ(filter(), "outcome=pass");
  const json b = place(2, 0.4, 0.5);
  const json c = place(2, 1, 0.5);
  page().drag(b[0], b[1], c[0].get<int>() + 9, b[1]);
  EXPECT_TRUE(shows(".filter-line p", "3 of 4 rows"));
  EXPECT_EQ(filter(), "outcome=pass mode=b,c");
}

TEST_F(ViewerSweeps, DrawsOtherColumnsOnTheAxes) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db&x=mode&of=data.hops");
  const auto label = [](int chart) -> std::string {
    return page().evaluate("document.querySelectorAll('.scatter canvas[tabindex]')[" +
                           std::to_string(chart) + "].ariaLabel.split(',')[0]");
  };
  EXPECT_EQ(label(0), "data.hops over mode");
  EXPECT_EQ(label(1), "data.hops over bench.m");
  act("const s = document.querySelector('select[name=of]'); s.value = 'data.end_ps'; "
      "s.dispatchEvent(new Event('change'))");
  EXPECT_EQ(label(1), "data.end_ps over bench.m");
  EXPECT_THAT(address(), HasSubstr("of=data.end_ps"));
}

TEST_F(ViewerSweeps, ShowsWhyADatabaseCannotBeShown) {
  std::ofstream(root_ / "new.db").close();
  const ShownViewer shown = viewer();
  open_reports(shown, "report=new.db");
  EXPECT_EQ(text(".report .bad"),
            "Cannot show this report: 'new.db' is empty: its sweep has not written to it yet");
  // The browser itself reports an answer with an error.
  EXPECT_EQ(page().take_complaints().size(), 1U);
  cli_test::write_sweep(root_ / "none.db", cli_test::gemm_plan(), {{{"1", "a"}, {1, 2}}}, 1);
  open_sweep(shown, "none.db");
  EXPECT_EQ(text(".filter-line p"), "0 rows");
  EXPECT_EQ(count("[data-row]"), 0);
}

TEST_F(ViewerSweeps, FitsANarrowScreen) {
  cli_test::write_small_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  page().resize(390, 844);
  open_sweep(shown, "s.db");
  EXPECT_LE(page().evaluate("document.documentElement.scrollWidth").get<int>(), 390);
  EXPECT_EQ(page().evaluate("document.querySelector('.report').scrollWidth <= 390"), true);
  EXPECT_EQ(page().evaluate("[...document.querySelectorAll('.scatter, .row-table')].every((e) => "
                            "e.getBoundingClientRect().right <= 390)"),
            true);
  page().click("[data-row='1'] td");
  EXPECT_EQ(selected(), json({1}));
}

TEST_F(ViewerSweeps, ShowsAHundredThousandRows) {
  cli_test::write_large_sweep(root_ / "s.db");
  const ShownViewer shown = viewer();
  open_sweep(shown, "s.db");
  EXPECT_EQ(text(".filter-line p"), "100,000 rows");
  EXPECT_LT(count("[data-row]"), 60);
  EXPECT_THAT(texts(".part-facts dd"),
              ElementsAre(StartsWith("least data.end_ps: 116 ns with bench.m=64, "),
                          StartsWith("most data.hops: 53.2051 with bench.m=8192, "),
                          "kernbench run gemm", "100,000", "99,900", "100 timeout ", "198"));
  (void)page().evaluate("document.querySelector('.row-table').focus()");
  page().press("End");
  EXPECT_TRUE(page().wait_until("document.querySelector('[data-row=\"99999\"]') !== null"));
  EXPECT_THAT(texts("[data-row=\"99999\"] td"),
              ElementsAre("8,192", "1,080", "5.9", "mode4", "timeout", "", "", "", "",
                          "no answer after 99999 s", "k99999"));
  EXPECT_EQ(selected(), json({99999}));
  EXPECT_GT(coloured(0, "canvas:not([tabindex])"), 30'000);
  type_filter("outcome!=pass bench.m=8192");
  EXPECT_EQ(text(".filter-line p"), "13 of 100,000 rows");
}

}  // namespace
}  // namespace kernbench
