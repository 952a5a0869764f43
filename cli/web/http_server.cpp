// SPDX-License-Identifier: Apache-2.0
#include "cli/web/http_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <sstream>
#include <thread>
#include <utility>  // missing in Boost 1.74's asio/awaitable.hpp
#include <vector>

#include <boost/asio.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http.hpp>

#include "cli/web/gzip.hpp"
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
// A client that reads nothing costs the server no more data than this and one chunk.
constexpr int kSendBufferBytes = 256 << 10;
constexpr std::chrono::milliseconds kAcceptRetry{10};

/// Returns true if an Accept-Encoding header names gzip with a weight above 0.
bool names_gzip(boost::beast::string_view accept_encoding) {
  for (const auto& [coding, parameters] : http::ext_list(accept_encoding)) {
    if (!boost::beast::iequals(coding, "gzip")) continue;
    for (const auto& [name, value] : parameters) {
      if (boost::beast::iequals(name, "q")) {
        return std::strtod(std::string(value).c_str(), nullptr) > 0;
      }
    }
    return true;
  }
  return false;
}

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
  // Compressed responses are sent in chunks, which HTTP/1.0 does not know.
  request.accepts_gzip =
      message.version() >= 11 && names_gzip(message[http::field::accept_encoding]);
  return request;
}

std::uint64_t bytes_of(const HttpResponse& response) {
  return response.file == nullptr ? response.body.size() : response.file->bytes();
}

std::string head_of(const HttpResponse& response, bool varies, bool compressed) {
  http::response<http::empty_body> head;
  head.result(static_cast<unsigned>(response.status));
  for (const auto& [name, value] : response.headers) head.insert(name, value);
  if (varies) head.set(http::field::vary, "Accept-Encoding");
  if (compressed) {
    head.set(http::field::content_encoding, "gzip");
    head.chunked(true);
  } else {
    head.content_length(bytes_of(response));
  }
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

class Connection;

/// The open connections, the oldest first. Thread-safe.
class Connections {
 public:
  explicit Connections(const HttpLimits& limits)
      : limits_(limits), gzip_streams_(limits.gzip_streams) {}

  /// Adds a connection and returns its number. Closes another one if there are too many.
  std::uint64_t add(const std::shared_ptr<Connection>& connection);
  void remove(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    open_.erase(number);
  }
  /// Returns the right to compress, or null while too many connections have it.
  [[nodiscard]] std::shared_ptr<void> may_compress() {
    if (!gzip_streams_.try_acquire()) return nullptr;
    return {this, [this](void*) { gzip_streams_.release(); }};
  }

 private:
  const HttpLimits& limits_;
  std::counting_semaphore<> gzip_streams_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::weak_ptr<Connection>> open_;
  std::uint64_t next_ = 0;
};

/// One client. Every pending operation owns the connection and runs on the strand of the socket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const HttpLimits& limits, const HttpHandler& handler,
             Connections& connections)
      : limits_(limits),
        handler_(handler),
        connections_(connections),
        socket_(std::move(socket)),
        timer_(socket_.get_executor()) {}
  ~Connection() { connections_.remove(number_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() {
    number_ = connections_.add(shared_from_this());
    net::dispatch(socket_.get_executor(), [self = shared_from_this()] { self->read_request(); });
  }

  /// Closes the connection. May be called by any thread.
  void drop() {
    net::post(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
  }
  /// Returns true until the request is complete. May be called by any thread.
  [[nodiscard]] bool is_idle() const { return idle_; }

 private:
  void read_request() {
    if (!socket_.is_open()) return;
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    socket_.set_option(net::socket_base::send_buffer_size(kSendBufferBytes), ignored);
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
    idle_ = false;
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
    respond(handler_(request), request.accepts_gzip);
  }

  void respond(HttpResponse response, bool accepts_gzip = false) {
    const bool varies = bytes_of(response) >= limits_.gzip_bytes;
    if (varies && accepts_gzip) compressing_ = connections_.may_compress();
    chunk_ = head_of(response, varies, compressing_ != nullptr);
    if (has_content_) {
      if (compressing_ != nullptr) gzip_.emplace();
      body_ = std::move(response.body);
      file_ = std::move(response.file);
      chunk_ += next_chunk();
    }
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

  /// Returns the next part of the content as it is sent; empty at the end.
  std::string next_chunk() {
    if (!gzip_) return next_content();
    while (!gzip_->ended()) {
      const std::string packed = gzip_->pack(next_content());
      if (packed.empty()) continue;
      const char* const end = gzip_->ended() ? "\r\n0\r\n\r\n" : "\r\n";
      return fmt::format("{:x}\r\n{}{}", packed.size(), packed, end);
    }
    return {};
  }

  std::string next_content() {
    std::string content =
        file_ == nullptr ? body_.substr(std::min<std::uint64_t>(offset_, body_.size()), kChunkBytes)
                         : file_->read(offset_, kChunkBytes);
    offset_ += content.size();
    return content;
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
  Connections& connections_;
  std::uint64_t number_ = 0;
  std::atomic<bool> idle_ = true;
  tcp::socket socket_;
  net::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  bool has_content_ = true;  ///< false for the response to HEAD
  std::string chunk_;        ///< data being sent or discarded
  std::string body_;         ///< content, unless it is that of `file_`
  std::shared_ptr<const OpenFile> file_;
  std::uint64_t offset_ = 0;           ///< bytes of the content that were read
  std::shared_ptr<void> compressing_;  ///< set for a compressed response
  std::optional<Gzip> gzip_;
};

std::uint64_t Connections::add(const std::shared_ptr<Connection>& connection) {
  // Released after the lock: the destructor of a connection calls remove().
  std::vector<std::shared_ptr<Connection>> seen;
  const std::lock_guard lock(mutex_);
  if (open_.size() >= limits_.connections) {
    auto victim = open_.begin();
    for (auto one = open_.begin(); one != open_.end(); ++one) {
      seen.push_back(one->second.lock());
      if (seen.back() == nullptr || !seen.back()->is_idle()) continue;
      victim = one;
      break;
    }
    if (const auto& dropped = seen.emplace_back(victim->second.lock())) dropped->drop();
    open_.erase(victim);
  }
  open_.emplace(++next_, connection);
  return next_;
}

}  // namespace

struct HttpServer::Impl {
  void accept() {
    acceptor.async_accept(net::make_strand(context), [this](error_code error, tcp::socket socket) {
      if (error) return retry_accept();
      std::make_shared<Connection>(std::move(socket), limits, handler, *connections)->start();
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
  std::optional<Connections> connections;
  net::io_context context;  // destroyed before `connections`, with the connections in its handlers
  tcp::acceptor acceptor{context};
  net::steady_timer retry{context};
};

HttpServer::HttpServer(const HttpLimits& limits, HttpHandler handler)
    : impl_(std::make_unique<Impl>()) {
  impl_->limits = limits;
  impl_->handler = std::move(handler);
  impl_->connections.emplace(impl_->limits);
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
