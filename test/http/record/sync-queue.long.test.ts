import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, registerVeterans, type SignedIn, signIn } from "../../support/Client.ts"
import { inHand } from "../../support/Processes.ts"
import { postSync, resource, sync, syncBody, syncPath } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const newVeterans = async (count: number) =>
  Promise.all((await registerVeterans(owner, count)).map((veteran) => signIn(service, veteran)))

const conditions = { Condition: [resource("Condition", "a")] }

const post = (veteran: SignedIn) => postSync(service, veteran, { Condition: "complete" }, conditions)

/** Locks the rows of veterans, as another process's syncs would. Returns a function that releases the rows. */
const holdRows = async (veterans: ReadonlyArray<SignedIn>) => {
  const gate = await database.connect("superuser")
  await gate.query("begin")
  await gate.query("select from veterans where id = any ($1) for no key update", [veterans.map(({ id }) => id)])
  return () => gate.query("commit")
}

const waitingForRows = async () =>
  (await superuser.query(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'vrss' and wait_event_type = 'Lock'`
  )).rows[0].n as number

const sockets = new Set<ReturnType<typeof connect>>()

afterAll(() => sockets.forEach((socket) => socket.destroy()))

const body = syncBody({ Condition: "complete" }, conditions)

/** Begins a sync on a separate connection. The client sends the body when the test calls `send`. */
const begin = async ({ headers: { authorization } }: SignedIn) => {
  const socket = connect(Number(new URL(service.url).port), "localhost")
  sockets.add(socket)
  let received = ""
  socket.on("data", (chunk) => received += chunk).on("error", () => {})
  await once(socket, "connect")
  socket.write(
    `POST ${syncPath} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`
  )
  const hears = (text: string) => until(`it hears ${text}`, async () => received.includes(text))
  return { hears, received: () => received, send: () => socket.write(body) }
}

describe("Parallel syncs of one veteran", () => {
  test("are at most two: the second waits for the first, and the third is refused immediately", async () => {
    const [veteran] = await newVeterans(1)
    const release = await holdRows([veteran!])
    const answers = [post(veteran!), post(veteran!), post(veteran!)]
    const refused = await Promise.race(answers)
    assert.deepStrictEqual([refused.status, refused.json.error], [429, "rate_limited"])
    assert.deepStrictEqual(refused.json.retryAfterSeconds, Number(refused.headers.get("retry-after")))
    assert.isAtLeast(refused.json.retryAfterSeconds, 1)
    // Only one of the two accepted syncs has a database connection and waits for the row.
    await until("one waits for the row", async () => await waitingForRows() === 1)
    assert.strictEqual((await post(veteran!)).status, 429)
    assert.strictEqual(await waitingForRows(), 1)
    await release()
    const statuses = (await Promise.all(answers)).map(({ status }) => status).sort()
    assert.deepStrictEqual(statuses, [200, 200, 429])
    assert.strictEqual((await post(veteran!)).status, 200)
  })

  test("are read one after the other: the second sends its body after the first has ended", async () => {
    const [veteran, other] = await newVeterans(2)
    const first = await begin(veteran!)
    await first.hears("100 Continue")
    const both = [await begin(veteran!), await begin(veteran!)]
    const isRefused = ({ received }: typeof first) => received().startsWith("HTTP/1.1 429")
    await until("a third is refused without its body", async () => both.some(isRefused))
    const second = both.find((one) => !isRefused(one))!
    assert.strictEqual((await post(other!)).status, 200)
    assert.strictEqual(second.received(), "")
    first.send()
    await first.hears("HTTP/1.1 200")
    await second.hears("100 Continue")
    second.send()
    await second.hears("HTTP/1.1 200")
  })
})

describe("Syncs of many veterans that all wait for locked rows", () => {
  test("leave database connections free: these veterans and others can still read", async () => {
    const veterans = await newVeterans(12)
    const [bystander] = await newVeterans(1)
    await sync(service, bystander!, { Condition: "complete" }, conditions)
    const release = await holdRows(veterans)
    const answers = veterans.map((veteran) => post(veteran))
    const waiting = await until("they wait", waitingForRows)
    assert.isAtMost(waiting, 3)
    const paths = ["", "/documents", "/health-record", "/self-reported-entries", "/roi/readiness"]
    for (const veteran of [bystander!, ...veterans.slice(0, 3)]) {
      const read = await Promise.all(
        paths.map((path) => call(service, "GET", `/api/veteran/me${path}`, { headers: veteran.headers }))
      )
      assert.deepStrictEqual(read.map(({ status }) => status), paths.map(() => 200))
    }
    assert.isAtMost(await waitingForRows(), 3)
    await release()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    assert.deepStrictEqual(statuses, veterans.map(() => 200))
  })
})

/** Too large to be read on the event loop, which reads less than 256 KiB. */
const large = Array.from({ length: 2000 }, (_, n) => resource("Condition", `${n}`, { version: "-".repeat(1000) }))

const postLarge = (veteran: SignedIn) => postSync(service, veteran, { Condition: "complete" }, { Condition: large })

describe("Long syncs of four veterans", () => {
  test("do not delay small syncs of other veterans", async () => {
    const veterans = await newVeterans(4)
    const release = await holdRows(veterans)
    const answers = veterans.map(postLarge)
    await until("two have the places of large ones", async () => await waitingForRows() === 2)
    for (const bystander of await newVeterans(5)) assert.strictEqual((await post(bystander)).status, 200)
    assert.strictEqual(await waitingForRows(), 2)
    await release()
    assert.deepStrictEqual((await Promise.all(answers)).map(({ status }) => status), [200, 200, 200, 200])
  })

  test("that are repeated leave room for large and small syncs of other veterans", async () => {
    const over = new AbortController()
    const statuses: Array<number> = []
    const four = (await newVeterans(4)).map(async (veteran) => {
      for (let n = 0; n < 5 && !over.signal.aborted; n++) statuses.push((await postLarge(veteran)).status)
    })
    await until("they have begun", async () => statuses.length > 0)
    const [first, ...others] = await newVeterans(5)
    const whole = postLarge(first!)
    for (const bystander of others) assert.strictEqual((await post(bystander)).status, 200)
    assert.strictEqual((await whole).status, 200)
    over.abort()
    await Promise.all(four)
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
  })
})

/** Their transaction takes half a minute. */
const slow = large.with(0, resource("Condition", "slow-1")).with(1000, resource("Condition", "slow-2"))

const sleeping = async () =>
  (await superuser.query(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'vrss' and wait_event = 'PgSleep'`
  )).rows[0].n as number

describe("Two syncs that take half a minute", () => {
  test("leave a place after 20 seconds to another one: 503, and the first of them stored nothing", {
    timeout: 120_000
  }, async () => {
    await superuser.query(`
      create function slow_insert() returns trigger language plpgsql as
        $$ begin perform pg_sleep(14); return new; end $$;
      create trigger sleep before insert on health_record_items for each row when (new.fhir_id like 'slow-%')
        execute function slow_insert()`)
    const veterans = await newVeterans(2)
    const [bystander] = await newVeterans(1)
    const answers = []
    for (const veteran of veterans) {
      answers.push(postSync(service, veteran, { Condition: "complete" }, { Condition: slow }))
      await until("it is at work", async () => await sleeping() === answers.length)
    }
    assert.strictEqual((await postLarge(bystander!)).status, 200)
    const refused = await answers[0]!
    assert.deepStrictEqual([refused.status, refused.headers.get("retry-after"), refused.json.error], [
      503,
      "10",
      "service_unavailable"
    ])
    await until("its transaction is over", async () => await sleeping() < 2)
    await inHand(service, "syncs", 1)
    assert.strictEqual((await answers[1]!).status, 200)
    await superuser.query("drop function slow_insert cascade")
    const path = "/api/veteran/me/health-record"
    assert.deepStrictEqual((await call(service, "GET", path, { headers: veterans[0]!.headers })).json.items, [])
    assert.strictEqual(
      (await postSync(service, veterans[0]!, { Condition: "complete" }, { Condition: slow })).status,
      200
    )
  })
})

describe("A sync in a separate process", () => {
  test("has the usual result if it is small and runs there only because the record has many items", async () => {
    const [veteran] = await newVeterans(1)
    const goals = Array.from({ length: 10_100 }, (_, n) => resource("Goal", `g-${n}`))
    await sync(service, veteran!, { Goal: "complete", Condition: "complete" }, { Goal: goals, ...conditions })
    const fewer = await sync(service, veteran!, { Goal: "complete" }, {
      Goal: [...goals.slice(0, 9), resource("Goal", "n")]
    })
    assert.deepInclude(fewer.json.results.Goal, { stored: 1, unchanged: 9, deactivated: 10_091 })
    const again = await sync(service, veteran!, { Goal: "complete" }, { Goal: goals.slice(0, 20) })
    assert.deepInclude(again.json.results.Goal, { stored: 11, unchanged: 9, deactivated: 1 })
    const refused = await postSync(service, veteran!, { Goal: "complete" }, { Goal: [goals[0]!, "1"] })
    assert.deepStrictEqual(
      [refused.status, refused.json.issues],
      [400, [{ path: ["resources", "Goal", 1], message: "Expected a FHIR resource" }]]
    )
  })
})

describe("The resource types of a veteran", () => {
  const names = Array.from({ length: 501 }, (_, n) => `T${String.fromCharCode(97 + n / 26, 97 + n % 26)}`)

  const statuses = (types: ReadonlyArray<string>) => Object.fromEntries(types.map((type) => [type, "complete"]))

  test("are at most 500, including those of earlier syncs, because every manifest names them all", async () => {
    const [veteran, other] = await newVeterans(2)
    const issues = [{
      path: ["fhirResourceFetchStatuses"],
      message: "Expected at most 500 types, with those stored"
    }]
    const atOnce = await postSync(service, veteran!, statuses(names))
    assert.deepStrictEqual([atOnce.status, atOnce.json.issues], [400, issues])
    await sync(service, other!, statuses(names.slice(0, 500)))
    const oneMore = await postSync(service, other!, statuses(names.slice(500)))
    assert.deepStrictEqual([oneMore.status, oneMore.json.issues], [400, issues])
  })
})
