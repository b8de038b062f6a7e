import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { giveGrant, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { type Category, readRecord, resource, storedRows, sync, type Texts } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"
import { referring } from "./References.ts"

// An item that refers to a withheld item reveals something about it. So both are withheld (38 U.S.C. 7332).

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const open = async () => {
  const [veteran, provider] = [await signInVeteran(service), await newProvider(superuser)]
  await giveGrant(service, veteran, provider)
  return {
    veteran,
    /** Synchronises these types, each as complete. */
    take: (texts: Texts) =>
      sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts),
    /** Names what a provider without any category sees. */
    shown: async () => {
      const { sections } = (await readPatientRecord(service, provider, veteran)).json
      for (const { itemCount, items } of sections) assert.lengthOf(items, Math.min(itemCount, 50))
      return sections.flatMap(({ items }: any) => items.map((item: any) => `${item.resourceType}/${item.fhirId}`))
    },
    categories: async () =>
      Object.fromEntries(
        (await readRecord(service, veteran, { includeInactive: "true" })).items.map((item) => [
          `${item.resourceType}/${item.fhirId}`,
          item.sensitiveCategories
        ])
      )
  }
}

const encounter = (...categories: ReadonlyArray<Category>) => ({
  Encounter: [resource("Encounter", "e", { categories }), resource("Encounter", "other")]
})

const observation = (reference = "Encounter/e") => ({
  Observation: [referring("Observation", "o", [reference]), referring("Observation", "plain", ["Encounter/other"])]
})

const others = ["Encounter/other", "Observation/plain"]

const all = ["Encounter/e", "Encounter/other", "Observation/o", "Observation/plain"]

describe("An item that refers to a classified one", () => {
  test("is withheld when both come in one sync, and the veteran sees why", async () => {
    const { categories, shown, take } = await open()
    await take({ ...encounter("hiv"), ...observation() })
    assert.deepStrictEqual(await shown(), others)
    assert.deepStrictEqual(await categories(), {
      "Encounter/e": ["hiv"],
      "Encounter/other": [],
      "Observation/o": ["hiv"],
      "Observation/plain": []
    })
  })

  test("is withheld from the moment the classified item is stored", async () => {
    const { shown, take } = await open()
    await take(observation("https://x.example/fhir/Encounter/e/_history/4"))
    assert.deepStrictEqual(await shown(), ["Observation/o", "Observation/plain"])
    await take(encounter("hiv"))
    assert.deepStrictEqual(await shown(), others)
  })

  test("is withheld if the classified item was stored before", async () => {
    const { shown, take } = await open()
    await take(encounter("hiv"))
    await take(observation("URN:UUID:E"))
    assert.deepStrictEqual(await shown(), others)
  })

  test("is reclassified when the classification of its target changes or ends", async () => {
    const { categories, shown, take, veteran } = await open()
    await take({ ...encounter(), ...observation() })
    assert.deepStrictEqual(await shown(), all)
    const before = await storedRows(superuser, veteran.id)
    await take(encounter("hiv"))
    assert.deepStrictEqual(await shown(), others)
    await take(encounter("alcohol_abuse", "hiv"))
    assert.deepStrictEqual((await categories())["Observation/o"], ["alcohol_abuse", "hiv"])
    await take(encounter("alcohol_abuse"))
    assert.deepStrictEqual((await categories())["Observation/o"], ["alcohol_abuse"])
    await take(encounter())
    assert.deepStrictEqual(await shown(), all)
    // An unchanged item is not sealed again.
    const after = await storedRows(superuser, veteran.id)
    assert.deepStrictEqual(after[2]!.raw_ciphertext, before[2]!.raw_ciphertext)
  })

  test("is reclassified by its new target when its reference changes", async () => {
    const { shown, take } = await open()
    await take({ ...encounter("hiv"), ...observation() })
    await take(observation("Encounter/other"))
    assert.deepStrictEqual(await shown(), ["Encounter/other", "Observation/o", "Observation/plain"])
    await take(observation())
    assert.deepStrictEqual(await shown(), others)
  })

  test("stays withheld while the classified item is inactive, and when it is active again", async () => {
    const { categories, shown, take } = await open()
    const { Encounter: [classified, other] } = encounter("hiv")
    await take({ ...encounter("hiv"), ...observation() })
    await take({ Encounter: [other!] })
    assert.deepStrictEqual(await shown(), others)
    await take({ Encounter: [other!], Observation: [] })
    await take(observation())
    assert.deepStrictEqual(await shown(), others)
    await take({ Encounter: [classified!, other!] })
    assert.deepStrictEqual(await shown(), others)
    assert.deepStrictEqual((await categories())["Observation/o"], ["hiv"])
  })

  test("passes its categories on to the items that refer to it, also in circles", async () => {
    const { categories, shown, take } = await open()
    await take({
      Basic: [
        referring("Basic", "a", ["Basic/b"]),
        referring("Basic", "b", ["Basic/c"], { categories: ["sickle_cell"] }),
        referring("Basic", "c", ["Basic/a", "Encounter/e"]),
        referring("Basic", "d", ["Basic/d"]),
        // Others refer to this item, and it refers to none.
        resource("Basic", "f")
      ],
      Provenance: [referring("Provenance", "p", ["Basic/a", "Basic/f"])],
      ...encounter("hiv")
    })
    const both = ["hiv", "sickle_cell"]
    assert.deepStrictEqual(await shown(), ["Basic/d", "Basic/f", "Encounter/other"])
    assert.deepStrictEqual(await categories(), {
      "Basic/a": both,
      "Basic/b": both,
      "Basic/c": both,
      "Basic/d": [],
      "Basic/f": [],
      "Encounter/e": ["hiv"],
      "Encounter/other": [],
      "Provenance/p": both
    })
  })

  test("is not withheld because of another veteran's item", async () => {
    const [one, other] = [await open(), await open()]
    await one.take(encounter("hiv"))
    await other.take(observation())
    assert.deepStrictEqual(await other.shown(), ["Observation/o", "Observation/plain"])
  })
})

test("A chain of 2,000 items is withheld to its end by one sync", async () => {
  const { shown, take, veteran } = await open()
  const chain = Array.from({ length: 2000 }, (_, n) => referring("Basic", `${n}`, [`Basic/${n + 1}`]))
  await take({ Basic: chain })
  assert.lengthOf(await shown(), 50)
  await take({ Basic: [...chain, resource("Basic", "2000", { categories: ["hiv"] })] })
  assert.deepStrictEqual(await shown(), [])
  const { rows } = await superuser.query(
    `select category_set, items::int from health_record_counts where veteran_id = $1 order by 1`,
    [veteran.id]
  )
  assert.deepStrictEqual(rows, [{ category_set: 0, items: 0 }, { category_set: 4, items: 2001 }])
})
