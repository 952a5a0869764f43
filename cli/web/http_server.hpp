// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "cli/web/http_message.hpp"

namespace kernbench::cli::web {

/// Limits on what a client may use. A client that exceeds one is disconnected.
struct HttpLimits {
  std::chrono::milliseconds request_time{5'000};       ///< time to send the whole request
  std::chrono::milliseconds response_time{60'000};     ///< time to receive the whole response
  std::size_t request_bytes = std::size_t{64} << 10U;  ///< size of request line and headers
  std::size_t workers = 4;  ///< threads that compute responses; slow clients occupy none
  /// Number of open connections. One more closes the oldest connection whose request is incomplete,
  /// or the oldest connection if there is none.
  std::size_t connections = 400;
  std::size_t gzip_bytes = 1024;     ///< smallest response to compress
  std::ptrdiff_t gzip_streams = 16;  ///< responses to compress at once; more are sent as they are
};

/// Computes the response to a request. Must not throw; may be called by several threads at once.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

/// An HTTP/1.1 server that answers one request per connection (Boost.Beast).
class HttpServer {
 public:
  explicit HttpServer(const HttpLimits& limits, HttpHandler handler = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens on a numeric IP address and returns the port; `port` 0 selects a free one. Throws
  /// common::BadInput when that fails.
  int bind(const std::string& address, int port);
  /// Answers requests until finish() is called. Requires bind().
  void serve();
  /// Makes serve() return without waiting for its clients. May be called by any thread at any time.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kernbench::cli::web
