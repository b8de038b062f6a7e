import { globSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { assert, describe, test } from "vitest"
import { hasWords } from "../../../lint/Catalogue.ts"
import { spanish as consentPage } from "../../../src/http/oauth/PageWords.es.ts"
import { english as fileEnglish } from "../../../web/shared/document/words/English.ts"
import { spanish as fileSpanish } from "../../../web/shared/document/words/Spanish.ts"
import { english as sharedEnglish } from "../../../web/shared/language/English.ts"
import { purposeWords, typesWords, typeWords } from "../../../web/shared/language/Names.ts"
import { spanish as sharedSpanish } from "../../../web/shared/language/Spanish.ts"
import { spanishNames } from "../../../web/shared/language/SpanishNames.ts"
import { recordedDay, recordedDays } from "../../../web/shared/record/ClinicalDays.ts"
import { roundedFigures } from "../../../web/shared/record/Figures.ts"
import { trendWords } from "../../../web/shared/record/glance/TrendWords.ts"
import { recordWords } from "../../../web/shared/record/RecordLanguage.ts"
import { english as recordEnglish } from "../../../web/shared/record/words/English.ts"
import { spanish as recordSpanish } from "../../../web/shared/record/words/Spanish.ts"
import { spanish as rooms } from "../../../web/veteran/language/Spanish.ts"
import { root } from "../../support/Imports.ts"
import { inSpanish } from "../InSpanish.ts"

/** Texts that are right in both languages. */
const alike = new Set([".", "Final", "No"])

/** Texts of the house, such as a language's tag, which no reader sees. */
const unseen = /\/(?:tag|ofSource|term|months\/\d+|between|spark|full)$/

/** Each text of a catalogue by its path. Functions are called with numbers and names, which they print. */
const texts = (catalogue: unknown, path = ""): ReadonlyArray<readonly [path: string, text: string]> => {
  if (unseen.test(path)) return []
  if (typeof catalogue === "string") return [[path, catalogue]]
  if (typeof catalogue === "function") {
    try {
      return texts(catalogue(3, (seconds: number) => `${seconds} s`, 5, 7), path)
    } catch {
      // It takes the facts of a case, and the tests of its room call it.
      return []
    }
  }
  return Object.entries(catalogue ?? {}).flatMap(([key, value]) => texts(value, `${path}/${key}`))
}

const folder = resolve(root, "web/veteran")

const nameOf = (file: string) => basename(dirname(dirname(file)))

const catalogues: ReadonlyArray<readonly [name: string, english: unknown, spanish: unknown]> = [
  ["shared parts", sharedEnglish, sharedSpanish],
  ["record's parts", recordEnglish, recordSpanish],
  ["files", fileEnglish, fileSpanish],
  ...await Promise.all(
    globSync("*/words/English.ts", { cwd: folder }).toSorted().map(async (file) =>
      [
        nameOf(file),
        (await import(resolve(folder, file))).english,
        (await import(resolve(folder, file.replace("English", "Spanish")))).spanish
      ] as const
    )
  )
]

describe("The words of the app", () => {
  test("Every room with words has them in both languages, and the app loads all of them", () => {
    const names = globSync("*/words/*.ts", { cwd: folder }).filter((file) => /(English|Spanish)\.ts$/.test(file))
      .map(nameOf)
    assert.deepStrictEqual([...new Set(names)].toSorted(), Object.keys(rooms).toSorted())
    assert.isAbove(catalogues.length, 5)
  })

  test.each(catalogues)("The Spanish words of the %s differ from the English ones", (_, english, spanish) => {
    const source = new Map(texts(english))
    const translated = texts(spanish)
    for (const [path, text] of translated) {
      assert.notMatch(text, /undefined|\[object/, path)
      const same = source.get(path) === text && hasWords(text)
      if (same && !alike.has(text)) assert.fail(`${path} is the same in both languages: ${text}`)
      // The veteran is addressed as "usted".
      assert.notMatch(
        text,
        /(?<!\p{L})(?:tú|tus?|te|ti|contigo|puedes|quieres|tienes|eres)(?!\p{L})/iu,
        `${path}: ${text}`
      )
    }
  })

  test("Every type that the consent page names has a name in Spanish, and a list has each once", () => {
    for (const type of Object.keys(consentPage.consent.types)) assert.property(spanishNames.types, type)
    inSpanish(() => {
      assert.strictEqual(typeWords("Observation"), "Resultados de laboratorio y signos vitales")
      assert.strictEqual(
        typesWords(["Observation", "Immunization", "AllergyIntolerance", "Observation"]),
        "Alergias, Resultados de laboratorio, Signos vitales y Vacunas"
      )
      assert.deepStrictEqual(["treatment", "My knee", "toString"].map(purposeWords), [
        "Tratamiento",
        "My knee",
        "toString"
      ])
    })
  })

  test("A record's dates, trends and statuses are worded in Spanish, and other text stays as VA wrote it", () => {
    inSpanish(() => {
      assert.deepStrictEqual(["2026-11-21", "2026-11", "2026", "soon"].map(recordedDay), [
        "21 nov 2026",
        "nov 2026",
        "2026",
        "soon"
      ])
      assert.strictEqual(recordedDays("2019-03-15 14:05 to 2019-03-18"), "15 mar 2019 14:05 a 18 mar 2019")
      assert.strictEqual(recordedDays("since 2019-03"), "desde mar 2019")
      assert.strictEqual(
        trendWords({ spark: [120, 118, 125], value: "125/80 mmHg" }),
        "3 valores sistólicos, de 118 a 125, el último subió"
      )
      assert.strictEqual(roundedFigures("66.899999999999991 in"), "aproximadamente 66.9 in")
      const { term } = recordWords()
      assert.deepStrictEqual(
        ["Active, Confirmed", "High (H)", "Entered in error", "Seen by the nurse", "Active, by phone"].map(term),
        ["Activo, Confirmado", "Alto (H)", "Anotado por error", undefined, undefined]
      )
    })
    assert.strictEqual(recordedDay("2026-11-21"), "Nov 21, 2026")
  })
})
