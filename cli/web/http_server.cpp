// SPDX-License-Identifier: Apache-2.0
#include "cli/web/http_server.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <sstream>
#include <thread>
#include <utility>  // missing in Boost 1.74's asio/awaitable.hpp
#include <vector>

#include <boost/asio.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "common/diagnostics.hpp"

namespace kernbench::cli::web {

namespace net = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using net::ip::tcp;

namespace {

constexpr int kBacklog = 256;
constexpr std::size_t kChunkBytes = std::size_t{64} << 10U;
constexpr std::size_t kLingerBytes = std::size_t{1} << 20U;  // read after a response and dropped
constexpr std::chrono::milliseconds kLinger{500};            // time limit for those bytes
constexpr std::chrono::milliseconds kAcceptRetry{10};

HttpRequest request_of(const http::request<http::empty_body>& message) {
  HttpRequest request;
  request.malformed = message.method() == http::verb::unknown;
  request.method = std::string(message.method_string());
  request.set_target({message.target().data(), message.target().size()});
  const auto hosts = message.equal_range(http::field::host);
  for (auto host = hosts.first; host != hosts.second; ++host) {
    request.hosts.emplace_back(host->value());
  }
  const auto length = message.find(http::field::content_length);
  request.has_body = message.count(http::field::transfer_encoding) != 0 ||
                     (length != message.end() && length->value() != "0");
  return request;
}

std::string head_of(const HttpResponse& response) {
  http::response<http::empty_body> head;
  head.result(static_cast<unsigned>(response.status));
  for (const auto& [name, value] : response.headers) head.insert(name, value);
  head.content_length(response.file == nullptr ? response.body.size() : response.file->bytes());
  head.set(http::field::connection, "close");
  std::ostringstream text;
  text << head.base();
  return text.str();
}

HttpResponse status_only(int status) {
  HttpResponse response;
  response.status = status;
  return response;
}

/// One client. Every pending operation owns the connection and runs on the strand of the socket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const HttpLimits& limits, const HttpHandler& handler)
      : limits_(limits),
        handler_(handler),
        socket_(std::move(socket)),
        timer_(socket_.get_executor()) {}

  void start() {
    net::dispatch(socket_.get_executor(), [self = shared_from_this()] { self->read_request(); });
  }

 private:
  void read_request() {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    parser_.header_limit(static_cast<std::uint32_t>(limits_.request_bytes));
    parser_.body_limit(std::numeric_limits<std::uint64_t>::max());  // bodies are never read
    set_deadline(limits_.request_time);
    http::async_read_header(
        socket_, buffer_, parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_request(error); });
  }

  /// Cancels the pending operation of the socket at the deadline.
  void set_deadline(std::chrono::milliseconds time) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (error || self->timer_.expiry() > net::steady_timer::clock_type::now()) return;
      error_code ignored;
      self->socket_.cancel(ignored);
    });
  }

  void on_request(error_code error) {
    if (error == net::error::operation_aborted) {
      const bool silent = buffer_.size() == 0 && !parser_.got_some();
      return silent ? close() : respond(status_only(408));
    }
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return respond(status_only(431));
    }
    const bool hung_up =
        error == http::error::end_of_stream || error == http::error::partial_message;
    const bool is_http_error =
        error.category() == http::make_error_code(http::error::bad_target).category();
    if (hung_up || (error && !is_http_error)) return close();
    HttpRequest request;
    request.malformed = true;
    if (!error) request = request_of(parser_.get());
    has_content_ = request.method != "HEAD";
    respond(handler_(request));
  }

  void respond(HttpResponse response) {
    chunk_ = head_of(response);
    if (has_content_) chunk_ += response.body;
    if (has_content_) file_ = std::move(response.file);
    set_deadline(limits_.response_time);
    send_chunk();
  }

  void send_chunk() {
    net::async_write(socket_, net::buffer(chunk_),
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (error) return self->close();
                       self->chunk_ = self->next_chunk();
                       if (self->chunk_.empty()) return self->linger();
                       self->send_chunk();
                     });
  }

  std::string next_chunk() {
    if (file_ == nullptr) return {};
    std::string chunk = file_->read(file_offset_, kChunkBytes);
    file_offset_ += chunk.size();
    return chunk;
  }

  /// Closes the connection after reading what the client is still sending. Closing a socket with
  /// unread data would reset the connection, and the client could lose the response.
  void linger() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    set_deadline(kLinger);
    chunk_.resize(kChunkBytes);
    discard(0);
  }

  void discard(std::size_t discarded) {
    if (discarded >= kLingerBytes) return close();
    socket_.async_read_some(net::buffer(chunk_), [self = shared_from_this(), discarded](
                                                     error_code error, std::size_t bytes) {
      if (error) return self->close();
      self->discard(discarded + bytes);
    });
  }

  void close() {
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
  }

  const HttpLimits& limits_;
  const HttpHandler& handler_;
  tcp::socket socket_;
  net::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  bool has_content_ = true;  ///< false for the response to HEAD
  std::string chunk_;        ///< data being sent or discarded
  std::shared_ptr<const OpenFile> file_;
  std::uint64_t file_offset_ = 0;
};

}  // namespace

struct HttpServer::Impl {
  void accept() {
    acceptor.async_accept(net::make_strand(context), [this](error_code error, tcp::socket socket) {
      if (error) return retry_accept();
      std::make_shared<Connection>(std::move(socket), limits, handler)->start();
      accept();
    });
  }

  /// Waits for a client to disconnect when the process has no free file descriptor.
  void retry_accept() {
    retry.expires_after(kAcceptRetry);
    retry.async_wait([this](error_code) { accept(); });
  }

  HttpLimits limits;
  HttpHandler handler;
  net::io_context context;
  tcp::acceptor acceptor{context};
  net::steady_timer retry{context};
};

HttpServer::HttpServer(const HttpLimits& limits, HttpHandler handler)
    : impl_(std::make_unique<Impl>()) {
  impl_->limits = limits;
  impl_->handler = std::move(handler);
}

HttpServer::~HttpServer() = default;

int HttpServer::bind(const std::string& address, int port) {
  tcp::acceptor& acceptor = impl_->acceptor;
  try {
    const tcp::endpoint endpoint(net::ip::make_address(address), static_cast<std::uint16_t>(port));
    acceptor.open(endpoint.protocol());
    acceptor.set_option(net::socket_base::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen(kBacklog);
    return acceptor.local_endpoint().port();
  } catch (const boost::system::system_error& error) {
    throw common::BadInput(
        fmt::format("cannot listen on {} port {}: {}", address, port, error.code().message()));
  }
}

void HttpServer::serve() {
  impl_->accept();
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < impl_->limits.workers; ++i) {
      workers.emplace_back([this] { impl_->context.run(); });
    }
  }
  error_code ignored;
  impl_->acceptor.close(ignored);
}

void HttpServer::finish() {
  impl_->context.stop();
}

}  // namespace kernbench::cli::web
