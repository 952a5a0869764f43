// SPDX-License-Identifier: Apache-2.0
#include "gtkwave.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "process.hpp"

namespace kernbench::cli_test {

namespace fs = std::filesystem;

Shown open_in_gtkwave(const std::string& view, const fs::path& scratch,
                      const std::string& screenshot) {
  fs::create_directories(scratch);
  const fs::path answer = scratch / "answer";
  const fs::path script = scratch / "ask.tcl";
  fs::remove(answer);
  // GTKWave draws when it is idle: a screenshot has to wait until then.
  std::ofstream(script) << "set f [open {" << answer.string() << "} w]\n"
                        << "puts $f [gtkwave::getMarker]\n"
                           "puts $f [gtkwave::getWindowStartTime]\n"
                           "puts $f [gtkwave::getWindowEndTime]\n"
                           "puts $f [gtkwave::getMaxTime]\n"
                           "foreach row [gtkwave::getDisplayedSignals] { puts $f $row }\n"
                           "close $f\n"
                        << (screenshot.empty() ? "gtkwave::/File/Quit\n" : "");
  // The command under test finds this gtkwave first, which adds the script to its arguments.
  fs::create_directories(scratch / "bin");
  std::ofstream(scratch / "bin/gtkwave")
      << "#!/bin/sh\nPATH=${PATH#*:}\nexec timeout 60 gtkwave \"$@\" -S '" << script.string()
      << "'\n";
  fs::permissions(scratch / "bin/gtkwave", fs::perms::owner_all);
  // -displayfd: Xvfb chooses a free screen and says which, once it is ready.
  std::ofstream(scratch / "run.sh")
      << "mkfifo screen\n"
         "Xvfb -displayfd 3 -screen 0 1600x1000x24 3>screen 2>/dev/null &\nserver=$!\n"
         "trap 'kill $server; rm -f screen' EXIT\n"
         "read -r number <screen\nexport DISPLAY=:$number PATH=\"$PWD/bin:$PATH\"\ncd /\n"
      << (screenshot.empty() ? view + "\n"
                             : view + " &\nviewer=$!\nuntil [ -s '" + answer.string() +
                                   "' ]; do sleep 0.1; done; sleep 2\nimport -window root '" +
                                   screenshot + "'; kill $viewer\n");
  Process process({"/bin/sh", "run.sh"}, scratch, scratch);
  Shown shown;
  const Finished finished = process.wait();
  shown.log = finished.out + finished.err;
  std::ifstream file(answer);
  if (!(file >> shown.marker >> shown.first >> shown.last >> shown.dump_end)) {
    throw std::runtime_error("GTKWave did not answer: " + shown.log);
  }
  for (std::string row; file >> row;) shown.rows.push_back(row);
  return shown;
}

std::string screenshot(const std::string& name) {
  const char* folder = std::getenv("KERNBENCH_SCREENSHOTS");  // NOLINT(concurrency-mt-unsafe)
  return folder == nullptr ? "" : (fs::path(folder) / name).string();
}

}  // namespace kernbench::cli_test
