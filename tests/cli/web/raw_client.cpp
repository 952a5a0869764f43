// SPDX-License-Identifier: Apache-2.0
#include "raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <zlib.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace kernbench::cli_test {

namespace {

/// Returns the content of a body in chunks. Throws std::runtime_error for a malformed or incomplete
/// one.
std::string joined_chunks(std::string_view body) {
  std::string all;
  for (;;) {
    const std::size_t line = body.find("\r\n");
    if (line == std::string_view::npos) throw std::runtime_error("a chunk is missing");
    const std::size_t size = std::stoul(std::string(body.substr(0, line)), nullptr, 16);
    body.remove_prefix(line + 2);
    if (body.size() < size + 2) throw std::runtime_error("a chunk is incomplete");
    if (size == 0 && body != "\r\n") throw std::runtime_error("data after the last chunk");
    if (size == 0) return all;
    all += body.substr(0, size);
    body.remove_prefix(size + 2);
  }
}

/// Throws std::runtime_error unless `packed` is one complete gzip file.
std::string unpacked(std::string packed) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string all;
  std::array<char, 65536> buffer{};
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    state = inflate(&stream, Z_NO_FLUSH);
    all.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  const bool is_complete = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_complete) throw std::runtime_error("the body is not a gzip file");
  return all;
}

}  // namespace

RawClient::RawClient(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) {
    close(socket_);
    throw std::runtime_error("cannot connect");
  }
}

RawClient::~RawClient() {
  close(socket_);
}

bool RawClient::send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string RawClient::receive() const {
  std::string all;
  std::array<char, 65536> buffer{};
  pollfd waiting{socket_, POLLIN, 0};
  while (poll(&waiting, 1, 20'000) == 1) {
    const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    all.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return all;
}

void RawClient::wait_for_data() const {
  pollfd waiting{socket_, POLLIN, 0};
  poll(&waiting, 1, 20'000);
}

bool RawClient::is_open() const {
  char byte = 0;
  return recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}

HttpAnswer exchange(int port, std::string_view text) {
  const RawClient client(port);
  client.send(text);
  const std::string all = client.receive();
  HttpAnswer answer;
  const std::size_t end = all.find("\r\n\r\n");
  if (!all.starts_with("HTTP/1.1 ") || end == std::string::npos) return answer;
  answer.status = std::stoi(all.substr(9, 3));
  answer.head = all.substr(0, end + 2);
  answer.body = all.substr(end + 4);
  answer.sent_bytes = answer.body.size();
  if (answer.body.empty()) return answer;  // to HEAD
  if (answer.head.find("\r\nTransfer-Encoding: chunked\r\n") != std::string::npos) {
    answer.body = joined_chunks(answer.body);
  }
  if (answer.head.find("\r\nContent-Encoding: gzip\r\n") != std::string::npos) {
    answer.body = unpacked(answer.body);
  }
  return answer;
}

HttpAnswer get(int port, std::string_view target) {
  std::string request = "GET ";
  request += target;
  request += " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n\r\n";
  return cli_test::exchange(port, request);  // qualified: ADL finds std::exchange
}

}  // namespace kernbench::cli_test
