import { assert, test } from "vitest"
import { problemOf, sentencesOf } from "../lint/PlainEnglish.ts"
import { lint } from "./support/Lint.ts"

test("Lint refuses a sentence that has no subject, an obscure phrase or more than 25 words", () => {
  const refused = [
    "Of an empty one the line is taken back.",
    "None where the cookie is old.",
    "Undefined: the text is no key.",
    "Null where there is no number.",
    "True: it was used before.",
    "Is said to all.",
    "Who signs in waits for neither.",
    "What else is asked needs a session.",
    "For so long a link is kept.",
    "Each has so many bytes.",
    "It has a process of its own.",
    "The session is over.",
    "It goes to whoever asks, or to nobody.",
    "Sets a heading for who hears it.",
    Array.from({ length: 26 }, () => "word").join(" ")
  ]
  for (const sentence of refused) assert.isDefined(problemOf(sentence), sentence)
})

test("Lint lets plain sentences through, and counts code and citations in parentheses as one word or none", () => {
  const plain = [
    "Returns undefined if there is no cookie.",
    "Nothing is stored.",
    "The veteran to whom it belongs, of whose records it is one.",
    "Is it closed?",
    "It is so small that it fits.",
    "It waits so long that the client leaves.",
    "Overwrites the file.",
    "A null value is kept.",
    `${Array.from({ length: 25 }, () => "word").join(" ")} (RFC 9110, section 15.5.1, and five more words).`,
    `\`${Array.from({ length: 30 }, () => "word").join(" ")}\` is code.`
  ]
  for (const sentence of plain) assert.isUndefined(problemOf(sentence), sentence)
})

test("A text is cut into sentences at stops, empty lines and lists, and not within an abbreviation", () => {
  assert.deepStrictEqual(sentencesOf("One: Two; three. Four?\n\nfive e.g. six\n - seven"), [
    "One:",
    "Two; three.",
    "Four?",
    "five e.g. six",
    "seven"
  ])
})

test("Lint finds bad sentences in every kind of comment and in the names of tests, and columns beyond 120", async () => {
  const text = `// Consecutive lines are one text: a sentence that begins on the first line
// and has so many words on the second.
export const a = 1 // Who reads this?

/** @returns None where it fails. */
export const b = 2

/*
 * The ${"x".repeat(120)} is wide.
 */
// oxlint-disable-next-line no-console -- of its own
it.effect("None of these", () => a)
test.each([b])(\`so many \${a}\`, () => b)
describe("A plain sentence", () => a)
console.log("Of no test, so it may say whatever it likes")
`
  const findings = await lint({ "bench/Words.ts": text })
  assert.deepStrictEqual(
    findings.filter(({ code }) => code.startsWith("plain-english")).map(({ code, line }) => `${line} ${code}`).sort(),
    [
      "1 plain-english(comments)",
      "12 plain-english(names)",
      "13 plain-english(names)",
      "3 plain-english(comments)",
      "5 plain-english(comments)",
      "8 plain-english(comments)"
    ]
  )
})
