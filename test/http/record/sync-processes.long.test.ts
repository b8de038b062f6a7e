import { once } from "node:events"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { registerVeterans, type SignedIn, signIn } from "../../support/Client.ts"
import { isAwaited } from "../../support/Locks.ts"
import { inHand, isRunning, workerOf } from "../../support/Processes.ts"
import { postSync, resource, sync } from "../../support/Sync.ts"
import { logged, until } from "../../support/Until.ts"

const database = await openDatabase()

const service = await openService(database)

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const newVeteran = async () => signIn(service, (await registerVeterans(owner, 1))[0]!)

/** Both are too large to be read on the event loop. One is stored in a single step, the other in many. */
const [oneStep, manySteps] = [
  Array.from({ length: 100 }, (_, n) => resource("Goal", `${n}`, { version: "-".repeat(4000) })),
  Array.from({ length: 1000 }, (_, n) => resource("Goal", `${n}`, { version: "-".repeat(600) }))
]

type Texts = ReadonlyArray<string>

const post = (veteran: SignedIn, texts: Texts) => postSync(service, veteran, { Goal: "complete" }, { Goal: texts })

/** Runs `work` while a lock keeps every item from being stored. */
const whileStoringWaits = async <A>(work: (isWaiting: () => Promise<unknown>) => Promise<A>) => {
  const gate = await database.connect("superuser")
  await gate.query("begin; lock table health_record_items in share mode")
  try {
    return await work(() => until("it waits to store", () => isAwaited(superuser, "health_record_items")))
  } finally {
    await gate.query("rollback")
    await gate.end()
  }
}

const asked = async (veteran: SignedIn, texts: Texts, struck: () => Promise<unknown>) => {
  const answer = post(veteran, texts)
  await struck()
  return answer
}

/** The moments at which the process of a sync is killed. */
const moments: Readonly<Record<string, (veteran: SignedIn) => Promise<Awaited<ReturnType<typeof post>>>>> = {
  "before it has read anything": async (veteran) => {
    await sync(service, await newVeteran(), { Goal: "complete" }, { Goal: oneStep })
    const pid = workerOf(service, "syncs")
    process.kill(pid, "SIGSTOP")
    return asked(veteran, oneStep, async () => {
      await inHand(service, "syncs", 1)
      process.kill(pid, "SIGKILL")
    })
  },
  "while its first items are stored": (veteran) => killedWhileStoring(veteran, manySteps),
  "before it is asked for its last step": (veteran) => killedWhileStoring(veteran, oneStep)
}

const killedWhileStoring = async (veteran: SignedIn, texts: Texts) => {
  const { answer } = await whileStoringWaits(async (isWaiting) => {
    const answer = post(veteran, texts)
    await isWaiting()
    const pid = workerOf(service, "syncs")
    process.kill(pid, "SIGKILL")
    await until("it is dead", async () => !isRunning(pid))
    return { answer }
  })
  return answer
}

describe("The process that reads a sync", () => {
  test.each(Object.entries(moments))(
    "fails only that sync when it is killed %s: nothing is stored, and the next sync succeeds",
    async (_, killed) => {
      const veteran = await newVeteran()
      const { headers, json, status, text } = await killed(veteran)
      assert.deepStrictEqual([status, headers.get("retry-after"), json.error, json.message], [
        503,
        "1",
        "service_unavailable",
        "The service cannot reach something it needs. Try again in a moment."
      ], text)
      const { rows } = await superuser.query(
        `select fhir_sync_manifest as manifest,
           (select count(*)::int from health_record_items where veteran_id = v.id) as items
         from veterans v where id = $1`,
        [veteran.id]
      )
      assert.deepStrictEqual(rows, [{ manifest: {}, items: 0 }])
      const again = await post(veteran, oneStep)
      assert.deepInclude(again.json.results.Goal, { stored: oneStep.length }, again.text)
      await logged(service, "a worker process died: it was killed (SIGKILL)")
      assert.isNull(service.process.exitCode)
    }
  )

  test("causes a 503 if it dies after the database has ended the sync's idle transaction", async () => {
    const veteran = await newVeteran()
    const answer = await whileStoringWaits(async (isWaiting) => {
      const answer = post(veteran, manySteps)
      await isWaiting()
      process.kill(workerOf(service, "syncs"), "SIGSTOP")
      return { answer }
    })
    await until("the transaction was idle and is ended", async () => {
      const { rows } = await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'vrss' and state = 'idle in transaction'`
      )
      return rows.length > 0
    })
    process.kill(workerOf(service, "syncs"), "SIGKILL")
    const { json, status } = await answer.answer
    assert.deepStrictEqual([status, json.error], [503, "service_unavailable"])
  })

  test("ends when its service is killed during a sync", async () => {
    const other = await openService(database)
    const veteran = await signIn(other, (await registerVeterans(owner, 1))[0]!)
    await whileStoringWaits(async (isWaiting) => {
      const answer = postSync(other, veteran, { Goal: "complete" }, { Goal: manySteps }).catch(() => "cut")
      await isWaiting()
      const pid = workerOf(other, "syncs")
      other.process.kill("SIGKILL")
      assert.strictEqual(await answer, "cut")
      await until("it has ended", async () => !isRunning(pid))
    })
  })

  test("ignores SIGINT from the terminal, and ends with the service without a message", async () => {
    const other = await openService(database)
    const veteran = await signIn(other, (await registerVeterans(owner, 1))[0]!)
    await sync(other, veteran, { Goal: "complete" }, { Goal: oneStep })
    const pid = workerOf(other, "syncs")
    const ended = once(other.process, "exit")
    for (const each of [pid, other.process.pid!]) process.kill(each, "SIGINT")
    await ended
    assert.isFalse(isRunning(pid))
    assert.notInclude(other.output(), "worker process")
  })
})
