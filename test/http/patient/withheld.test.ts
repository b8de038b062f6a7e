import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { type Category, resource, sync } from "../../support/Sync.ts"
import { listPatients, readPatientRecord } from "../Sharing.ts"

// 38 U.S.C. 7332(a)(2): two veterans who differ only in withheld items look the same to the provider.

const { database, service } = await openApp()

const owner = await database.connect("owner")

/** A step syncs one type with the status `fetch`. It says whether withheld items and shown items are sent. */
interface Step {
  readonly fetch: string
  readonly withheld: boolean
  readonly shown: boolean
}

const steps: ReadonlyArray<Step> = [
  { fetch: "complete", withheld: true, shown: false },
  { fetch: "complete", withheld: true, shown: true },
  { fetch: "partial", withheld: true, shown: false },
  { fetch: "partial", withheld: true, shown: true },
  { fetch: "empty", withheld: false, shown: false },
  { fetch: "unavailable", withheld: false, shown: false }
]

/**
 * Each sequence of three syncs has a separate resource type: `Typeabc` goes through steps 0, 1 and 2. A third of the
 * sequences is enough: each two steps are followed by two others.
 */
const sequences = steps.flatMap((_, a) => steps.flatMap((_, b) => steps.map((_, c) => [a, b, c])))
  .filter(([a, b, c]) => (a! + b! + c!) % 3 === 0)

const types = sequences.map((sequence) => ({
  name: `Type${sequence.map((step) => "abcdef"[step]).join("")}`,
  sequence: sequence.map((step) => steps[step]!)
}))

const withheldAs = (type: string, ...categories: ReadonlyArray<Category>) => [
  resource(type, "a-withheld", { categories }),
  resource(type, "n-withheld", { categories })
]

const syncStep = (veteran: SignedIn, at: number, categories: ReadonlyArray<Category>) =>
  sync(
    service,
    veteran,
    Object.fromEntries(types.map(({ name, sequence }) => [name, sequence[at]!.fetch])),
    Object.fromEntries(types.map(({ name, sequence }) => {
      const { shown, withheld } = sequence[at]!
      const hidden = withheld && categories.length > 0 ? withheldAs(name, ...categories) : []
      return [name, [...hidden, ...shown ? ["g", "z"].map((id) => resource(name, id)) : []]]
    }))
  )

/** Blanks ids and times without changing their lengths. Decodes cursors, which may hold a time, without signatures. */
const normalised = (text: string) =>
  text
    .replaceAll(
      /("nextCursor":")([\w-]+)\.[\w-]{22}"/g,
      (_, member: string, position: string) => `${member}${Buffer.from(position, "base64url").toString()}"`
    )
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "00000000-0000-0000-0000-000000000000")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "0000-00-00T00:00:00.000Z")

const looks = async (provider: SignedIn, veteran: SignedIn) => {
  const answers = [
    await listPatients(service, provider),
    await readPatientRecord(service, provider, veteran),
    await readPatientRecord(service, provider, veteran, "?limit=1"),
    await readPatientRecord(service, provider, veteran, `?resourceType=${types[0]!.name}&limit=1`),
    await listPatients(service, provider),
    ...await Promise.all(
      ["", "?limit=1", "?since=2020-01-01T00:00:00Z"].map((query) =>
        call(service, "GET", `/api/provider/patients/${veteran.id}/record/changes${query}`, {
          headers: provider.headers
        })
      )
    )
  ]
  return answers.map(({ status, text }) => ({
    status,
    // The compressed length is not compared, because it depends on ids and times.
    length: Buffer.byteLength(text),
    text: normalised(text)
  }))
}

const withCategories: ReadonlyArray<readonly [withheld: ReadonlyArray<Category>, granted: ReadonlyArray<Category>]> = [
  [["hiv"], []],
  [["hiv"], ["sickle_cell", "alcohol_abuse"]],
  [["hiv", "alcohol_abuse"], ["alcohol_abuse"]]
]

describe("A veteran with items that a grant withholds", () => {
  test.each(withCategories)(
    "looks like a veteran without them (%j, granted %j) after each sync of each sequence",
    async (withheld, granted) => {
      const pair = await Promise.all([withheld, []].map(async (categories) => {
        const [veteran, provider] = [await signInVeteran(service), await newProvider(owner)]
        await giveGrant(service, veteran, provider, { sensitiveCategories: granted })
        return { categories, provider, veteran }
      }))
      for (const at of [0, 1, 2]) {
        const [one, other] = await Promise.all(pair.map(async ({ categories, provider, veteran }) => {
          await syncStep(veteran, at, categories)
          return looks(provider, veteran)
        }))
        assert.deepStrictEqual(one, other)
      }
    }
  )

  test("looks different to a provider to whom the items are granted", async () => {
    const [veteran, provider] = [await signInVeteran(service), await newProvider(owner)]
    await giveGrant(service, veteran, provider, { sensitiveCategories: ["hiv", "alcohol_abuse"] })
    await syncStep(veteran, 0, ["hiv", "alcohol_abuse"])
    const { sections } = (await readPatientRecord(service, provider, veteran)).json
    const counts = new Map(sections.map(({ itemCount, resourceType }: any) => [resourceType, itemCount]))
    const shown = types.map(({ sequence: [first] }) => (first!.withheld ? 2 : 0) + (first!.shown ? 2 : 0))
    assert.deepStrictEqual(types.map(({ name }) => counts.get(name)), shown)
  })

  // If each UUIDv7 id were the previous id plus one (RFC 9562, 6.2), neighbours here would differ by three. That would
  // reveal the two withheld items between them.
  test("has item ids that do not reveal how many other items were stored between them", async () => {
    const [veteran, provider] = [await signInVeteran(service), await newProvider(owner)]
    await giveGrant(service, veteran, provider)
    const texts = Array.from(
      { length: 90 },
      (_, n) => resource("Condition", `c${`${n}`.padStart(2, "0")}`, { categories: n % 3 === 0 ? [] : ["hiv"] })
    )
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const { sections: [{ items }] } = (await readPatientRecord(service, provider, veteran)).json
    const tails = items.map(({ id }: { id: string }) => BigInt(`0x${id.replaceAll("-", "").slice(13, 24)}`))
    const gaps = tails.slice(1).map((tail: bigint, n: number) => tail - tails[n])
    assert.strictEqual(gaps.length, 29)
    assert.deepStrictEqual(gaps.filter((gap: bigint) => gap >= -1000n && gap <= 1000n), [])
  })

  // A sync stores 250 items in a batch.
  test("has item ids with one timestamp for a whole sync, so they do not reveal in which batch an item was stored", async () => {
    const [veteran, provider] = [await signInVeteran(service), await newProvider(owner)]
    await giveGrant(service, veteran, provider)
    const texts = Array.from(
      { length: 600 },
      (_, n) => resource("Condition", `c${`${n}`.padStart(4, "0")}`, { categories: n % 6 === 0 ? [] : ["hiv"] })
    )
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const { sections: [{ items }] } = (await readPatientRecord(service, provider, veteran, "?limit=200")).json
    assert.strictEqual(items.length, 100)
    assert.strictEqual(new Set(items.map(({ id }: { id: string }) => id.slice(0, 13))).size, 1)
  })

  test("sees the items in their own record", async () => {
    const veteran = await signInVeteran(service)
    const synced = await sync(service, veteran, { Condition: "complete" }, {
      Condition: withheldAs("Condition", "hiv")
    })
    assert.strictEqual(synced.json.manifest.Condition.itemCount, 2)
  })
})
