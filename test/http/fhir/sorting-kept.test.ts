import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { seededRandom } from "../../support/Random.ts"
import { resource, sync } from "../../support/Sync.ts"
import { connectApp, fhir, get, idsOf, observation, syncAndConnect } from "./Apps.ts"

const { database, service } = await openApp()

const another = await openService(database, { OAUTH_ISSUER: `${service.url}/api/oauth` })

const [owner, superuser] = [await database.connect("owner"), await database.connect("superuser")]

type Answer = Awaited<ReturnType<typeof get>>

const nextOf = ({ json }: Answer): string | undefined => {
  const url: string | undefined = json.link.find(({ relation }: any) => relation === "next")?.url
  return url?.slice(url.indexOf(fhir) + fhir.length)
}

const dated = (id: string, date: number | undefined, members: object = {}) =>
  observation(id, { ...members, ...date !== undefined && { effectiveDateTime: `${date}` } })

describe("The order of a sorted search is kept for its next page", () => {
  test("which opens no other item; another process, and another order, open all again", async () => {
    const texts = Array.from({ length: 9 }, (_, n) => dated(`i${n}`, 2000 + n))
    const { app, veteran } = await syncAndConnect(service, owner, { Observation: texts })
    const first = await get(service, app, "/Observation?_sort=-date&_count=3")
    assert.deepStrictEqual(idsOf(first), ["i8", "i7", "i6"])
    const next = nextOf(first)!
    assert.deepStrictEqual(idsOf(await get(another, app, next)), ["i5", "i4", "i3"])
    await superuser.query(
      `update health_record_items set raw_ciphertext = set_byte(raw_ciphertext, 30, 255 - get_byte(raw_ciphertext, 30))
       where veteran_id = $1 and fhir_id = 'i0'`,
      [veteran.id]
    )
    const second = await get(service, app, next)
    assert.deepStrictEqual([second.status, idsOf(second)], [200, ["i5", "i4", "i3"]])
    assert.strictEqual((await get(service, app, next)).status, 200)
    assert.strictEqual((await get(service, app, nextOf(second)!)).status, 500, "the item itself cannot be opened")
    assert.strictEqual((await get(service, app, "/Observation?_sort=date&_count=3")).status, 500)
    // Another token of the grant may be allowed less.
    const other = await connectApp(service, owner, veteran)
    assert.strictEqual((await get(service, other, next)).status, 400)
  })

  test("and is not used when the grant has ended", async () => {
    const texts = Array.from({ length: 4 }, (_, n) => dated(`i${n}`, 2000 + n))
    const { app } = await syncAndConnect(service, owner, { Observation: texts })
    const next = nextOf(await get(service, app, "/Observation?_sort=date&_count=2"))!
    await superuser.query("update consent_grants set status = 'revoked', revoked_at = now() where id = $1", [
      app.grantId
    ])
    assert.strictEqual((await get(service, app, next)).status, 401)
  })

  test.each([1, 2, 3, 4, 5, 6])(
    "and gives the same pages as an order made anew, with syncs between them: %i",
    async (seed) => {
      const random = seededRandom(seed)
      const roll = (sides: number) => Math.floor(random() * sides)
      const newItem = () => ({
        date: roll(5) === 0 ? undefined : 2000 + roll(6),
        status: roll(3) === 0 ? "amended" : "final",
        isWithheld: roll(4) === 0
      })
      const record = new Map<string, ReturnType<typeof newItem>>(
        Array.from({ length: 12 }, (_, n) => [`i${n}`, newItem()])
      )
      const texts = () =>
        Array.from(record, ([id, { date, isWithheld, status }]) => {
          const { meta } = JSON.parse(resource("Observation", id, { categories: isWithheld ? ["hiv"] : [] }))
          return dated(id, date, { status, meta })
        })
      const { app, veteran } = await syncAndConnect(service, owner, { Observation: texts() })
      const descending = roll(2) === 0
      const isNarrowed = roll(2) === 0
      const compare = (one: readonly [string, number | undefined], other: readonly [string, number | undefined]) =>
        one[1] === other[1]
          ? (one[0] <= other[0] ? -1 : 1)
          : one[1] === undefined
          ? 1
          : other[1] === undefined
          ? -1
          : (one[1] - other[1]) * (descending ? -1 : 1)
      const start = `/Observation?_sort=${descending ? "-" : ""}date&_count=3${isNarrowed ? "&status=final" : ""}`
      let [path, last]: [string, readonly [string, number | undefined] | undefined] = [start, undefined]
      let syncs = 1
      for (let step = 0; step < 12; step++) {
        // A veteran has six syncs a minute.
        if (roll(3) === 0 && syncs++ < 6) {
          const id = `i${roll(14)}`
          if (roll(4) === 0) record.delete(id)
          else record.set(id, newItem())
          await sync(service, veteran, { Observation: "complete" }, { Observation: texts() })
        }
        const visible = Array.from(record).flatMap(([id, { date, isWithheld, status }]) =>
          isWithheld || isNarrowed && status !== "final" ? [] : [[id, date] as const]
        )
        const wanted = visible.filter((one) => last === undefined || compare(one, last) > 0).sort(compare)
        const answer = await get(service, app, path)
        assert.deepStrictEqual(idsOf(answer), wanted.slice(0, 3).map(([id]) => id))
        const next = nextOf(answer)
        assert.strictEqual(next !== undefined, wanted.length > 3)
        ;[path, last] = next === undefined ? [start, undefined] : [next, wanted[2]]
      }
    }
  )
})
