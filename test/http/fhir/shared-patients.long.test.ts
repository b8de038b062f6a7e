import { MedplumClient } from "@medplum/core"
import { assert, describe, test } from "vitest"
import { signInVeteran } from "../../support/Client.ts"
import { patients, patientTexts, smallerPatients } from "../../support/Collection.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { sync, type Texts } from "../../support/Sync.ts"
import { connectApp, textsOf } from "./Apps.ts"
import { assertValid } from "./Judged.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

/** Connects Medplum's published client, and keeps the raw texts of the answers. */
const connect = (accessToken: string) => {
  const texts: Array<string> = []
  const medplum = new MedplumClient({
    baseUrl: `${service.url}/`,
    fhirUrlPath: "api/fhir/R4",
    accessToken,
    fetch: async (url: string, options: RequestInit) => {
      const response = await fetch(url, options)
      const text = await response.text()
      texts.push(text)
      return new Response(text, response)
    }
  })
  return { medplum, texts }
}

/** Asserts that the pages hold each text exactly once, byte for byte, and nothing else. */
const assertSame = (pages: ReadonlyArray<string>, synchronised: ReadonlyArray<string>) =>
  assert.deepStrictEqual(pages.flatMap(textsOf).toSorted(), synchronised.toSorted())

/** Some records repeat a resource. If several have the same id, the veteran's phone sends only the first. */
const uniqueOf = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([type, all]) => [
      type,
      [...new Map(all.toReversed().map((text) => [JSON.parse(text).id, text])).values()]
    ])
  )

const categories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]

describe("MedplumClient", () => {
  test.each(patients)("reads what was synchronised for %s, by $everything and by search", async (patient) => {
    const veteran = await signInVeteran(service)
    const texts = uniqueOf(patientTexts(patient))
    const types = Object.keys(texts)
    await sync(service, veteran, Object.fromEntries(types.map((type) => [type, "complete"])), texts)
    const { headers } = await connectApp(service, owner, veteran, { categories })
    const token = headers.authorization.slice("Bearer ".length)
    const all = Object.values(texts).flat()

    const everything = connect(token)
    let next: string | undefined = everything.medplum.fhirUrl("Patient", veteran.id, "$everything").toString() +
      "?_count=500"
    while (next !== undefined) {
      const { link = [] }: { link?: Array<{ relation: string; url: string }> } = await everything.medplum.get(next)
      next = link.find(({ relation }) => relation === "next")?.url
    }
    assertSame(everything.texts, all)
    for (const page of everything.texts) assertValid(JSON.parse(page))

    if (!smallerPatients.includes(patient)) return
    for (const type of types) {
      const search = connect(token)
      for await (const _page of search.medplum.searchResourcePages(type as "Patient")) { /* Only keeps the texts. */ }
      assertSame(search.texts, texts[type]!)
    }
  })
})
