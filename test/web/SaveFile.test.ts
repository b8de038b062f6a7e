import { assert, describe, test } from "vitest"
import { safeFileName } from "../../web/shared/SaveFile.ts"

describe("A file's name", () => {
  for (
    const [name, safe] of [
      ["letter.pdf", "letter.pdf"],
      ["Überweisung 2026-11.pdf", "Überweisung 2026-11.pdf"],
      ["\u202efdp.exe", "fdp.exe"],
      ["../../etc/passwd", "_.._etc_passwd"],
      ["a\r\nb\u0000\u2066c.txt", "abc.txt"],
      ["<script>:*?|\".html", "_script______.html"],
      ["Gr\u034fay\u3164\u2800.pdf", "Gray.pdf"],
      ["CON.txt", "document.txt"],
      ["...", "document"],
      ["", "document"],
      [`${"long ".repeat(100)}.pdf`, `${"long ".repeat(20).trim()}.pdf`],
      ["half \ud800 a pair.txt", "half \ufffd a pair.txt"]
    ] as const
  ) {
    test(`${JSON.stringify(name.slice(0, 30))} is saved as ${JSON.stringify(safe.slice(0, 30))}`, () =>
      assert.strictEqual(safeFileName(name), safe))
  }
})
