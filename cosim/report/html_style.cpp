// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/html_style.hpp"

#include "plot/style.hpp"

namespace kernbench::cosim {

std::string cosim_style() {
  std::string style = plot::page_chart_style();
  // Blue, vermillion and bluish green of Okabe and Ito's scheme, made darker and lighter: readers
  // with any colour vision tell them apart.
  style += R"css(
:root { --f0: #c4560a; --f1: #7db8e4; --f2: #00543d; }
@media screen and (prefers-color-scheme: dark) {
  :root { --f0: #f0904a; --f1: #3f7fb5; --f2: #7de3bf; }
}
@media (min-width: 1001px) { .columns { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
path.guide.dashed { stroke: var(--soft); stroke-width: 1; }
.curve.f0 { stroke: var(--f0); }
.curve.f1 { stroke: var(--f1); stroke-width: 5; }
.curve.f2 { stroke: var(--f2); stroke-dasharray: 5 4; }
.marker.f0 { stroke: var(--f0); }
.marker.f1 { stroke: var(--f1); stroke-width: 2.4; }
.marker.f2 { stroke: var(--f2); fill: var(--f2); }
.key { display: flex; flex-wrap: wrap; gap: 4px 22px; font-size: 13px; }
.key span { display: flex; align-items: center; gap: 7px; }

.loads td { border-bottom: 0; }
.loads tr.first td { border-top: 1px solid var(--line); }
.side { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 10px 28px;
        align-items: start; margin-top: 14px; }
.side > div { min-width: 0; }
@media (max-width: 1000px) { .side { grid-template-columns: minmax(0, 1fr); } }
h3.above { margin: 0 0 8px; }
svg + h3.above { margin-top: 14px; }
summary { font-weight: 600; margin: 4px 0; }
.map .idle { background: var(--empty); background-clip: padding-box; }
.p0 { --p: var(--p0); } .p1 { --p: var(--p1); } .p2 { --p: var(--p2); } .p3 { --p: var(--p3); }
.p4 { --p: var(--p4); } .p5 { --p: var(--p5); } .p6 { --p: var(--p6); } .p7 { --p: var(--p7); }
.p8 { --p: var(--p8); } .p9 { --p: var(--p9); }
)css";
  return style;
}

}  // namespace kernbench::cosim
