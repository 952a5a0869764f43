// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/web/report_folder.hpp"

namespace kernbench::cli::web {

/// An HTTP request. Its body, if it has one, is not read.
struct HttpRequest {
  bool malformed = false;  ///< the text is not HTTP; no other member is set
  std::string method;      ///< "GET", "POST", ...
  std::string path;        ///< percent-decoded
  std::vector<std::pair<std::string, std::string>> parameters;  ///< decoded query
  std::vector<std::string> hosts;                               ///< value of each Host header
  bool has_body = false;
  bool accepts_gzip = false;  ///< the response may be sent in chunks compressed by gzip

  /// Sets the path and the parameters from the target of the request line.
  void set_target(std::string_view target);
};

struct HttpResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  ///< without length and connection
  std::string body;
  std::shared_ptr<const OpenFile> file;  ///< file to send instead of `body`, or null
};

}  // namespace kernbench::cli::web
