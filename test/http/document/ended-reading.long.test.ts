import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { beginAnswer } from "../../support/BegunAnswer.ts"
import { asAdmin, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { upload } from "../release/Releases.ts"

const { service } = await openApp()

test("A download under way breaks off when all access ends, by whomever and however slowly it is read", async () => {
  const veteran = await signInVeteran(service)
  const provider = await signInProvider(service)
  await giveGrant(service, veteran, provider, { includeDocuments: true })
  const { json: { id } } = await upload(
    service,
    veteran,
    Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(24_000_000)]),
    "large.pdf"
  )
  const shared = `/api/provider/patients/${veteran.id}/documents/${id}/content`
  const own = `/api/veteran/me/documents/${id}/content`
  const whole = await beginAnswer(service, "GET", shared, provider)
  await setTimeout(4_000)
  assert.isTrue((await whole.rest()).complete)
  const downloads = [await beginAnswer(service, "GET", shared, provider),
    await beginAnswer(service, "GET", own, veteran)]
  const ended = await call(service, "POST", `/api/admin/veterans/${veteran.id}/end-access`, { headers: asAdmin })
  assert.strictEqual(ended.json.grants, 1)
  await setTimeout(5_000)
  const rests = await Promise.all(downloads.map(({ rest }) => rest()))
  assert.deepStrictEqual(rests.map(({ complete }) => complete), [false, false])
}, 60_000)
