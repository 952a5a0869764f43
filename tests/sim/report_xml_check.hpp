#pragma once

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::sim::sample {

/// One element of an XML document, entities resolved.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< directly inside
  std::vector<XmlElement> children;
};

/// A small reader of the XML that reports need: declaration, elements, attributes, text, the five
/// named entities and decimal references. Anything that is not well-formed throws.
class XmlReader {
 public:
  static XmlElement read(std::string_view xml) {
    XmlReader reader(xml);
    reader.expect("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    reader.skip_blanks();
    XmlElement root = reader.element();
    reader.skip_blanks();
    if (reader.at_ != xml.size()) reader.refuse("text after the root element");
    return root;
  }

 private:
  explicit XmlReader(std::string_view xml) : xml_(xml) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error("byte " + std::to_string(at_) + ": " + what);
  }
  [[nodiscard]] char peek() const {
    if (at_ >= xml_.size()) refuse("unexpected end");
    return xml_[at_];
  }
  void expect(std::string_view token) {
    if (xml_.substr(at_, token.size()) != token) refuse("expected " + std::string(token));
    at_ += token.size();
  }
  void skip_blanks() {
    while (at_ < xml_.size() && (xml_[at_] == ' ' || xml_[at_] == '\n')) ++at_;
  }
  std::string name() {
    std::string text;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_' ||
           peek() == '-') {
      text += xml_[at_++];
    }
    if (text.empty()) refuse("expected a name");
    return text;
  }

  /// Text up to `end`, which stays unread.
  std::string characters(char end) {
    std::string text;
    while (peek() != end) {
      const char c = xml_[at_];
      if (c == '<') refuse("'<' in text");
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n') refuse("control character");
      if (c == '&') {
        text += reference();
      } else {
        text += c;
        ++at_;
      }
    }
    return text;
  }

  char reference() {
    const std::size_t semicolon = xml_.find(';', at_);
    if (semicolon == std::string_view::npos) refuse("'&' that starts no reference");
    const std::string entity(xml_.substr(at_ + 1, semicolon - at_ - 1));
    at_ = semicolon + 1;
    static const std::map<std::string, char> kNamed = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    if (const auto named = kNamed.find(entity); named != kNamed.end()) return named->second;
    if (entity.size() < 2 || entity[0] != '#') refuse("unknown entity " + entity);
    return static_cast<char>(std::stoi(entity.substr(1)));
  }

  XmlElement element() {
    XmlElement e;
    expect("<");
    e.name = name();
    while (peek() == ' ') {
      skip_blanks();
      const std::string key = name();
      expect("=\"");
      if (!e.attributes.emplace(key, characters('"')).second) refuse("attribute twice: " + key);
      expect("\"");
    }
    if (peek() == '/') {
      expect("/>");
      return e;
    }
    expect(">");
    for (;;) {
      e.text += characters('<');
      if (xml_.substr(at_, 2) == "</") break;
      e.children.push_back(element());
    }
    expect("</" + e.name + ">");
    return e;
  }

  std::string_view xml_;
  std::size_t at_ = 0;
};

}  // namespace kernbench::sim::sample
