import { assert, describe, test } from "@effect/vitest"
import { Schema } from "effect"
import { EmailAddress, Text } from "../../src/domain/Scalars.ts"

describe("An e-mail address", () => {
  const isAddress = Schema.is(EmailAddress)

  test.each([
    "a@b.example",
    "jane.gray+records@mail.clinic.example",
    ".jane@clinic.example",
    "o'hara_{x}~!@xn--bcher-kva.example",
    "a@1.2.xn--p1ai",
    `${"a".repeat(64)}@b.example`
  ])("is %s", (address) => {
    assert.isTrue(isAddress(address))
  })

  test.each([
    "a@b",
    "a@localhost",
    "..@1",
    "..@b.example",
    ".@b.example",
    "a..b@c.example",
    "\"a b\"@c.example",
    "\"a\"@c.example",
    "a@b.",
    "a@.b.example",
    "a@b..example",
    "a@-b.example",
    "a@b-.example",
    "a@b.1",
    "a@127.0.0.1",
    "a@[127.0.0.1]",
    "a@b.example\n",
    "a@b@c.example",
    "@b.example",
    "İ@b.example",
    `${"a".repeat(65)}@b.example`,
    `a@${"b".repeat(64)}.example`,
    `a@${"b.".repeat(124)}example`
  ])("is not %j", (address) => {
    assert.isFalse(isAddress(address))
  })

  test("is checked in little time, even for a long text that is not an address", () => {
    // This is processor time, which other tests running at the same time do not affect.
    const before = process.cpuUsage()
    for (const text of ["a".repeat(254), `${"a.".repeat(126)}@`, `a@${"b.".repeat(120)}!`, `a@${"b-".repeat(120)}!`]) {
      assert.isFalse(isAddress(text))
    }
    const { system, user } = process.cpuUsage(before)
    assert.isBelow(system + user, 100_000)
  })
})

describe("A text", () => {
  const isText = Schema.is(Text(10))

  test.each(["a", "7", "!", "€", " . ", "王", "😀", "👍🏽", "❤\ufe0f", "e\u0301"])("is %j", (text) => {
    assert.isTrue(isText(text))
  })

  test.each(["", " \t\n", "\u00a0", "\u200b", "\u034f", "\ufe00", "\u0301", "\u2060\u3000", "\u00ad", "\u3164",
    "\u115f", "\u1160", "\uffa0", "\u2800", " \u2800\u3164\u034f"])(
      "that has no visible character is refused: %j",
      (text) => {
        assert.isFalse(isText(text))
      }
    )
})
