// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kernbench::cli_test {

/// A TCP connection to a local server, for requests that no HTTP client would send.
class RawClient {
 public:
  /// Connects to a port of 127.0.0.1. Throws std::runtime_error if nothing listens on it.
  explicit RawClient(int port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// Sends `text`. Returns false if the server has closed the connection.
  bool send(std::string_view text) const;
  /// Returns all data until the server closes the connection or is silent for 20 s.
  [[nodiscard]] std::string receive() const;

  /// Waits until the server has sent something that was not read, or has closed the connection.
  void wait_for_data() const;
  /// Returns false if the server has closed the connection and all its data was read.
  [[nodiscard]] bool is_open() const;

 private:
  int socket_;
};

/// A parsed response.
struct HttpAnswer {
  int status = 0;  ///< 0 without a response
  std::string head;
  std::string body;            ///< decoded content
  std::size_t sent_bytes = 0;  ///< size of the body as sent
};

/// Sends `text` unchanged and returns the response. Throws std::runtime_error if the encoding of
/// its body is malformed.
[[nodiscard]] HttpAnswer exchange(int port, std::string_view text);
/// Requests `target` as a browser would.
[[nodiscard]] HttpAnswer get(int port, std::string_view target);

}  // namespace kernbench::cli_test
