#pragma once

#include <httplib.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>

#include "cli/web/http_server.hpp"

namespace kernbench::cli::web {

/// One connection, read and written only within the limits.
class ClientStream : public httplib::Stream {
 public:
  /// Reading and writing fail as soon as `finishing` is set. Both must outlive the stream.
  ClientStream(socket_t socket, const HttpLimits& limits, const std::atomic<bool>& finishing);

  [[nodiscard]] bool is_readable() const override;
  [[nodiscard]] bool is_writable() const override;
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  [[nodiscard]] socket_t socket() const override { return socket_; }

  /// Says which limit the client broke, unless it was answered before: 408 or 431.
  void answer_broken_limit();
  /// Ends the connection so that the client gets the whole response even if it is still sending.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  /// Waits for one of the events of poll(); false when the time is up or the server finishes.
  [[nodiscard]] bool wait_for(short events, Clock::time_point until) const;
  [[nodiscard]] ssize_t fill();
  [[nodiscard]] ssize_t transmit(const char* from, std::size_t size);

  socket_t socket_;
  const HttpLimits& limits_;
  const std::atomic<bool>& finishing_;
  Clock::time_point begin_ = Clock::now();
  std::array<char, 4096> buffer_{};
  std::size_t buffered_ = 0;
  std::size_t taken_ = 0;  ///< of what is buffered
  std::size_t received_ = 0;
  bool too_slow_ = false;
  bool too_large_ = false;
  bool answered_ = false;
};

}  // namespace kernbench::cli::web
