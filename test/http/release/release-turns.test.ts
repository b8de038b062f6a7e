import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { turnsOf } from "../../support/Locks.ts"
import { until } from "../../support/Until.ts"
import { release, sign } from "./Releases.ts"

const { database, service: first } = await openApp()

const second = await openService(database)

const owner = await database.connect("owner")

/** Delays all signing for the veteran while `work` runs. */
const whileSigningWaits = async <A>(veteranId: string, work: () => Promise<A>): Promise<A> => {
  const holder = await database.connect("owner")
  await holder.query("begin")
  await holder.query("select from veterans where id = $1 for update", [veteranId])
  return work().finally(() => holder.query("commit"))
}

const turnsTaken = (veteran: SignedIn, count: number) =>
  until(`${count} turns are taken`, async () => await turnsOf(owner, veteran.id) === count)

const releasesOf = async ({ headers }: SignedIn) =>
  (await call(first, "GET", "/api/veteran/me/documents", { headers })).json.items.length

describe("A veteran signs one release at a time, even in several processes,", () => {
  test("so a second request waits and a third is refused, in any process", async () => {
    const veteran = await signInVeteran(first)
    const [signing, waiting, refused] = await whileSigningWaits(veteran.id, async () => {
      const signing = sign(first, veteran)
      await turnsTaken(veteran, 1)
      const waiting = sign(second, veteran)
      await turnsTaken(veteran, 2)
      const refused = [await sign(first, veteran), await sign(second, veteran)]
      assert.strictEqual(await releasesOf(veteran), 0)
      // Other veterans do not wait.
      assert.strictEqual((await sign(second, await signInVeteran(second))).status, 201)
      return [signing, waiting, refused] as const
    })
    for (const answer of refused) {
      const { requestId, ...body } = answer.json
      assert.deepStrictEqual([answer.status, answer.headers.get("retry-after"), body], [429, "2", {
        error: "rate_limited",
        message: "Too many requests: wait as many seconds as 'retryAfterSeconds' says.",
        retryAfterSeconds: 2
      }])
      assert.isString(requestId)
    }
    assert.deepStrictEqual([(await signing).status, (await waiting).status], [201, 201])
    assert.strictEqual(await releasesOf(veteran), 2)
    await turnsTaken(veteran, 0)
    assert.strictEqual((await sign(second, veteran)).status, 201)
  })

  test("and each of twelve parallel requests to two processes is signed and stored, or refused", async () => {
    const veteran = await signInVeteran(first)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => sign(n % 2 ? first : second, veteran)))
    const statuses = answers.map(({ status }) => status)
    assert.deepStrictEqual(statuses.filter((status) => status !== 201 && status !== 429), [])
    assert.strictEqual(await releasesOf(veteran), statuses.filter((status) => status === 201).length)
    await turnsTaken(veteran, 0)
  })

  test("and a client that hangs up while waiting frees its place", async () => {
    const veteran = await signInVeteran(first)
    const { signing } = await whileSigningWaits(veteran.id, async () => {
      const signing = sign(first, veteran)
      await turnsTaken(veteran, 1)
      const gone = new AbortController()
      const hung = fetch(`${second.url}/api/veteran/me/roi`, {
        method: "POST",
        headers: { ...veteran.headers, "content-type": "application/json" },
        body: JSON.stringify(release()),
        signal: gone.signal
      }).catch(() => "gone")
      await turnsTaken(veteran, 2)
      gone.abort()
      assert.strictEqual(await hung, "gone")
      await turnsTaken(veteran, 1)
      return { signing }
    })
    assert.strictEqual((await signing).status, 201)
    await turnsTaken(veteran, 0)
  })

  // The last test: it ends the second process.
  test("and a process that dies frees its turn", async () => {
    const veteran = await signInVeteran(first)
    await whileSigningWaits(veteran.id, async () => {
      const lost = sign(second, veteran).catch(() => "lost")
      await turnsTaken(veteran, 1)
      await second.stop("SIGKILL")
      assert.strictEqual(await lost, "lost")
      await turnsTaken(veteran, 0)
    })
    assert.strictEqual((await sign(first, veteran)).status, 201)
  })
})
