import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { classify } from "../../../src/services/record/SensitiveCodes.ts"
import { attachment, base64, note } from "./Notes.ts"

describe("The words of a resource", () => {
  it.effect("are found after 20 MB of text, and after 1 MB of text that is slow to search", () =>
    Effect.sync(() => {
      const ending = (part: string, megabytes: number) =>
        `${part.repeat(megabytes * 1024 * 1024 / part.length)} is an alcoholic`
      assert.deepStrictEqual(classify(note(ending("alcohol ", 20))), ["alcohol_abuse"])
      assert.deepStrictEqual(classify(attachment(base64(ending("<b>", 20)))), ["alcohol_abuse"])
      const hard = ["alcohol use ", "\u0390", "\u1f82", "\ufb03", "\u0130", "&fjlig;", "&nGt;", "\\u233?", "a",
        "\u00e9", "\ufdfa", "</c>", "&amp", "&", "{", "\\'", "'", "hiv vih ", "{\\rtf1 \\b "]
      for (const part of hard) {
        assert.include(classify(note(ending(part, 1))), "alcohol_abuse", part)
        assert.include(classify(attachment(base64(ending(part, 1)))), "alcohol_abuse", part)
      }
    }), 120_000)
})
