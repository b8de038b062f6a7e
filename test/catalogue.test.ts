import { assert, test } from "vitest"
import { hasWords, isSentence } from "../lint/Catalogue.ts"
import { lint } from "./support/Lint.ts"

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

test("Lint finds what a reader of the app sees outside of the catalogues, and nothing else", async () => {
  const text = `export const why = "The service is away"
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
  const findings = await lint({
    "web/veteran/record/Part.tsx": text,
    "web/shared/ui/Part.tsx": text,
    "web/veteran/record/words/English.ts": "export const english = { why: \"The service is away\" }\n"
  })
  const found = (file: string) =>
    findings.filter((one) => one.file === file && one.code.startsWith("catalogue"))
      .map(({ code, line }) => `${line} ${code}`).sort()
  const shown = ["3", "3", "5", "6", "7"].map((line) => `${line} catalogue(shown)`)
  assert.deepStrictEqual(found("web/veteran/record/Part.tsx"), ["1 catalogue(sentences)", ...shown])
  assert.deepStrictEqual(found("web/shared/ui/Part.tsx"), shown)
  assert.deepStrictEqual(found("web/veteran/record/words/English.ts"), [])
})
