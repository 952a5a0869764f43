#include "cli/web/viewer_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <string_view>

#include "cli/web/api_error.hpp"
#include "cli/web/assets.hpp"

namespace kernbench::cli::web {

using httplib::Request;
using httplib::Response;
using nlohmann::json;

namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10U;

// Nothing but the viewer's own files runs or is loaded; reports are shown in frames.
constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// Reports bring their styles along, and are not trusted with anything else.
constexpr const char* kReportPolicy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

httplib::Headers common_headers() {
  return {{"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cache-Control", "no-store"}};
}

void send_json(Response& response, const json& answer) {
  // A name from the file system may be no UTF-8.
  response.set_content(answer.dump(-1, ' ', false, json::error_handler_t::replace),
                       "application/json");
  response.set_header("Content-Security-Policy", kPagePolicy);
}

void send_error(Response& response, int status, std::string_view text) {
  response.status = status;
  send_json(response, {{"error", text}});
}

/// The name in "name:port" or "[address]:port".
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

bool is_known_host(const Request& request) {
  if (request.get_header_value_count("Host") != 1) return false;
  const std::string host = request.get_header_value("Host");
  return host_name(host) == "localhost" || is_ip_address(host_name(host));
}

bool has_body(const Request& request) {
  return request.has_header("Transfer-Encoding") ||
         (request.has_header("Content-Length") &&
          request.get_header_value("Content-Length") != "0");
}

std::string parameter(const Request& request, const char* name) {
  if (request.get_param_value_count(name) > 1) {
    throw ApiError(400, fmt::format("'{}' is given more than once", name));
  }
  return request.get_param_value(name);
}

std::string needed_parameter(const Request& request, const char* name) {
  std::string value = parameter(request, name);
  if (value.empty()) throw ApiError(400, fmt::format("'{}' is missing", name));
  return value;
}

}  // namespace

ViewerServer::ViewerServer(const topology::TopologyGraph& graph, const ViewerSettings& settings)
    : topology_(graph, settings.spec), reports_(settings.reports), http_(settings.limits) {
  http_.set_default_headers(common_headers());
  // Before cpp-httplib looks at anything else of a request: it matches paths by regular
  // expressions, whose recursion a long path could drive through the stack.
  http_.set_pre_routing_handler([this](const Request& request, Response& response) {
    try {
      route(request, response);
    } catch (const ApiError& error) {
      send_error(response, error.status(), error.what());
    }
    return httplib::Server::HandlerResponse::Handled;
  });
  http_.set_exception_handler([](const Request&, Response& response, const std::exception_ptr&) {
    send_error(response, 500, "internal error");
  });
  http_.set_error_handler([](const Request&, Response& response) {
    if (response.body.empty()) send_error(response, response.status, "the request is malformed");
  });
}

void ViewerServer::route(const Request& request, Response& response) const {
  if (!is_known_host(request)) {
    throw ApiError(403, "the Host header must be localhost or an IP address");
  }
  if (request.method != "GET" && request.method != "HEAD") {
    response.set_header("Allow", "GET, HEAD");
    throw ApiError(405, "only GET and HEAD are answered");
  }
  if (has_body(request)) throw ApiError(400, "a request has no body here");
  const std::string path = request.path == "/" ? "/index.html" : request.path;
  if (path.starts_with("/reports/")) {
    send_report(path.substr(9), response);
    return;
  }
  if (path.starts_with("/api/")) {
    send_json(response, answer(request, std::string_view(path).substr(5)));
    return;
  }
  const auto files = assets();
  const auto asset = std::find_if(files.begin(), files.end(),
                                  [&](const Asset& file) { return file.path == path; });
  if (asset == files.end()) throw ApiError(404, "there is no such page");
  response.set_content(asset->text.data(), asset->text.size(), std::string(asset->media_type));
  response.set_header("Content-Security-Policy", kPagePolicy);
}

json ViewerServer::answer(const Request& request, std::string_view path) const {
  if (path == "topology") {
    return topology_.view(needed_parameter(request, "view"), parameter(request, "of"));
  }
  if (path.starts_with("node/")) return topology_.node(path.substr(5));
  if (path.starts_with("edge/")) return topology_.edge(path.substr(5));
  if (path == "route") {
    return topology_.routes(needed_parameter(request, "from"), needed_parameter(request, "to"));
  }
  if (path == "names") return topology_.names(needed_parameter(request, "contains"));
  if (path == "reports") {
    return {{"folder", reports_.root().string()}, {"reports", reports_.list()}};
  }
  throw ApiError(404, "the API has no such question");
}

void ViewerServer::send_report(const std::string& name, Response& response) const {
  const auto file = reports_.open(name);
  if (file == nullptr) throw ApiError(404, "there is no such report");
  response.set_header("Content-Security-Policy", kReportPolicy);
  const std::string type(ReportFolder::media_type(name));
  if (file->bytes() == 0) {
    response.set_content("", type);
    return;
  }
  response.set_content_provider(
      file->bytes(), type, [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        const std::string chunk = file->read(offset, std::min(length, kChunkBytes));
        return !chunk.empty() && sink.write(chunk.data(), chunk.size());
      });
}

bool is_loopback(const std::string& address) {
  in_addr v4{};
  in6_addr v6{};
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24U == 127;
  return inet_pton(AF_INET6, address.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace kernbench::cli::web
