// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expat.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernbench::sim::sample {

/// One element of an XML document, entities resolved.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< text directly inside, without that of the children
  std::vector<XmlElement> children;
};

/// Reads an XML document and returns its root. Throws std::runtime_error when the document does not
/// begin with a declaration of UTF-8, is not well-formed, or has a control character other than a
/// line feed that is not written as a reference.
inline XmlElement read_xml(std::string_view xml) {
  if (!xml.starts_with(R"(<?xml version="1.0" encoding="UTF-8"?>)")) {
    throw std::runtime_error("no declaration of UTF-8");
  }
  if (std::any_of(xml.begin(), xml.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; })) {
    throw std::runtime_error("control character");
  }
  using Path = std::vector<XmlElement*>;  // the elements that are open, outermost first
  XmlElement document;
  Path path{&document};
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  XML_SetUserData(parser.get(), &path);
  XML_SetElementHandler(
      parser.get(),
      [](void* data, const XML_Char* name, const XML_Char** attributes) {
        auto& open = *static_cast<Path*>(data);
        XmlElement& element = open.back()->children.emplace_back();
        element.name = name;
        for (; *attributes != nullptr; attributes += 2) {
          element.attributes.emplace(attributes[0], attributes[1]);
        }
        open.push_back(&element);
      },
      [](void* data, const XML_Char* /*name*/) { static_cast<Path*>(data)->pop_back(); });
  XML_SetCharacterDataHandler(parser.get(), [](void* data, const XML_Char* text, int size) {
    static_cast<Path*>(data)->back()->text.append(text, static_cast<std::size_t>(size));
  });
  if (XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), XML_TRUE) !=
      XML_STATUS_OK) {
    throw std::runtime_error(XML_ErrorString(XML_GetErrorCode(parser.get())));
  }
  return std::move(document.children.front());
}

}  // namespace kernbench::sim::sample
