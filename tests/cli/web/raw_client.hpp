#pragma once

#include <string>
#include <string_view>

namespace kernbench::cli_test {

/// A TCP connection to a server of this machine, for requests that no HTTP client would send.
class RawClient {
 public:
  /// Throws std::runtime_error when nothing listens on 127.0.0.1 there.
  explicit RawClient(int port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// False when the server has closed the connection.
  bool send(std::string_view text) const;
  /// Everything until the server closes the connection, or until it has said nothing for 20 s.
  [[nodiscard]] std::string receive() const;

 private:
  int socket_;
};

/// A response, taken apart.
struct HttpAnswer {
  int status = 0;  ///< 0: none came
  std::string head;
  std::string body;
};

/// Sends `text` as it is.
[[nodiscard]] HttpAnswer exchange(int port, std::string_view text);
/// Asks for `target` as a browser would.
[[nodiscard]] HttpAnswer get(int port, std::string_view target);

}  // namespace kernbench::cli_test
