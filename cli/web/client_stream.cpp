#include "cli/web/client_stream.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kernbench::cli::web {

namespace {

/// How long a server that ends may leave a waiting client unnoticed.
constexpr std::chrono::milliseconds kLook{50};
/// What is read, and for how long, after the response of a client that is still sending.
constexpr std::size_t kLingerBytes = std::size_t{1} << 20U;
constexpr std::chrono::milliseconds kLinger{500};

}  // namespace

ClientStream::ClientStream(socket_t socket, const HttpLimits& limits,
                           const std::atomic<bool>& finishing)
    : socket_(socket), limits_(limits), finishing_(finishing) {}

bool ClientStream::wait_for(short events, Clock::time_point until) const {
  while (!finishing_.load(std::memory_order_relaxed)) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()) + kLook / 50;
    if (left <= left.zero()) return false;
    pollfd waiting{socket_, events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, kLook).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool ClientStream::is_readable() const {
  return taken_ < buffered_ || wait_for(POLLIN, Clock::now());
}

bool ClientStream::is_writable() const {
  return wait_for(POLLOUT, Clock::now() + limits_.response_time);
}

ssize_t ClientStream::fill() {
  if (received_ >= limits_.request_bytes) {
    too_large_ = true;
    return -1;
  }
  if (!wait_for(POLLIN, begin_ + limits_.request_time)) {
    too_slow_ = true;
    return -1;
  }
  const std::size_t room = std::min(buffer_.size(), limits_.request_bytes - received_);
  const ssize_t got = recv(socket_, buffer_.data(), room, 0);
  if (got <= 0) return got;
  buffered_ = static_cast<std::size_t>(got);
  taken_ = 0;
  received_ += buffered_;
  return got;
}

ssize_t ClientStream::read(char* to, std::size_t size) {
  if (taken_ == buffered_) {
    const ssize_t got = fill();
    if (got <= 0) return got;
  }
  const std::size_t count = std::min(size, buffered_ - taken_);
  std::memcpy(to, buffer_.data() + taken_, count);
  taken_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t ClientStream::write(const char* from, std::size_t size) {
  // What cpp-httplib makes of a request that was cut off is not what happened.
  if (!answered_ && (too_slow_ || too_large_)) return -1;
  return transmit(from, size);
}

ssize_t ClientStream::transmit(const char* from, std::size_t size) {
  if (!answered_) {  // the time for the response begins with it
    answered_ = true;
    begin_ = Clock::now();
  }
  std::size_t sent = 0;
  while (sent < size) {
    if (!wait_for(POLLOUT, begin_ + limits_.response_time)) return -1;
    const ssize_t got = send(socket_, from + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (got > 0) {
      sent += static_cast<std::size_t>(got);
    } else if (errno != EAGAIN && errno != EINTR) {
      return -1;
    }
  }
  return static_cast<ssize_t>(size);
}

void ClientStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = "client";  // nothing here depends on who asks
  port = 0;
}

void ClientStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip = "server";
  port = 0;
}

void ClientStream::answer_broken_limit() {
  if (answered_ || received_ == 0 || (!too_slow_ && !too_large_)) return;
  const std::string_view status =
      too_large_ ? "431 Request Header Fields Too Large" : "408 Request Timeout";
  std::string text = "HTTP/1.1 ";
  text += status;
  text += "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  (void)transmit(text.data(), text.size());
}

void ClientStream::finish() {
  // Closing a socket with unread data resets the connection, and the client may lose its response.
  shutdown(socket_, SHUT_WR);
  const Clock::time_point until = Clock::now() + kLinger;
  std::size_t discarded = 0;
  while (discarded < kLingerBytes && wait_for(POLLIN, until)) {
    const ssize_t got = recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got <= 0) return;
    discarded += static_cast<std::size_t>(got);
  }
}

}  // namespace kernbench::cli::web
