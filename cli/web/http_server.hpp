#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace kernbench::cli::web {

/// What a client may take of the server before it is sent away.
struct HttpLimits {
  std::chrono::milliseconds request_time{5'000};       ///< for the whole request to arrive
  std::chrono::milliseconds response_time{60'000};     ///< for the whole response to be taken
  std::size_t request_bytes = std::size_t{64} << 10U;  ///< request line, headers and body together
  std::size_t workers = 128;                           ///< clients that are served at once
};

/// The HTTP server of cpp-httplib with one request a connection, and with limits that it lacks: its
/// time-outs begin anew with every byte, so that a client which sends one now and then would hold a
/// worker for ever, and it would read headers without end.
class HttpServer : public httplib::Server {
 public:
  explicit HttpServer(const HttpLimits& limits);

  /// Listens on a numeric address; `port` 0 chooses a free one. Returns the port. Throws
  /// common::BadInput when that is not possible.
  int bind(const std::string& address, int port);
  /// Answers until finish() is called. Needs bind().
  void serve();
  /// Ends serve(): requests under way are cut off. Any thread may call it, at any time.
  void finish();

 private:
  bool process_and_close_socket(socket_t socket) override;

  HttpLimits limits_;
  std::atomic<bool> finishing_{false};
};

}  // namespace kernbench::cli::web
