import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { classify } from "../../../src/services/record/SensitiveCodes.ts"
import { attachment, base64, note } from "./Notes.ts"

const file = readFileSync(new URL("../../../src/services/record/sensitive-phrases.tsv", import.meta.url), "utf8")

const rows = file.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t"))

const texts: ReadonlyArray<readonly [text: string, categories: ReadonlyArray<string>]> = [
  ["Patient is an active smoker and is an alcoholic.", ["alcohol_abuse"]],
  ["HIV positive", ["hiv"]],
  ["HIV-positive", ["hiv"]],
  ["H.I.V.", ["hiv"]],
  ["h i v", ["hiv"]],
  ["hiv+", ["hiv"]],
  ["\uff28\uff29\uff36", ["hiv"]],
  ["has AIDS", ["hiv"]],
  ["AIDS", ["hiv"]],
  ["Methadone maintenance for opioid use disorder", ["drug_abuse"]],
  ["denies heroin use", ["drug_abuse"]],
  ["Álcohol   ABUSE", ["alcohol_abuse"]],
  ["alco\u00adhol\u200b abuse", ["alcohol_abuse"]],
  ["alcohol\n\nuse-disorder", ["alcohol_abuse"]],
  ["The alcoholic\u2019s liver", ["alcohol_abuse"]],
  // A screen does not show the escaped characters in the next six texts.
  ["alco\u034fhol\u115f abuse", ["alcohol_abuse"]],
  ["H\u3164I\uffa0V\u1160 positive", ["hiv"]],
  ["alcohol\u2800abuse", ["alcohol_abuse"]],
  ["Diagnosis\u3164HIV\u3164positive", ["hiv"]],
  ["patient\u0600HIV", ["hiv"]],
  ["patient\u180eHIV positive", ["hiv"]],
  [`${"'".repeat(1_000_000)}alcohol${"'".repeat(1_000_000)}ic`, ["alcohol_abuse"]],
  ["drugs of abuse", ["drug_abuse"]],
  ["drug addiction", ["drug_abuse"]],
  ["referred to addiction services", ["drug_abuse", "alcohol_abuse"]],
  ["Sickle-cell disease", ["sickle_cell"]],
  ["Hemoglobin S [Presence] in Blood", ["sickle_cell"]],
  ["OUD on MOUD", ["drug_abuse"]],
  ["AUDIT-C of 4", ["alcohol_abuse"]],
  ["BIKTARVY 50-200-25MG TAB", ["hiv"]],
  ["alcohol abuse; Alcohol disinfectant", ["alcohol_abuse"]],
  ["alcoholic drinks, an alcoholic", ["alcohol_abuse"]],
  // 38 U.S.C. 7332 does not protect these.
  ["Alcohol disinfectant (substance)", []],
  ["alcohol swab, alcohol pad, rubbed with alcohol", []],
  ["Avoid alcoholic drinks while you take this", []],
  ["Alcohol-free diet", []],
  ["non-alcoholic fatty liver disease", []],
  ["Nonalcoholic steatohepatitis", []],
  ["Tree nut (substance)", []],
  ["hives after penicillin; no known drug allergy", []],
  ["hearing aids, walking aids, AIDS IN DIGESTION, band-aids", []],
  ["nicotine addiction", []],
  ["opioid analgesic for pain, on methadone 10 mg", []],
  ["bupropion / naltrexone", []],
  ["nirmatrelvir 150 MG / ritonavir 100 MG", []],
  ["Alcohol use: occasional", []],
  ["hemoglobin\u2019s value, hemoglobin A1c", []],
  ["archive, shiver, haloperidol, Chivas", []],
  ["vessel oud; sud", []],
  ["", []]
]

const rtf = "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0\\fs24 Patient is an\\par {\\b alco}holic\\'2e \\u8217?}"

const attachments: ReadonlyArray<readonly [name: string, data: string, type: string | undefined]> = [
  ["plain text", base64("He is an alcoholic."), "text/plain"],
  ["plain text without a type", base64("He is an alcoholic."), undefined],
  ["text with the content type of a picture", base64("He is an alcoholic."), "image/png"],
  ["text in Latin-1", base64("Señor is an alcoholic.", "latin1"), "text/plain; charset=iso-8859-1"],
  ["text in UTF-16 with a byte order mark", base64("\ufeffHe is an alcoholic.", "utf16le"), "text/plain"],
  ["text in UTF-16 without a byte order mark", base64("He is an alcoholic.", "utf16le"), "text/plain"],
  ["HTML", base64("<html><body><p>is an <b>alco</b>hol&#105;c</p></body></html>"), "text/html"],
  ["HTML with the content type of plain text", base64("<p>alco&shy;holic"), "text/plain"],
  ["CDA", base64("<ClinicalDocument><text><paragraph>An alcoholic</paragraph></text>"), "application/hl7-v3+xml"],
  ["RTF", base64(rtf), "text/rtf"],
  ["RTF with another content type", base64(rtf), "application/octet-stream"],
  ["base64 split into lines", base64("He is an alcoholic.").replace(/.{7}/g, "$&\r\n"), "text/plain"],
  ["text that is not base64", "He is an alcoholic.", "text/plain"]
]

const plan = (activity: string, more: object = {}) => ({
  resourceType: "CarePlan",
  id: "p",
  title: "Lifestyle education regarding hypertension",
  text: { status: "generated", div: `<div>Activities: <ul><li>${activity}</li></ul></div>` },
  activity: [{
    detail: { code: { coding: [{ system: "http://snomed.info/sct", code: "413473000", display: activity }] } }
  }],
  ...more
})

const counseling = "Counseling about alcohol consumption"

describe("The words of a resource", () => {
  it.effect.each(texts)(
    "classify %j as %j",
    ([text, categories]) => Effect.sync(() => assert.deepStrictEqual(classify(note(text)), categories))
  )

  it.effect("are found for every phrase of the file, and each phrase has a source", () =>
    Effect.sync(() => {
      assert.strictEqual(new Set(rows.map((row) => row.slice(0, 3).join())).size, rows.length)
      for (const row of rows) {
        const [category = "", match = "", phrase = "", source = ""] = row
        assert.strictEqual(row.filter((cell) => cell.trim() !== "").length, 4, row.join())
        assert.isAbove(source.length, 5)
        const found = [...classify(note(`x ${phrase.split(" ").join(" - ")}. `))] as Array<string>
        if (match === "except") assert.deepStrictEqual(found, [], phrase)
        else assert.include(found, category, phrase)
      }
    }))

  it.effect("are found in code.text, local displays and codes, narrative and values", () =>
    Effect.sync(() => {
      const places = [
        { code: { text: "HIV positive" } },
        { code: { coding: [{ system: "http://example.org/local", code: "1", display: "HIV positive" }] } },
        { code: { coding: [{ system: "http://example.org/local", code: "HIV_POS" }] } },
        { valueString: "HIV positive" },
        { valueCodeableConcept: { text: "HIV positive" } },
        { text: { status: "generated", div: "<div><p>H<b>IV</b> positive</p></div>" } },
        { subject: { reference: "Patient/1", display: "HIV clinic" } },
        { conclusion: "HIV positive" },
        { extension: [{ url: "http://example.org/x", valueMarkdown: "**HIV** positive" }] },
        { contained: [{ resourceType: "Condition", note: [{ text: "HIV positive" }] }] }
      ]
      for (const place of places) {
        assert.deepStrictEqual(classify({ resourceType: "Basic", id: "b", ...place }), ["hiv"], JSON.stringify(place))
      }
      assert.deepStrictEqual(classify({ resourceType: "Basic", id: "hiv", subject: { reference: "Patient/hiv" } }), [])
    }))

  it.effect.each(attachments)(
    "are found in an attachment of %s",
    ([, data, type]) =>
      Effect.sync(() => {
        assert.deepStrictEqual(classify(attachment(data, type)), ["alcohol_abuse"])
        assert.deepStrictEqual(classify({ presentedForm: [{ data, contentType: type }] }), ["alcohol_abuse"])
      })
  )

  it.effect("are not searched for in PDFs, pictures and other binary data", () =>
    Effect.sync(() => {
      for (const start of ["%PDF-1.7\n", "\x89PNG\r\n\x1a\n\0\0", "PK\x03\x04\0\0"]) {
        assert.deepStrictEqual(classify(attachment(base64(`${start} is an alcoholic`, "latin1"), "text/plain")), [])
      }
      for (const data of ["", "=", "%", "A", "AAAA"]) assert.deepStrictEqual(classify(attachment(data)), [])
    }))

  it.effect("do not classify a care plan if they are only advice in its activities", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(classify(plan(counseling)), [])
      assert.deepStrictEqual(classify({ resourceType: "Bundle", entry: [{ resource: plan(counseling) }] }), [])
      assert.deepStrictEqual(classify(plan("Alcohol detoxification")), ["alcohol_abuse"])
      assert.deepStrictEqual(classify(plan(counseling, { title: counseling })), ["alcohol_abuse"])
      assert.deepStrictEqual(classify(plan(counseling, { addresses: [{ display: "Alcoholism" }] })), ["alcohol_abuse"])
      const { activity } = plan(counseling)
      assert.deepStrictEqual(classify({ resourceType: "Procedure", code: activity[0]!.detail.code }), ["alcohol_abuse"])
      assert.deepStrictEqual(classify({ resourceType: "Procedure", code: { text: counseling } }), ["alcohol_abuse"])
    }))

  const Sensitive = Schema.Literals(texts.flatMap(([, categories], n) => categories.length > 0 ? [n] : []))

  const Blank = Schema.Literals([" ", "\n", "\u00a0", " \u00ad", ", ", "\u2003"])

  it.effect.prop("are found in every spelling", {
    n: Sensitive,
    blank: Blank,
    capitals: Schema.Boolean,
    around: Schema.Literals(["", "x ", "\u00e9 ", "(", "\u{1f600}"])
  }, ({ around, blank, capitals, n }) =>
    Effect.sync(() => {
      const [text, categories] = texts[n]!
      const written = `${around}${text.replaceAll(" ", blank)}`
      assert.includeMembers([...classify(note(capitals ? written.toUpperCase() : written))], [...categories])
    }))

  it.effect.prop("are searched for in any text, markup or base64, and the search never throws", [
    Schema.String,
    Schema.Array(
      Schema.Literals(["<", ">", "&", "&#x", "{\\rtf1", "\\'", "\\u", "\\", "alcohol", "ic", "\ud800", "=", "'", "</",
        "<!--"])
    )
  ], ([text, parts]) =>
    Effect.sync(() => {
      for (const some of [text, parts.join(""), `{\\rtf1${parts.join("")}`]) {
        for (const resource of [note(some), attachment(some), attachment(base64(some))]) classify(resource)
      }
    }))
})
