import { createHash } from "node:crypto"
import { html } from "../../services/platform/Html.ts"

/** Design tokens of the portal (web/shared/theme/theme.css). Sizes are in `rem`, to follow the reader's text size. */
export const pageStyle = html`
:root {
  color-scheme: light dark;
  --ground: light-dark(#f5f6f7, #10151c);
  --card: light-dark(#fff, #1a222d);
  --ink: light-dark(#1b1b1b, #e8ebef);
  --soft: light-dark(#565c65, #a9b3bf);
  --line: light-dark(#dfe1e2, #323d4b);
  --edge: light-dark(#71767a, #8b97a5);
  --link: light-dark(#005ea2, #8fc2f5);
  --accent: light-dark(#005ea2, #4a9be8);
  --accent-hover: light-dark(#1a4480, #73b3ef);
  --on-accent: light-dark(#fff, #0a1420);
  --focus: light-dark(#2491ff, #8fc2f5);
  --bar: light-dark(#162e51, #0b1119);
  --bad: light-dark(#f4e3db, #3d1c17);
  --bad-edge: light-dark(#d54309, #ff8d7b);
  --chip: light-dark(#e7eff8, #213349);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, p, ul, fieldset { margin: 0; }
h1 { font-size: 1.625rem; line-height: 1.25; }
h2, legend { font-size: 1.125rem; font-weight: 700; line-height: 1.25; padding: 0; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.bar { background: var(--bar); color: #fff; font-weight: 700; padding-block: 0.875rem; }
.bar { padding-inline: max(1rem, calc((100% - 38rem) / 2)); display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; justify-content: space-between; }
.bar a, .bar .switch { color: inherit; font-weight: 400; }
main, footer { max-width: 40rem; margin: 0 auto; }
main { padding: 1rem; overflow-wrap: break-word; }
main, .card, form, fieldset { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
fieldset { border: 0; padding: 0; min-width: 0; gap: 0.5rem; }
legend { margin-bottom: 0.5rem; }
section { display: grid; gap: 0.5rem; }
fieldset + fieldset, fieldset + section, section + section { border-top: 1px solid var(--line); padding-top: 1rem; }
fieldset + fieldset legend { float: inline-start; margin-bottom: 0; }
ul { padding-inline-start: 1.25rem; display: grid; gap: 0.5rem; }
footer { padding: 1rem; font-size: 0.875rem; color: var(--soft); display: grid; gap: 0.5rem; }
footer a { display: inline-block; min-height: 1.5rem; }
.soft { color: var(--soft); }
.problem { background: var(--bad); border-inline-start: 0.5rem solid var(--bad-edge); padding: 0.75rem 1rem; border-radius: 4px; overflow-wrap: anywhere; }
label { font-weight: 700; }
.field { display: grid; gap: 0.25rem; }
.field p { color: var(--soft); }
input[type="email"], input[type="text"] {
  width: 100%; min-height: 2.75rem; padding: 0.5rem; font: inherit;
  color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 0;
}
input[type="text"] { max-width: 12rem; font-size: 1.25rem; letter-spacing: 0.125em; }
input[aria-invalid="true"] { border: 0.25rem solid var(--bad-edge); }
.choices { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
.choice { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.75rem; align-items: center; min-height: 2.75rem; font-weight: 400; hyphens: auto; cursor: pointer; }
ul.choices { list-style: none; padding: 0; align-items: start; }
.choices li { display: grid; }
.choices details { padding-inline-start: 2.25rem; font-size: 0.875rem; }
.choices details ul { gap: 0.25rem; }
.choices details ul li { display: list-item; }
.choices details[open] { padding-bottom: 0.5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.choice small { display: block; font-size: 0.875rem; color: var(--soft); }
input[type="checkbox"], input[type="radio"] { width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent); }
.actions { display: grid; gap: 0.75rem; }
button {
  min-height: 2.75rem; padding: 0.625rem 1.25rem; border: 0; border-radius: 4px; font: inherit; font-weight: 700; cursor: pointer;
  background: var(--accent); color: var(--on-accent);
}
button:hover { background: var(--accent-hover); }
.switch { background: none; text-decoration: underline; padding: 0; min-height: 1.5rem; }
.switch:hover { background: none; }
.other { background: transparent; color: var(--link); box-shadow: inset 0 0 0 2px var(--link); }
.other:hover { background: var(--chip); }
summary { color: var(--link); cursor: pointer; min-height: 1.5rem; padding: 0.25rem 0; }
details[open] summary { margin-bottom: 0.5rem; }
@media (min-width: 30rem) { .actions { grid-template-columns: repeat(2, auto); justify-content: start; } }
@media (max-width: 16rem) { main, .card { padding: 0.5rem; } .bar, footer { padding-inline: 0.5rem; } }
@media (min-height: 36rem) {
  html { scroll-padding-bottom: 6rem; }
  .decide {
    position: sticky; bottom: 0; margin: 0 -1rem -1rem; padding: 0.75rem 1rem; background: var(--card);
    border-top: 1px solid var(--line); border-radius: 0 0 8px 8px; grid-template-columns: repeat(2, auto); justify-content: start;
  }
}
@media (forced-colors: active) { button { border: 2px solid; } }
`

export const pageStyleHash = `'sha256-${createHash("sha256").update(`${pageStyle}`).digest("base64")}'`
