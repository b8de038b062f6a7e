import { assert, describe, test } from "vitest"
import { signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { beginView, giveSessions, storeCopy } from "../document/Copies.ts"
import { revokeRelease, sign, signed } from "../release/Releases.ts"
import { createLink, revokeLink } from "./Links.ts"
import { openTwoProcesses } from "./TwoProcesses.ts"

const { database, home, one, other, superuser } = await openTwoProcesses()

const veteran = await signInVeteran(one)

/** The kernel cannot buffer this much, so the service must wait for its client in the middle of the document. */
const size = 24 * 1024 * 1024

const newRelease = async () => {
  const documentId: string = (await signed(one, veteran)).document.id
  return { documentId, whole: await storeCopy(home, superuser, documentId, size) }
}

/** The release of all links whose tests do not end it. */
const shared = await newRelease()

const viewable = async ({ documentId, whole } = shared) => {
  const link = await createLink(one, veteran, { documentId })
  const [session] = await giveSessions(home, superuser, [link])
  return { link, whole, session: session! }
}

/** Asserts that the answer ended after a part of the document. */
const assertPart = async (begun: Awaited<ReturnType<typeof beginView>>, whole: Buffer) => {
  const { bytes, complete } = await begun.rest()
  assert.deepStrictEqual([complete, bytes.equals(whole.subarray(0, bytes.length))], [false, true])
  assert.isBelow(bytes.length, size)
}

/** Begins a transfer in process `one`. The client reads 200 kB and then waits. */
const running = async (of?: Awaited<ReturnType<typeof viewable>>) => {
  const { link, session, whole } = of ?? await viewable()
  const begun = await beginView(one, session)
  await begun.receive(200_000)
  return {
    link,
    assertCut: () => assertPart(begun, whole),
    assertWhole: async () => assert.deepStrictEqual(await begun.rest(), { bytes: whole, complete: true })
  }
}

describe("A running stream", () => {
  test.each<readonly [string, () => Service]>([
    ["the same process", () => one],
    ["another process", () => other]
  ])("is cut when the veteran revokes its link through %s, and no other stream is cut", async (_, service) => {
    const [transfer, bystander] = [await running(), await running()]
    const { json, status } = await revokeLink(service(), veteran, transfer.link)
    assert.deepStrictEqual([status, json.status], [200, "disabled"])
    await transfer.assertCut()
    await bystander.assertWhole()
  })

  test("ends at a revoke even if its client reads nothing, and its end is stored", async () => {
    const { link } = await running()
    // This call takes long enough for the kernel's buffers to fill. Then the stream waits for its client.
    await createLink(one, veteran)
    await revokeLink(one, veteran, link)
    await until("its end is noted", async () => {
      const { rows } = await superuser.query("select transfer_id from secure_link_view_sessions where link_id = $1", [
        link.id
      ])
      return rows[0].transfer_id === null
    })
  })

  test.each<readonly [string, (document: string) => Promise<{ readonly status: number }>]>([
    ["revokes", (id) => revokeRelease(other, veteran, id)],
    ["replaces", (id) => sign(other, veteran, { supersedes: id })]
  ])("is cut when the veteran %s its release", async (_, end) => {
    const { assertCut, link } = await running(await viewable(await newRelease()))
    assert.include([200, 201], (await end(link.documentId)).status)
    await assertCut()
  })
})

describe("Once a process has lost the connection that reports revokes,", () => {
  const listening = async () => {
    const { rows } = await superuser.query(
      "select pid from pg_stat_activity where datname = current_database() and query ilike 'listen%'"
    )
    return rows.map(({ pid }) => Number(pid))
  }
  const end = (which: string) =>
    superuser.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and ${which}`, [
      database.name
    ])
  const admit = (connections: number) =>
    superuser.query(`alter database ${database.name} connection limit ${connections}`)
  const heardAgain = (lost: ReadonlyArray<number>) =>
    until("both listen again", async () => {
      const pids = await listening()
      return pids.length === 2 && !pids.some((pid) => lost.includes(pid))
    })

  test("a running stream is cut even if the process cannot reconnect; after it reconnects, revokes work again", async () => {
    const { assertCut } = await running()
    const lost = await listening()
    await admit(0)
    try {
      await end("application_name = 'vrss'")
      await assertCut()
    } finally {
      await admit(-1)
    }
    await heardAgain(lost)
    const later = await running()
    await revokeLink(other, veteran, later.link)
    await later.assertCut()
  })

  test("a stream that began and was revoked in the meantime is cut, or never begins", async () => {
    const [next, spare] = [await viewable(), (await viewable()).link]
    // This revoke makes both processes open the database connections that they need. `admit(0)` prevents more.
    await revokeLink(other, veteran, spare)
    const lost = await listening()
    await admit(0)
    try {
      await end("query ilike 'listen%'")
      // The process may notice its loss before the view begins, or while the answer's head is on its way.
      const begun = await beginView(one, next.session).catch(() => undefined)
      assert.include([200, 503, undefined], begun?.status)
      assert.strictEqual((await revokeLink(other, veteran, next.link)).status, 200)
      await admit(-1)
      await heardAgain(lost)
      if (begun?.status === 200) await assertPart(begun, next.whole)
      else assert.strictEqual((await beginView(one, next.session)).status, 410)
    } finally {
      await admit(-1)
    }
  })
})
