import { assert, test } from "vitest"
import { hasWords, isSentence } from "../lint/Catalogue.ts"
import { problemOf, sentencesOf } from "../lint/PlainEnglish.ts"
import { lint } from "./support/Lint.ts"

const slow = [
  String.raw`/(?<=T.*) (?=\d\d:\d\d$)/`,
  String.raw`/-----BEGIN.+?-----END/s`,
  String.raw`/^(a+)+$/`,
  String.raw`/[\p{L}--[a]]+$/v`,
  String.raw`/\s+$/`
].map((expression, at) => `export const a${at} = ${expression}\n`).join("")

const linear = String.raw`export const a = / (?=\d\d:\d\d$)/
export const b = /(?<!\s)\s+$/
export const c = /^[[\p{L}]--[a]]+$/v
`

const part = `export const why = "The service is away"
export const Part = ({ isOn, words }: { readonly isOn: boolean; readonly words: { readonly text: string } }) => (
  <section className="row between" aria-label="Details">
    Hello
    {words.text}: {isOn ? "On" : words.text}
    {\`\${words.text} left\`}
    <input placeholder={isOn ? words.text : "Name"} type="text" />
    <b title={words.text}>FHIR</b>
    {words.text === "On hold" ? null : words.text}
  </section>
)
export const fail = () => {
  throw new Error("Nobody reads this sentence")
}
`

const words = `// Consecutive lines are one text: a sentence that begins on the first line
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

const bodies = `import { describe, test } from "vitest"
describe.skipIf(isMissing)("A program", async () => {})
describe.runIf(isThere).concurrent("A program", async () => {})
describe.skipIf(isMissing).each(programs)("A program", async () => {})
describe.skipIf(isMissing)("A program", () => {})
describe("A program", async () => {})
test.skipIf(isMissing)("answers", async () => {})
`

// One run judges all files, because each run takes seconds to load the plugins.
const findings = await lint({
  "src/services/fhir/Slow.ts": slow,
  "web/portal/Slow.ts": slow,
  "src/services/fhir/Linear.ts": linear,
  "web/veteran/record/Part.tsx": part,
  "web/shared/ui/Part.tsx": part,
  "web/veteran/record/words/English.ts": "export const english = { why: \"The service is away\" }\n",
  "bench/Words.ts": words,
  "test/programs.test.ts": bodies
})

/** Returns the line and the rule of each finding in a file, in order. Other rules are left out if `plugin` is given. */
const found = (file: string, plugin = "") =>
  findings.filter((one) => one.file === file && one.code.startsWith(plugin))
    .map(({ code, line }) => `${line} ${code}`).sort()

test("Lint refuses a regular expression that may take more than linear time", () => {
  for (const path of ["src/services/fhir/Slow.ts", "web/portal/Slow.ts"]) {
    const lines = found(path).filter((finding) => /^\d (redos|regexp)\(/.test(finding)).map(([line]) => line)
    assert.deepStrictEqual([...new Set(lines)], ["1", "2", "3", "4", "5"])
  }
})

test("Lint allows regular expressions that read each character once", () => {
  assert.deepStrictEqual(found("src/services/fhir/Linear.ts"), [])
})

test("Lint finds an asynchronous body of a describe that may be skipped, and no other body", () => {
  assert.deepStrictEqual(found("test/programs.test.ts"), [2, 3, 4].map((line) => `${line} skipped(bodies)`))
})

test("Lint finds what a reader of the app sees outside of the catalogues, and nothing else", () => {
  const shown = ["3", "3", "5", "6", "7"].map((line) => `${line} catalogue(shown)`)
  assert.deepStrictEqual(found("web/veteran/record/Part.tsx", "catalogue"), ["1 catalogue(sentences)", ...shown])
  assert.deepStrictEqual(found("web/shared/ui/Part.tsx", "catalogue"), shown)
  assert.deepStrictEqual(found("web/veteran/record/words/English.ts", "catalogue"), [])
})

test("Lint finds bad sentences in every kind of comment and in the names of tests, and columns beyond 120", () => {
  assert.deepStrictEqual(found("bench/Words.ts", "plain-english"), [
    "1 plain-english(comments)",
    "12 plain-english(names)",
    "13 plain-english(names)",
    "3 plain-english(comments)",
    "5 plain-english(comments)",
    "8 plain-english(comments)"
  ])
})

test("Words are letters of a language, and not signs or names that are the same in every language", () => {
  for (const text of ["Go on", "Año", " of ", "No"]) assert.isTrue(hasWords(text), text)
  for (const text of ["", " · ", ":", "+", "10", "FHIR", "Veteran Records", "Español", "&nbsp;"]) {
    assert.isFalse(hasWords(text), text)
  }
})

test("A sentence begins with a capital letter, and has at least two words", () => {
  for (const text of ["Not in the log yet", "We can't show this", "Your record", "I take"]) {
    assert.isTrue(isSentence(text), text)
  }
  for (const text of ["Done", "row between", "M3 11 12 4l9 7", "Blood", "application/json", "ReadOnly"]) {
    assert.isFalse(isSentence(text), text)
  }
})

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
