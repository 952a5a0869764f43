// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_parts.hpp"

namespace kernbench::sim {

std::string_view html_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #f4f6f8; --card: #ffffff; --text: #1b2430; --dim: #5d6b7c; --line: #dfe4ea;
  --good: #1a7f37; --good-soft: #dcf3e2; --bad: #c62430; --bad-soft: #fde4e5;
  --amber: #e09b17; --warn: #8a5a00; --warn-soft: #fdf0cf; --link: #0b5cad; --track: #e6eaef; --empty: #edf0f4;
  --p0: #dcebf8; --p1: #c6def1; --p2: #aacfe8; --p3: #8abddd; --p4: #68a9d2;
  --p5: #4992c5; --p6: #2f7ab7; --p7: #1a62a4; --p8: #0d4988; --p9: #083266;
  --s0: #feeedb; --s1: #fde0bd; --s2: #fccd98; --s3: #fbb770; --s4: #f79d4f;
  --s5: #ec8036; --s6: #d96423; --s7: #be4b16; --s8: #99360f; --s9: #74260a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151b; --card: #191f28; --text: #dfe5ec; --dim: #93a1b2; --line: #2b3441;
    --good: #4cc26a; --good-soft: #14351f; --bad: #ff6b6e; --bad-soft: #45191d;
    --amber: #e5b454; --warn: #e5b454; --warn-soft: #3a2c0c; --link: #6cb2ff; --track: #2a3340; --empty: #232b36;
    --p0: #17304b; --p1: #193b61; --p2: #1c4877; --p3: #21568e; --p4: #2a66a5;
    --p5: #3a79b9; --p6: #518ecb; --p7: #70a7db; --p8: #97c2ea; --p9: #c4dff7;
    --s0: #3a2413; --s1: #4c2c12; --s2: #623612; --s3: #7a4114; --s4: #944f18;
    --s5: #af6022; --s6: #c87633; --s7: #dd9150; --s8: #eeb078; --s9: #fbd3ab;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 20px 24px 40px; max-width: 1280px; background: var(--page);
  color: var(--text); font: 14px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
h1 { font-size: 21px; margin: 0; font-weight: 650; }
h2 { font-size: 15px; margin: 0 0 10px; font-weight: 650; }
h3 { font-size: 14px; margin: 0; font-weight: 650; }
p { margin: 6px 0; }
a { color: var(--link); }
code { font: 12px/1.5 "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace; }
.dim { color: var(--dim); }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 14px 16px; margin-bottom: 16px; overflow-x: auto;
}

.badge {
  display: inline-block; padding: 0 8px; border-radius: 10px; font-size: 12px; font-weight: 600;
  line-height: 19px; white-space: nowrap;
}
.good { color: var(--good); background: var(--good-soft); }
.bad { color: var(--bad); background: var(--bad-soft); }
.warn { color: var(--warn); background: var(--warn-soft); }

header.card { border-left: 6px solid var(--good); }
header.failed { border-left-color: var(--bad); }
header .title { display: flex; align-items: center; gap: 14px; margin-bottom: 10px; }
header .badge { font-size: 15px; line-height: 28px; padding: 0 14px; border-radius: 14px; }
.facts { display: flex; flex-wrap: wrap; gap: 4px 28px; margin: 0; }
.facts div { display: flex; gap: 7px; }
.facts dt { color: var(--dim); }
.facts dd { margin: 0; font-variant-numeric: tabular-nums; }
.command {
  display: block; margin-top: 8px; padding: 6px 10px; border-radius: 5px; background: var(--empty);
  overflow-wrap: anywhere;
}
.copy { display: flex; align-items: baseline; gap: 8px; margin-top: 8px; }
.copy span { flex: 0 0 7em; font-size: 12.5px; }
.copy .command { flex: 1; margin-top: 0; }
.copy button { font: inherit; font-size: 12.5px; padding: 3px 10px; border-radius: 5px; cursor: pointer;
               color: inherit; background: var(--card); border: 1px solid var(--line); }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px;
         margin-bottom: 16px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
        padding: 10px 14px; }
.tile b { display: block; font-size: 22px; line-height: 1.3; font-weight: 650;
          font-variant-numeric: tabular-nums; white-space: nowrap; }
.tile span { color: var(--dim); font-size: 12.5px; }
.tile.short b { color: var(--bad); }

table.rows { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
.rows th { text-align: left; font-weight: 600; color: var(--dim); font-size: 12.5px;
           padding: 2px 7px 5px; border-bottom: 1px solid var(--line); white-space: nowrap; }
.rows td { padding: 3px 7px; border-bottom: 1px solid var(--line); vertical-align: top; }
.rows tr:last-child td { border-bottom: 0; }
.rows th:first-child, .rows td:first-child { padding-left: 0; }
.rows th:last-child, .rows td:last-child { padding-right: 0; }
.rows .n { text-align: right; white-space: nowrap; }
.rows .wide { width: 99%; }
.bar { display: block; height: 8px; margin-top: 6px; min-width: 90px; border-radius: 4px;
       background: var(--track); overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--good); }
.bar.short i { background: var(--amber); }

.columns { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 16px;
           align-items: start; }
@media (max-width: 1000px) { .columns { grid-template-columns: minmax(0, 1fr); } }

.map-card { overflow: visible; }
.switch { position: absolute; opacity: 0; }
.switch + label { display: inline-block; padding: 1px 12px; border: 1px solid var(--line);
                  border-radius: 12px; cursor: pointer; color: var(--dim); }
.switch:checked + label { background: var(--text); color: var(--card); border-color: var(--text); }
.switch:focus-visible + label { outline: 2px solid var(--link); outline-offset: 1px; }
/* No width of its own: the map decides how wide its card is. */
.legend { display: flex; flex-wrap: wrap; width: 0; min-width: 100%; align-items: center; gap: 6px; margin: 10px 0 6px; font-size: 12px;
          color: var(--dim); font-variant-numeric: tabular-nums; }
.legend .ramp { display: flex; }
.legend .ramp i { width: 14px; height: 11px; }
.legend i.box { width: 14px; height: 11px; margin-left: 8px; border-radius: 2px; }
#by-packets:checked ~ .of-stalls, #by-stalls:checked ~ .of-packets { display: none; }
.map { border-spacing: 1px; font: 10px/11px "DejaVu Sans Mono", ui-monospace, monospace; }
.map th { font-weight: 400; color: var(--dim); padding: 0 4px 0 0; text-align: right;
          white-space: nowrap; }
.map thead th { padding: 0 0 3px; text-align: center; }
.map td { position: relative; height: 11px; padding: 0; border-radius: 2px;
          background: var(--p, var(--empty)); background-clip: padding-box; }
.map tr.gap > * { border-top: 4px solid transparent; }
#by-stalls:checked ~ .map td { background-color: var(--s, var(--empty)); }
.map .dead, i.dead {
  background: repeating-linear-gradient(135deg, var(--bad) 0 2px, var(--bad-soft) 2px 4px);
}
.map .dead { background-clip: padding-box; }
.map .fail, i.fail { outline: 2px solid var(--bad); z-index: 1; }
.map td:hover { outline: 2px solid var(--text); z-index: 2; }
.map td:hover::after {
  content: attr(data-t); position: absolute; left: 60%; top: 16px; z-index: 3; padding: 5px 9px;
  white-space: pre; border-radius: 5px; background: var(--text); color: var(--card);
  font: 12px/1.5 "DejaVu Sans Mono", ui-monospace, monospace; pointer-events: none;
}
.map tr:nth-last-child(-n+4) td:hover::after { top: auto; bottom: 16px; }

.kills td, .kills th { text-align: center; }
.kills td:first-child, .kills th:first-child { text-align: left; white-space: nowrap; }
.kills .badge { min-width: 46px; }
.kills .badge.dim { font-weight: 400; }
.kills .alone { box-shadow: inset 0 0 0 1.5px currentColor; }
.kills tfoot td { border-top: 1px solid var(--line); font-weight: 600; }

.failure { padding: 2px 0 4px; }
.failure + .failure { border-top: 1px solid var(--line); padding-top: 12px; }
.failure .head { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; }
.failure .links { margin-left: auto; }
.nowrap { white-space: nowrap; }
.failure .message { overflow-wrap: anywhere; }
details { margin: 6px 0; }
summary { cursor: pointer; }
.bins { columns: 3 280px; margin: 6px 0 10px; padding-left: 18px; font-size: 12.5px; }
)css";
}

}  // namespace kernbench::sim
