// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/web/http_server.hpp"
#include "cli/web/report_folder.hpp"
#include "cli/web/topology_api.hpp"

namespace kernbench::cli::web {

struct ViewerSettings {
  std::string spec;                  ///< topology file, shown to the user
  std::filesystem::path reports;     ///< report folder
  std::vector<std::string> hosts{};  ///< host names to accept besides localhost and IP addresses
  HttpLimits limits;
  plot::ReportKinds kinds{};  ///< kinds of report that have pages
};

/// The server of `kernbench web`: the pages, the API of docs/developer/developer-guide.md and the
/// reports, for GET and HEAD only. Requests whose Host is neither localhost, an IP address nor an
/// allowed name are rejected. Otherwise a foreign page could read the answers by pointing its own
/// host name here (DNS rebinding).
class ViewerServer {
 public:
  /// `graph` must outlive the server.
  ViewerServer(const topology::TopologyGraph& graph, const ViewerSettings& settings);

  [[nodiscard]] HttpServer& http() { return http_; }

 private:
  [[nodiscard]] HttpResponse respond(const HttpRequest& request) const;
  /// Returns the response to a valid request. Throws ApiError otherwise.
  [[nodiscard]] HttpResponse route(const HttpRequest& request) const;
  [[nodiscard]] bool is_known_host(const HttpRequest& request) const;
  [[nodiscard]] nlohmann::json answer(const HttpRequest& request, std::string_view path) const;
  [[nodiscard]] HttpResponse report(const std::string& name) const;
  /// Returns the page that the program makes of a report.
  /// Returns the page of a report, or the one that compares it with `other`.
  [[nodiscard]] std::string page_text(const std::string& name, const std::string& other) const;
  /// Returns why there is no such page; empty if there is one.
  [[nodiscard]] std::string problem_of_page(const std::string& name,
                                            const std::string& other) const;
  [[nodiscard]] std::string report_text(const std::string& name) const;
  [[nodiscard]] HttpResponse sweep(const std::string& name) const;

  TopologyApi topology_;
  ReportFolder reports_;
  plot::ReportKinds kinds_;
  std::vector<std::string> hosts_;
  HttpServer http_;
};

/// Returns true if `text` has the form of a host name: letters, digits, '-' and '_' in parts that
/// are separated by dots.
[[nodiscard]] bool is_host_name(std::string_view text);

/// Returns true for a loopback address, which other machines cannot reach.
[[nodiscard]] bool is_loopback(const std::string& address);

}  // namespace kernbench::cli::web
