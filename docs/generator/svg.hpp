#pragma once

#include <string>
#include <string_view>

namespace kernbench::docs {

/// Builds one SVG picture element by element. Colours are CSS names or #rrggbb.
class Svg {
 public:
  /// Size in pixels. `title` is what screen readers say.
  Svg(double width, double height, std::string_view title);

  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1,
            bool dashed = false);
  void rectangle(double x, double y, double width, double height, std::string_view fill,
                 std::string_view stroke, double corner = 0);
  /// `path` in SVG path syntax. An arrow head of the same colour ends it if asked for.
  void path(std::string_view path, std::string_view stroke, double width,
            std::string_view fill = "none", bool arrow = false);
  void dot(double x, double y, double radius, std::string_view fill);
  enum class Anchor { Start, Middle, End };
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::Start,
            double size = 13, std::string_view fill = "#222222", bool bold = false);

  [[nodiscard]] std::string str() const;

 private:
  std::string head_;
  std::string body_;
};

}  // namespace kernbench::docs
