/**
 * The style of foreign HTML in its sandboxed frame: plain, and white in dark mode too. The frame inherits the page's
 * Content-Security-Policy, which allows only this style, by its hash (Headers.ts).
 */
export const frameStyle = `
:root { color-scheme: only light; background: #fff; color: #1b1b1b; }
body { margin: 1rem; font: 1rem/1.5 "Public Sans Web", system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; } h2 { font-size: 1.1875rem; } h3, h4, h5, h6 { font-size: 1rem; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #a9aeb1; padding: 0.25rem 0.5rem; text-align: start; vertical-align: top; }
pre { white-space: pre-wrap; font: 0.875rem/1.4 ui-monospace, monospace; margin: 0; }
`
