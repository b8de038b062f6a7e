import { assert, describe, test } from "vitest"
import { type Html, html } from "../../../src/services/platform/Html.ts"

const take = (value: Html) => `${value}`

describe("The html template", () => {
  test("escapes every text that is inserted, in elements and in attributes", () => {
    assert.strictEqual(
      take(html`<p title="${"\"'&"}">${"<b>"} ${5}</p>`),
      `<p title="&quot;&#39;&amp;">&lt;b&gt; 5</p>`
    )
  })

  test("inserts HTML unchanged, so that nested text is escaped once", () => {
    const items = ["a & b", "<i>"].map((text) => html`<li>${text}</li>`)
    assert.strictEqual(take(html`<ul>${items}${undefined}</ul>`), "<ul><li>a &amp; b</li><li>&lt;i&gt;</li></ul>")
  })

  test("is the only maker of HTML: the compiler refuses a string, or an object that looks like HTML", () => {
    // @ts-expect-error: a string is not HTML.
    assert.strictEqual(take("<b>"), "<b>")
    // @ts-expect-error: only the template makes HTML.
    assert.strictEqual(take({ toString: () => "<b>" }), "<b>")
    // @ts-expect-error: the template accepts no list of strings. At run time it would escape each of them.
    assert.strictEqual(take(html`${["<b>"]}`), "&lt;b&gt;")
  })
})
