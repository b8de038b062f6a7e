import { assert, test } from "vitest"
import { glanceOf } from "../../src/clinical/Glance.ts"
import { entryOf, rowOf, summaryOf } from "../../src/clinical/Reading.ts"
import { read } from "../../src/clinical/Sections.ts"
import { titlesOf } from "../../src/clinical/Titles.ts"
import { seededRandom } from "../support/Random.ts"
import { generated, resourceTypes } from "./Definitions.ts"
import { unreadModifier } from "./ModifierReading.ts"

/** Another seed makes resources that nobody has seen. */
const seed = Number(process.env["FHIR_SEED"] ?? 24)

const forbidden = /\bundefined\b|\bnull\b|\bNaN\b|\[object|\bInfinity\b|function /

test(
  "6,000 generated resources of every type have readable rows and no unread modifier",
  { timeout: 1_200_000 },
  () => {
    const random = seededRandom(seed)
    const items = Array.from({ length: 6_000 }, (_, index) => {
      const resourceType = resourceTypes[index % resourceTypes.length]!
      return { resourceType, fhirId: `${index % 900}`, text: JSON.stringify(generated(resourceType, random)) }
    })
    const titleOf = titlesOf(items.map(({ fhirId, resourceType, text }) => entryOf(resourceType, fhirId, text)))
    for (const { fhirId, resourceType, text } of items) {
      const { dates, details, flags, title } = rowOf(resourceType, fhirId, text, titleOf)
      for (const shown of [title, ...flags, ...[...dates, ...details].flatMap((one) => [one.label, one.text])]) {
        if (shown.trim() === "" || forbidden.test(shown)) assert.fail(`seed ${seed}: ${shown} of ${text}`)
      }
      const unread = unreadModifier(JSON.parse(text))
      if (unread !== undefined) assert.fail(`seed ${seed}: ${unread}`)
    }
    const summaries = items.map(({ fhirId, resourceType, text }, key) => ({
      key,
      summary: summaryOf(resourceType, fhirId, text, titleOf)
    }))
    assert.isNotEmpty(glanceOf(summaries).problems.items)
    assert.lengthOf(read(items).flatMap(({ groups }) => groups.flatMap(({ rows }) => rows)), 6_000)
  }
)
