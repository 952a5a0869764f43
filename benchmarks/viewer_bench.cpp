// SPDX-License-Identifier: Apache-2.0
// `make bench BENCH=viewer`: opens and filters a sweep of 100,000 rows in a headless Chromium,
// whose own clock counts from the navigation, or the change of the filter, to the end of the frame
// that shows table and charts. A sweep of three rows and the topology show what the rest of the
// page takes.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/web/chromium.hpp"
#include "tests/cli/web/running_viewer.hpp"
#include "tests/cli/web/sweep_file.hpp"

namespace kernbench {
namespace {

namespace fs = std::filesystem;

constexpr int kRepetitions = 7;
constexpr double kBarMs = 2000;

/// A folder that is removed at the end.
struct BenchFolder {
  fs::path path = fs::temp_directory_path() / fmt::format("kb-viewer-bench-{}", getpid());
  BenchFolder() { fs::create_directories(path / "reports"); }
  ~BenchFolder() { fs::remove_all(path); }
  BenchFolder(const BenchFolder&) = delete;
  BenchFolder& operator=(const BenchFolder&) = delete;
};

/// Prints median and range of some times and returns the median.
double report(const std::string& what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  fmt::print("{:<46} {:>6.0f} ms ({:.0f} to {:.0f})\n", what, median, times.front(), times.back());
  return median;
}

class ViewerBench {
 public:
  explicit ViewerBench(const std::string& chromium)
      : viewer_((write_sweeps(), cli_test::small_system()), folder_.path / "reports"),
        page_(chromium, folder_.path / "profile") {}

  /// Returns the number of missed bars.
  int run() {
    std::vector<double> topology;
    std::vector<double> small;
    std::vector<double> large;
    std::vector<double> filter;
    std::vector<double> all;
    for (int i = 0; i < kRepetitions; ++i) {
      topology.push_back(open("view=system", "diagram"));
      small.push_back(open("report=small.db", "sweep"));
      large.push_back(open("report=large.db", "sweep"));
      filter.push_back(change_filter("bench.m>=1024 outcome=pass"));
      all.push_back(change_filter(""));
    }
    report("open the topology", topology);
    report("open a sweep of 3 rows", small);
    int missed = 0;
    for (const auto& [what, times] : {std::pair("open a sweep of 100,000 rows", &large),
                                      {"filter it to 50,000 rows", &filter},
                                      {"show all rows again", &all}}) {
      if (report(what, *times) > kBarMs) ++missed;
    }
    fmt::print("{} of 3 bars of {:.0f} ms missed\n", missed, kBarMs);
    return missed;
  }

 private:
  void write_sweeps() const {
    cli_test::write_small_sweep(folder_.path / "reports/small.db");
    cli_test::write_large_sweep(folder_.path / "reports/large.db");
  }

  double open(const std::string& hash, const std::string& mark) {
    page_.open(fmt::format("http://127.0.0.1:{}/#{}", viewer_.port(), hash));
    const std::string marks = fmt::format("performance.getEntriesByName('{}')", mark);
    if (!page_.wait_until(marks + ".length > 0")) throw std::runtime_error("nothing was drawn");
    return page_.evaluate(marks + "[0].startTime");
  }

  double change_filter(const std::string& text) {
    return page_.evaluate(
        "(async () => { const box = document.querySelector('.sweep-filter input');"
        " const marks = () => performance.getEntriesByName('sweep'); const before = "
        "marks().length; box.value = " +
        nlohmann::json(text).dump() +
        "; const start = performance.now(); box.dispatchEvent(new Event('input'));"
        " while (marks().length === before) await new Promise((done) => setTimeout(done, 1));"
        " return marks().at(-1).startTime - start; })()");
  }

  BenchFolder folder_;
  cli_test::RunningViewer viewer_;
  cli_test::Chromium page_;
};

}  // namespace
}  // namespace kernbench

int main() {
  const auto chromium = kernbench::cli_test::Chromium::find();
  if (!chromium) {
    fmt::print(stderr, "Chromium is not installed; scripts/install-deps.sh test installs it\n");
    return 2;
  }
  return kernbench::ViewerBench(*chromium).run() == 0 ? 0 : 1;
}
