/** The style sheet of the page. It names no file and no font: the page needs nothing but itself. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --ink: #1c2126; --quiet: #5d6670; --line: #e2e4e0;
  --first-try: #12826d; --later: #3d8ccb; --let-go: #cc5216; --cost: #7562b6; --slow: #5c7389;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e4e7ea; --quiet: #98a2ac; --line: #2b3137;
    --first-try: #3dbb9c; --later: #5ba8e4; --let-go: #ee7f47; --cost: #a18fe2; --slow: #8ba2b8;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1120px; padding: 32px 20px 64px;
  background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 26px; line-height: 1.25; }
h2 { margin: 0 0 4px; font-size: 16px; }
p { margin: 4px 0; }
.note, .tiles dt, .legend, th { color: var(--quiet); font-size: 13px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 20px 16px; margin: 28px 0 0; }
.tiles dd { margin: 0; font-size: 24px; line-height: 1.3; }
.tiles small { display: block; color: var(--quiet); font-size: 13px; }
figure, section { margin: 40px 0 0; min-width: 0; }
.lead, .pair { display: grid; gap: 0 48px; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 860px) {
  .lead { grid-template-columns: 2fr 1fr; }
  .pair { grid-template-columns: 1fr 1fr; }
  .lead > :only-child, .pair > :only-child { grid-column: 1 / -1; }
}
.legend span { margin-right: 14px; white-space: nowrap; }
.legend i { display: inline-block; width: 10px; height: 10px; margin-right: 5px; border-radius: 2px; }
svg { display: block; width: 100%; }
svg text { fill: var(--quiet); font-size: 12px; }
svg .figure { fill: var(--ink); }
svg line { stroke: var(--line); shape-rendering: crispEdges; }
.columns { display: grid; grid-template-columns: 44px minmax(0, 1fr); gap: 8px; margin-top: 8px; }
.columns svg { overflow: visible; }
rect.first-try { fill: var(--first-try); } i.first-try { background: var(--first-try); }
rect.later { fill: var(--later); } i.later { background: var(--later); }
rect.let-go { fill: var(--let-go); } i.let-go { background: var(--let-go); }
rect.cost { fill: var(--cost); }
rect.slow { fill: var(--slow); }
.bars { list-style: none; margin: 12px 0 0; padding: 0; }
.bars li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; align-items: baseline; margin-bottom: 12px; }
.bars .name { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.bars .value { color: var(--quiet); font-size: 13px; }
.bars svg { grid-column: 1 / -1; }
.name { font: 13px/1.5 ui-monospace, monospace; }
table { width: 100%; margin-top: 12px; border-collapse: collapse; }
th { font-weight: 400; overflow-wrap: normal; }
th, td { padding: 5px 0 5px 16px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .texts th, .texts td { padding-left: 0; text-align: left; }
.texts th + th, .texts td + td { padding-left: 16px; }
td.name { line-height: 1.7; }
.texts .name { min-width: 16em; }
.whole { white-space: nowrap; }
@media (max-width: 600px) {
  .bars li { grid-template-columns: minmax(0, 1fr); }
  .bars .name { display: -webkit-box; white-space: normal; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  table.wide tr { display: grid; grid-template-columns: repeat(5, 1fr); border-bottom: 1px solid var(--line); padding: 4px 0; }
  table.wide th, table.wide td { border: 0; padding: 2px 0; }
  table.wide th:first-child, table.wide td:first-child { grid-column: 1 / -1; }
  table.texts tr { display: block; border-bottom: 1px solid var(--line); padding: 6px 0; }
  table.texts thead { display: none; }
  table.texts td, table.texts td + td { display: block; border: 0; padding: 0; }
}
`;
