/** The style of the page: light, dark and print. It loads nothing. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1c2128; --quiet: #59636e; --line: #d9dee4; --shade: #f5f7f9; --link: #0b5cad;
  --get: #0b5cad; --post: #1a7f37; --put: #9a5b00; --delete: #b3261e;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --code: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161b; --ink: #e4e8ec; --quiet: #9aa5b1; --line: #2d343c; --shade: #1a2027; --link: #79b8ff;
    --get: #79b8ff; --post: #6fdd8b; --put: #f0b35b; --delete: #ff938a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 var(--text);
  display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: var(--code); font-size: .875em; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: 6px; padding: .9rem 1rem;
  overflow-x: auto; line-height: 1.45; }
nav { position: sticky; top: 0; height: 100vh; overflow: hidden auto; padding: 1.5rem 1rem 3rem 1.5rem;
  border-right: 1px solid var(--line); background: var(--shade); font-size: .875rem; }
nav strong { font-size: 1.05rem; }
nav ul { list-style: none; margin: .25rem 0 0; padding: 0; }
nav ul ul { margin: .1rem 0 .6rem .1rem; }
nav li li a { display: flex; gap: .5rem; color: var(--quiet); padding: .06rem 0; }
nav .top { font-weight: 600; color: var(--ink); display: block; padding: .15rem 0; }
main { padding: 2.5rem clamp(1rem, 4vw, 3.5rem) 5rem; max-width: 68rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 3.5rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
p { margin: .5rem 0; max-width: 46rem; }
.quiet { color: var(--quiet); }
.operation { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: .85rem 1.1rem; }
.operation h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
.operation h3 code { font-size: .95em; font-weight: 600; }
.operation dl { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .3rem .75rem; margin: .6rem 0 0; font-size: .9rem; }
.operation dt { color: var(--quiet); }
.operation dd { margin: 0; }
.operation:target { border-color: var(--link); }
.method { font: 700 .75rem/1 var(--code); min-width: 3.2rem; display: inline-block; }
nav .method { font-size: .68rem; line-height: 1.9; min-width: 2.9rem; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.old code { text-decoration: line-through; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 500; }
td:first-child { white-space: nowrap; }
td.d1 { padding-left: 1.2rem; } td.d2 { padding-left: 2.4rem; } td.d3 { padding-left: 3.6rem; }
.must { color: var(--delete); font-size: .8em; }
.limits { color: var(--quiet); font-size: .85em; overflow-wrap: anywhere; }
.refusal { margin-right: .7rem; }
.refusal b { font-weight: 600; color: var(--quiet); }
.refusal code { white-space: nowrap; }
.wide { overflow-x: auto; }
summary { cursor: pointer; color: var(--link); font-size: .9rem; margin-top: .5rem; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul ul { display: none; }
  nav > ul { columns: 2; }
  .operation dl { grid-template-columns: 1fr; gap: 0; }
  .operation dd { margin-bottom: .4rem; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --shade: #fff; --link: #000;
    --get: #000; --post: #000; --put: #000; --delete: #000; }
  body { display: block; font-size: 10pt; }
  nav { position: static; height: auto; border: 0; padding: 0; }
  nav ul ul { display: none; }
  main { max-width: none; padding: 0; }
  .operation, tr, pre { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
}
`;
