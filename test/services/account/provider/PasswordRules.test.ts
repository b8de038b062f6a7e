import { Effect, Result } from "effect"
import { readFileSync } from "node:fs"
import { assert, describe, test } from "vitest"
import { checkPassword } from "../../../../src/services/account/provider/PasswordRules.ts"

const email = "Dr.Gray@Clinic.example"

const refusal = (password: string) =>
  Effect.runSync(Effect.result(checkPassword(password, { email, member: "password" }))).pipe(
    Result.match({ onSuccess: () => undefined, onFailure: ({ issues }) => issues })
  )

describe("A chosen password", () => {
  test.each(["dr.gray@clinic.example", "DR.GRAY@CLINIC.EXAMPLE", "dr.gray"])(
    "is refused if it is the e-mail address or the part before the @: %s",
    (password) => {
      assert.deepStrictEqual(refusal(password), [{
        path: ["password"],
        message: "Expected a password that is not the e-mail address: choose another one"
      }])
    }
  )

  test.each(["password", "Password1", "QWERTYUIOP", "12345678", "11111111", "iloveyou", "ｐａｓｓｗｏｒｄ",
    "1q2w3e4r5t"])(
      "is refused if it is one of the commonest, in any letter case: %s",
      (password) => {
        assert.deepStrictEqual(refusal(password), [{
          path: ["password"],
          message: "Expected a password that is not one of the 10,000 commonest: choose another one"
        }])
      }
    )

  test.each(["correct horse battery staple", "password of dr.gray", "7d2!kq0x", "клиника на берегу", "        ",
    "20260412-17", "Dr.Gray2026"])(
      "may be anything else: %s",
      (password) => assert.isUndefined(refusal(password))
    )
})

test("The list has 10,000 passwords of 8 characters and more, in lower case, each once", () => {
  const file = new URL("../../../../src/services/account/provider/common-passwords.txt", import.meta.url)
  const lines = readFileSync(file, "utf8").trimEnd().split("\n")
  assert.lengthOf(lines, 10_000)
  assert.strictEqual(new Set(lines).size, 10_000)
  for (const line of lines) {
    assert.isAtLeast(line.length, 8)
    assert.strictEqual(line, line.normalize("NFKC").toLowerCase())
  }
})
