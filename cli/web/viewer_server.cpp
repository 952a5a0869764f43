// SPDX-License-Identifier: Apache-2.0
#include "cli/web/viewer_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cli/web/api_error.hpp"
#include "cli/web/assets.hpp"
#include "cli/web/sweep_json.hpp"
#include "common/diagnostics.hpp"
#include "plot/compared_page.hpp"

namespace kernbench::cli::web {

using nlohmann::json;

namespace {

// Only the viewer's own files are loaded and run. Reports are shown in frames.
constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// Reports contain their styles and may do nothing else.
constexpr const char* kReportPolicy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

// Pages of reports may run their own script, too, without access to anything else.
constexpr const char* kReportPagePolicy =
    "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src "
    "'unsafe-inline'; img-src data:; frame-ancestors 'self'";

constexpr std::size_t kMostPageBytes = std::size_t{16} << 20U;  // of a report
constexpr std::size_t kMostHostCharacters = 253;                // of a DNS name

HttpResponse response_with(std::string media_type, std::string body, const char* policy) {
  return {.status = 200,
          .headers = {{"Content-Type", std::move(media_type)},
                      {"Content-Security-Policy", policy},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cache-Control", "no-store"}},
          .body = std::move(body),
          .file = nullptr};
}

HttpResponse json_response(const json& answer) {
  // Names from the file system may be invalid UTF-8.
  return response_with("application/json",
                       answer.dump(-1, ' ', false, json::error_handler_t::replace), kPagePolicy);
}

HttpResponse error_response(int status, std::string_view text) {
  HttpResponse response = json_response({{"error", text}});
  response.status = status;
  if (status == 405) response.headers.emplace_back("Allow", "GET, HEAD");
  return response;
}

/// Returns the name in "name:port" or "[address]:port".
std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_ip_address(std::string_view host) {
  in_addr v4{};
  in6_addr v6{};
  if (host.starts_with('[') && host.ends_with(']')) {
    return inet_pton(AF_INET6, std::string(host.substr(1, host.size() - 2)).c_str(), &v6) == 1;
  }
  return inet_pton(AF_INET, std::string(host).c_str(), &v4) == 1;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

/// Returns the value of a query parameter, or an empty text. Throws ApiError if it is repeated.
std::string parameter(const HttpRequest& request, std::string_view name) {
  const std::string* found = nullptr;
  for (const auto& [key, value] : request.parameters) {
    if (key != name) continue;
    if (found != nullptr) throw ApiError(400, fmt::format("'{}' is given more than once", name));
    found = &value;
  }
  return found == nullptr ? std::string() : *found;
}

std::string required_parameter(const HttpRequest& request, std::string_view name) {
  std::string value = parameter(request, name);
  if (value.empty()) throw ApiError(400, fmt::format("'{}' is missing", name));
  return value;
}

}  // namespace

ViewerServer::ViewerServer(const topology::TopologyGraph& graph, const ViewerSettings& settings)
    : topology_(graph, settings.spec),
      reports_(settings.reports, settings.kinds),
      kinds_(settings.kinds),
      hosts_(settings.hosts),
      http_(settings.limits, [this](const HttpRequest& request) { return respond(request); }) {}

HttpResponse ViewerServer::respond(const HttpRequest& request) const {
  try {
    return route(request);
  } catch (const ApiError& error) {
    return error_response(error.status(), error.what());
  } catch (const std::exception&) {
    return error_response(500, "internal error");
  }
}

HttpResponse ViewerServer::route(const HttpRequest& request) const {
  if (request.malformed) throw ApiError(400, "the request is malformed");
  if (!is_known_host(request)) {
    throw ApiError(403,
                   "the Host header must be localhost, an IP address or a name given by "
                   "--allow-host");
  }
  if (request.method != "GET" && request.method != "HEAD") {
    throw ApiError(405, "only GET and HEAD are supported");
  }
  if (request.has_body) throw ApiError(400, "a request must not have a body");
  const std::string path = request.path == "/" ? "/index.html" : request.path;
  if (path.starts_with("/reports/")) return report(path.substr(9));
  if (path.starts_with("/page/")) {
    return response_with("text/html; charset=utf-8",
                         page_text(path.substr(6), parameter(request, "with")), kReportPagePolicy);
  }
  if (path.starts_with("/api/sweep/")) return sweep(path.substr(11));
  if (path.starts_with("/api/")) {
    return json_response(answer(request, std::string_view(path).substr(5)));
  }
  const auto files = assets();
  const auto asset = std::find_if(files.begin(), files.end(),
                                  [&](const Asset& file) { return file.path == path; });
  if (asset == files.end()) throw ApiError(404, "page not found");
  return response_with(std::string(asset->media_type), std::string(asset->text), kPagePolicy);
}

bool ViewerServer::is_known_host(const HttpRequest& request) const {
  if (request.hosts.size() != 1) return false;
  const std::string_view host = host_name(request.hosts.front());
  return equals_ignoring_case(host, "localhost") || is_ip_address(host) ||
         std::any_of(hosts_.begin(), hosts_.end(), [&](const std::string& allowed) {
           return equals_ignoring_case(host, allowed);
         });
}

json ViewerServer::answer(const HttpRequest& request, std::string_view path) const {
  if (path == "topology") {
    return topology_.view(required_parameter(request, "view"), parameter(request, "of"));
  }
  if (path.starts_with("node/")) return topology_.node(path.substr(5));
  if (path.starts_with("edge/")) return topology_.edge(path.substr(5));
  if (path == "route") {
    return topology_.routes(required_parameter(request, "from"), required_parameter(request, "to"));
  }
  if (path == "names") return topology_.names(required_parameter(request, "contains"));
  if (path.starts_with("page/")) {
    return {{"problem", problem_of_page(std::string(path.substr(5)), parameter(request, "with"))}};
  }
  if (path == "reports") {
    return {{"folder", reports_.root().string()}, {"reports", reports_.list()}};
  }
  throw ApiError(404, "unknown API path");
}

HttpResponse ViewerServer::sweep(const std::string& name) const try {
  const auto table = reports_.sweep(name);
  if (!table) throw ApiError(404, "sweep not found");
  return response_with("application/json", sweep_json(*table), kPagePolicy);
} catch (const common::BadInput& error) {
  throw ApiError(422, error.diagnostics().errors().front().message);
}

HttpResponse ViewerServer::report(const std::string& name) const {
  HttpResponse response =
      response_with(std::string(ReportFolder::media_type(name)), {}, kReportPolicy);
  response.file = reports_.open(name);
  if (response.file == nullptr) throw ApiError(404, "report not found");
  return response;
}

std::string ViewerServer::report_text(const std::string& name) const {
  const auto file = name.ends_with(".json") ? reports_.open(name) : nullptr;
  if (file == nullptr) throw ApiError(404, "report not found");
  if (file->bytes() > kMostPageBytes) throw ApiError(422, "the report is too large for a page");
  return file->read(0, static_cast<std::size_t>(file->bytes()));
}

std::string ViewerServer::page_text(const std::string& name, const std::string& other) const try {
  const std::string text = report_text(name);
  if (other.empty()) return plot::page_of_text(kinds_, text, name);
  return plot::compared_page_of_texts(kinds_, text, name, report_text(other), other);
} catch (const common::BadInput& error) {
  throw ApiError(422, error.diagnostics().errors().front().message);
}

std::string ViewerServer::problem_of_page(const std::string& name, const std::string& other) const
    try {
  (void)page_text(name, other);
  return {};
} catch (const ApiError& error) {
  return error.what();
}

bool is_host_name(std::string_view text) {
  if (text.size() > kMostHostCharacters) return false;
  for (;;) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    const bool is_valid = std::all_of(part.begin(), part.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    });
    if (part.empty() || !is_valid) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_loopback(const std::string& address) {
  in_addr v4{};
  in6_addr v6{};
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24U == 127;
  return inet_pton(AF_INET6, address.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace kernbench::cli::web
