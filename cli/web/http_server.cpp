#include "cli/web/http_server.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>

#include "cli/web/client_stream.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::cli::web {

namespace {

constexpr int kBacklog = 256;  // cpp-httplib's is 5, too few for a crowd that comes at once

}  // namespace

HttpServer::HttpServer(const HttpLimits& limits) : limits_(limits) {
  new_task_queue = [workers = limits.workers] { return new httplib::ThreadPool(workers); };
  // cpp-httplib would let two servers share a port, each with a part of the clients.
  set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  set_tcp_nodelay(true);
}

int HttpServer::bind(const std::string& address, int port) {
  errno = 0;
  const int bound = port == 0 ? bind_to_any_port(address) : bind_to_port(address, port) ? port : -1;
  if (bound < 0 || ::listen(svr_sock_, kBacklog) != 0) {
    const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);
    throw common::BadInput(fmt::format("cannot listen on {} port {}{}", address, port, why));
  }
  return bound;
}

void HttpServer::serve() {
  listen_after_bind();
}

void HttpServer::finish() {
  finishing_ = true;
  // The listener knows of no end before it has begun.
  while (!is_running() && svr_sock_ != INVALID_SOCKET) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  stop();
}

bool HttpServer::process_and_close_socket(socket_t socket) {
  ClientStream stream(socket, limits_, finishing_);
  bool closed = false;
  const bool answered = process_request(stream, true, closed, [](httplib::Request& request) {
    request.ranges.clear();  // files are sent whole
    // Brotli at its best takes longer than loopback by far.
    request.headers.erase("Accept-Encoding");
  });
  stream.answer_broken_limit();
  stream.finish();
  ::close(socket);
  return answered;
}

}  // namespace kernbench::cli::web
