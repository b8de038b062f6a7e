import { Redacted } from "effect"
import { assert, describe, test } from "vitest"
import { operatorSecrets, readOperatorSecrets } from "../../../src/services/platform/OperatorSecrets.ts"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"

const [one, two] = ["first secret of thirty-two bytes or more", "second secret of thirty-two bytes or more"]

const read = (value: string) => readOperatorSecrets(value).map(({ name, secret }) => [name, Redacted.value(secret)])

const isTaken = (value: string, strict = true) => operatorSecrets.parse(value, strict) !== undefined

describe("INTERNAL_ADMIN_SECRET", () => {
  test.each([
    ["one bare secret", one, [["admin", one]]],
    ["a bare secret with commas and colons, as the development value", developmentSecret("INTERNAL_ADMIN_SECRET"), [
      ["admin", "development only, never in production: INTERNAL_ADMIN_SECRET"]
    ]],
    ["one named secret", `anna:${one}`, [["anna", one]]],
    ["two named secrets", `anna:${one},bob-2:${two}`, [["anna", one], ["bob-2", two]]],
    ["a space after the comma", `anna:${one}, bob:${two}`, [["anna", one], ["bob", two]]],
    ["a bare secret before named ones", `${one},bob:${two}`, [["admin", one], ["bob", two]]],
    ["a bare secret with a colon that stands alone", `Anna:${one}`, [["admin", `Anna:${one}`]]],
    ["a secret with colons", `anna:${one}:x`, [["anna", `${one}:x`]]]
  ])("may hold %s", (_, value, expected) => {
    assert.deepStrictEqual(read(value), expected)
    assert.strictEqual(isTaken(value, false), true)
  })

  test.each([
    ["the development value", developmentSecret("INTERNAL_ADMIN_SECRET")],
    ["the development value by a name", `anna:development only never in production: INTERNAL_ADMIN_SECRET`.replace(
      "development only never",
      "development only, never"
    )],
    ["one secret that is too short", `anna:${one},bob:too short`],
    ["one secret that repeats a letter", `anna:${one},bob:${"a".repeat(40)}`],
    ["one name twice", `anna:${one},anna:${two}`],
    ["the name of the bare one", `${one},admin:${two}`],
    ["one secret twice", `anna:${one},bob:${one}`],
    ["a name in upper case, which would be the end of the secret before it", `anna:${one},Bob:${two}`],
    ["a first name in upper case, which would be the begin of a bare secret", `Anna:${one},bob:${two}`],
    ["a first name with a full stop", `anna.b:${one},bob:${two}`],
    ["a second bare secret", `anna:${one},${two}`],
    ["a name of 33 letters", `${"a".repeat(33)}:x,bob:${two}`],
    ["nothing after a name", "anna:"]
  ])("is refused with %s", (_, value) => assert.strictEqual(isTaken(value), false))
})
