import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { upload } from "../release/Releases.ts"

const { service } = await openApp()

/** Asks for a file and reads only its head. */
const begin = async (path: string, headers: Record<string, string>) => {
  const sent = request(`${service.url}${path}`, { headers })
  sent.on("error", () => {}).end()
  const [response] = await once(sent, "response")
  assert.strictEqual(response.statusCode, 200)
  response.on("error", () => {}).pause()
  /** Reads on. An answer that broke off is not whole. */
  return async () => {
    response.resume()
    await new Promise((closed) => response.once("close", closed))
    return response.complete as boolean
  }
}

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
  const whole = await begin(shared, provider.headers)
  await setTimeout(4_000)
  assert.isTrue(await whole())
  const downloads = [await begin(shared, provider.headers), await begin(own, veteran.headers)]
  const ended = await call(service, "POST", `/api/admin/veterans/${veteran.id}/end-access`, { headers: asAdmin })
  assert.strictEqual(ended.json.grants, 1)
  await setTimeout(5_000)
  assert.deepStrictEqual(await Promise.all(downloads.map((readOn) => readOn())), [false, false])
}, 60_000)
