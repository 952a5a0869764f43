// SPDX-License-Identifier: Apache-2.0
#include "raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace kernbench::cli_test {

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
  return answer;
}

HttpAnswer get(int port, std::string_view target) {
  std::string request = "GET ";
  request += target;
  request += " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n\r\n";
  return cli_test::exchange(port, request);  // qualified: ADL finds std::exchange
}

}  // namespace kernbench::cli_test
