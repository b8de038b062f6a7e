import { assert, describe, test } from "vitest"
import { pageWords } from "../../../src/http/oauth/PageWords.ts"
import { english as mails } from "../../../src/services/mail/MailWords.en.ts"
import { spanish as correos } from "../../../src/services/mail/MailWords.es.ts"
import { html } from "../../../src/services/platform/Html.ts"

const facts = {
  name: "Dr. Ada Gray",
  host: "records.example",
  site: "https://records.example",
  url: "https://records.example/link#token",
  until: new Date("2026-11-26T22:05:00Z"),
  at: new Date("2026-11-22T04:25:00Z"),
  code: "1234 5678",
  minutes: 10,
  app: "Heart Diary",
  hint: "d•••@demo.example",
  told: [],
  more: 2
}

/** Facts of the mails whose words depend on what happened. */
const happenings = [
  { why: "registered", to: "old", byOperator: true, about: "look" },
  { why: "forgotten", to: "new", byOperator: false, about: "ending" },
  { why: "operator", to: "old", byOperator: true, about: "stale" },
  { why: "forgotten", to: "new", byOperator: false, about: "day", looks: 2, endings: 1 }
]

/** Every text of a catalogue by its path. Functions are called with samples that suit all of them. */
const textsOf = (words: unknown, argument: unknown, path = ""): ReadonlyArray<readonly [string, string]> => {
  if (typeof words === "string") return [[path, words]]
  if (typeof words === "function") {
    return textsOf(words(path.endsWith(".of") ? html`Eagle` : argument, 10), argument, `${path}()`)
  }
  if (`${words}`.startsWith("[object") || Array.isArray(words)) {
    return Object.entries(words as object).flatMap(([name, value]) => textsOf(value, argument, `${path}.${name}`))
  }
  return [[path, `${words}`]]
}

const mailTexts = (words: unknown) =>
  happenings.flatMap((happening, index) => textsOf(words, { ...facts, ...happening }, `${index}`))

/** Words that English and Spanish share. */
const shared = /^(\.error\(\)|\.mails.*\.link|\.consent\.categories\.laboratory)$/

describe("The words of the pages and the mails", () => {
  for (
    const [what, english, spanish] of [
      ["pages", textsOf(pageWords.en, "7"), textsOf(pageWords.es, "7")],
      ["mails", mailTexts(mails), mailTexts(correos)]
    ] as const
  ) {
    test(`lack nothing in either language: ${what}`, () => {
      const keys = (texts: typeof english) => texts.map(([path]) => path.replace(/\(\).*$/, "()"))
      assert.isAbove(english.length, what === "pages" ? 150 : 30)
      assert.deepStrictEqual([...new Set(keys(spanish))], [...new Set(keys(english))])
      for (const [path, text] of [...english, ...spanish]) {
        assert.isNotEmpty(text.trim(), path)
        assert.notMatch(text, /undefined|null|NaN|\[object/, path)
      }
    })

    test(`differ in Spanish: ${what}`, () => {
      const own = new Map(english)
      const same = spanish.filter(([path, text]) => own.get(path) === text && !shared.test(path))
      assert.deepStrictEqual(same, [])
    })
  }

  test("say a time with a zone that a person reads, in each language", () => {
    assert.include(mails.link_opened(facts)[0], "on November 21, 2026 at 11:25 PM Eastern Time.")
    assert.include(correos.link_opened(facts)[0], "el 21 de noviembre de 2026 a las 11:25 p.m. hora oriental.")
  })
})
