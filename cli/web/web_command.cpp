// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_kinds.hpp"
#include "cli/web/viewer_server.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/interrupt.hpp"
#include "common/progress.hpp"
#include "common/text_distance.hpp"
#include "topology/resolve/resolve_topology.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;

struct WebOptions {
  std::string spec;
  std::string report = "build/reports";
  std::string bind = "127.0.0.1";
  std::vector<std::string> hosts;
  std::uint16_t port = 0;
  std::string view = "system";
};

bool is_ip_address(const std::string& text) {
  in6_addr address{};  // large enough for IPv4 too
  return inet_pton(AF_INET, text.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

void check(const WebOptions& options) {
  const auto views = common::names_of(topology::kViewLevelNames);
  if (std::find(views.begin(), views.end(), options.view) == views.end()) {
    throw BadInput(fmt::format("--view: '{}' is not one of {}{}", options.view,
                               fmt::join(views, ", "), common::did_you_mean(options.view, views)));
  }
  if (!is_ip_address(options.bind)) {
    throw BadInput(fmt::format("--bind: '{}' is not an IP address", options.bind));
  }
  for (const std::string& host : options.hosts) {
    if (web::is_host_name(host)) continue;
    throw BadInput(
        fmt::format("--allow-host: '{}' is not a host name such as viewer.example.com", host));
  }
  std::error_code ignored;
  if (std::filesystem::exists(options.report, ignored) &&
      !std::filesystem::is_directory(options.report, ignored)) {
    throw BadInput(fmt::format("--report: '{}' is not a folder", options.report));
  }
}

Outcome serve(const WebOptions& options) {
  check(options);
  const common::InterruptGuard guard;
  const topology::ResolvedTopology resolved = topology::resolve_topology(options.spec);
  for (const std::string& warning : resolved.warnings) print_warning(warning);
  common::Progress::turn_off();  // it serves until it is interrupted
  web::ViewerServer viewer(resolved.graph,
                           {options.spec, options.report, options.hosts, {}, report_kinds()});

  const int port = viewer.http().bind(options.bind, options.port);
  const bool v6 = options.bind.find(':') != std::string::npos;
  if (!web::is_loopback(options.bind)) {
    print_warning(
        fmt::format("{} is not a loopback address: anyone who can reach port {} of this machine "
                    "can read the topology and the reports",
                    options.bind, port));
  }
  fmt::print("topology {}, reports in {}\n  http://{}:{}/{}\nPress Ctrl-C to stop\n", options.spec,
             options.report, v6 ? "[" + options.bind + "]" : options.bind, port,
             options.view == "system" ? "" : "#view=" + options.view);
  std::fflush(stdout);

  std::thread server([&] { viewer.http().serve(); });
  while (!common::interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  viewer.http().finish();
  server.join();
  fmt::print("stopped\n");
  // SIGTERM is how a server is stopped; Ctrl-C interrupts it.
  return common::interrupting_signal() == SIGTERM ? Outcome::Pass : Outcome::Interrupted;
}

}  // namespace

void add_web_command(Command& program, const Invocation& invocation) {
  Command& command = program.add_command("web", "Show a topology and its reports in a web browser");
  const auto options = std::make_shared<WebOptions>();
  add_topology_option(command, options->spec, invocation);
  command.add_option("--report", options->report, "Folder of the reports").check(input_folder());
  command.add_option("--port", options->port, "Port to listen on; a free one by default")
      .check(whole_number(1, 65535))
      .default_text("");
  command.add_option(
      "--bind", options->bind,
      "IP address to listen on; other machines can connect unless it is a loopback one");
  command.add_option("--allow-host", options->hosts,
                     "Host name under which a proxy forwards requests (repeatable)");
  command.add_option("--view", options->view, "First view: system, sip, cube or pe");
  command.footer =
      "Examples:\n"
      "  kernbench web                                     the default system, build/reports\n"
      "  kernbench web --topology configs/topology-maze-8x8.yaml --view sip --port 8080\n"
      "Runs until stopped: SIGTERM ends it with 0, Ctrl-C with 130.";
  command.run = [options] { return serve(*options); };
}

}  // namespace kernbench::cli
