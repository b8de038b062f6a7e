import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { sign } from "../release/Releases.ts"
import { createLink, step } from "./Links.ts"

const { database, service } = await openApp()

const veteran = await signInVeteran(service)

const link = await createLink(service, veteran, { documentId: (await sign(service, veteran)).json.document.id })

test("A locked link does not delay requests for other links", async () => {
  const blocker = await database.connect("superuser")
  await blocker.query("begin")
  await blocker.query("select from secure_links where id = $1 for update", [link.id])
  let isWaiting = true
  const opened = Promise.all(Array.from({ length: 6 }, () => step(service, "open", { token: link.token })))
    .finally(() => isWaiting = false)
  const others = await Promise.all(
    Array.from({ length: 12 }, () => call(service, "GET", "/api/veteran/me", { headers: veteran.headers }))
  )
  assert.deepStrictEqual([isWaiting, others.map(({ status }) => status)], [true, others.map(() => 200)])
  await blocker.query("rollback")
  await blocker.end()
  assert.isTrue((await opened).every(({ status }) => status === 200))
})
