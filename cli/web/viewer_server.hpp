#pragma once

#include <filesystem>
#include <string>

#include "cli/web/http_server.hpp"
#include "cli/web/report_folder.hpp"
#include "cli/web/topology_api.hpp"

namespace kernbench::cli::web {

/// What is shown, and to whom.
struct ViewerSettings {
  std::string spec;               ///< file of the topology, for the reader
  std::filesystem::path reports;  ///< folder of the reports
  HttpLimits limits;
};

/// `kernbench web`: pages, the API of docs/viewer.md and the reports, for GET and HEAD only.
/// Requests whose Host is neither localhost nor an IP address are refused: a page elsewhere may
/// have its own name point here, and would be let in by the browser.
class ViewerServer {
 public:
  /// The graph must outlive it.
  ViewerServer(const topology::TopologyGraph& graph, const ViewerSettings& settings);

  [[nodiscard]] HttpServer& http() { return http_; }

 private:
  void route(const httplib::Request& request, httplib::Response& response) const;
  [[nodiscard]] nlohmann::json answer(const httplib::Request& request, std::string_view path) const;
  void send_report(const std::string& name, httplib::Response& response) const;

  TopologyApi topology_;
  ReportFolder reports_;
  HttpServer http_;
};

/// Whether an address is one of this machine's own that no other reaches.
[[nodiscard]] bool is_loopback(const std::string& address);

}  // namespace kernbench::cli::web
