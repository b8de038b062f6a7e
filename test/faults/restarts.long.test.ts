import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { giveLinks, giveSessions } from "../http/document/Copies.ts"
import { revokeLink, view } from "../http/link/Links.ts"
import { signed } from "../http/release/Releases.ts"
import { openService } from "../support/App.ts"
import { call } from "../support/Client.ts"
import { openMailbox } from "../support/Mailbox.ts"
import { until } from "../support/Until.ts"
import { assertAway, assertRecovered, assertRevokeCuts, openGround, openPeople, watchHealth } from "./Ground.ts"

const ground = await openGround()

const mailbox = await openMailbox()

const mail = { SMTP_URL: mailbox.url, MAIL_FROM: "records@example.org", ADMIN_EMAIL: "admin@example.org" }

const people = await openPeople(ground, mail)

const { service, veteran } = people

const other = await openService(ground.database, { ...mail, UPLOAD_DIR: join(service.directory, ".data/uploads") })

const { document } = await signed(service, veteran)

const { document: large } = await signed(service, veteran)

/** Makes links, each with one view session. */
const sharedLinks = async (count: number) => {
  const superuser = await ground.cluster.connect()
  const links = await giveLinks(service, superuser, { id: veteran.id, documentId: document.id }, count)
  const sessions = await giveSessions(service, superuser, links)
  await superuser.end()
  return links.map(({ id }, n) => ({ id, session: sessions[n]! }))
}

describe.each(
  [["stopped in order (fast)", "SIGINT"], ["stopped at once (immediate)", "SIGQUIT"], [
    "killed (kill -9)",
    "SIGKILL"
  ]] as const
)("When PostgreSQL is %s and started again", (_, signal) => {
  test("the process survives, its pools recover, and no act that was answered is lost", async () => {
    const stopWatching = watchHealth(people)
    const [toRevoke, toView] = [await sharedLinks(60), await sharedLinks(60)]
    const [revoked, viewed] = [new Set<string>(), new Set<string>()]
    const stops = new AbortController()
    const traffic = Promise.all([
      ...toRevoke.map(async (link) => {
        if ((await revokeLink(service, veteran, link)).status === 200) revoked.add(link.id)
      }),
      ...toView.map(async ({ session }) => {
        // On a busy machine, a view may be refused for want of time. Its session is not used then.
        for (let status = 503; status === 503 && !stops.signal.aborted;) {
          status = await view(service, session).then((answer) => answer.status, () => 0)
          if (status === 200) viewed.add(session)
          else await setTimeout(200)
        }
      })
    ])
    await until("some were answered", async () => revoked.size > 5 && viewed.size > 5)
    stops.abort()
    await ground.cluster.stop(signal)
    await traffic
    assert.isBelow(revoked.size + viewed.size, 120, "PostgreSQL ended amid the traffic")
    await assertAway(people)
    await ground.cluster.start()
    await assertRecovered(people, performance.now())
    const links = new Map<string, string>(
      (await listAll()).map(({ id, status }: { id: string; status: string }) => [id, status])
    )
    for (const id of revoked) assert.strictEqual(links.get(id), "disabled")
    for (const session of viewed) assert.strictEqual((await view(service, session)).error, "view_session_used")
    assert.deepStrictEqual(await stopWatching(), [200])
  })

  test("afterwards a revoke in another process still cuts a view, and mails are still sent", async () => {
    await assertRevokeCuts(ground, service, other, veteran, { documentId: large.id })
    const before = mailbox.mails.length
    assert.strictEqual(
      (await call(service, "POST", "/api/waitlist", { body: { email: `${signal}@example.org` } })).status,
      202
    )
    await until("the mail of a signup is sent", async () => mailbox.mails.length > before)
  })
})

/** Reads each page of the veteran's links. */
const listAll = async () => {
  const path = "/api/veteran/me/secure-links?limit=200"
  const items = []
  for (let cursor = "";;) {
    const { json } = await call(service, "GET", `${path}${cursor}`, veteran)
    items.push(...json.items)
    if (json.nextCursor === null) return items
    cursor = `&cursor=${json.nextCursor}`
  }
}
