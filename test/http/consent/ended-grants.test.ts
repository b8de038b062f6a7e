import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, giveGrant, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { insertEnded } from "./EndedGrants.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

test("Lists show the newest 2,000 grants that have ended, and every active one", async () => {
  const veteran = await signInVeteran(service)
  const provider = await newProvider(superuser)
  const { id: oldest } = await giveGrant(service, veteran, provider)
  const shown = (await insertEnded(superuser, veteran, provider, 2005)).slice(0, 2000)
  const { id: newest } = await giveGrant(service, veteran, provider)
  const listed = async (path: string) => {
    const ids: Array<string> = []
    for (let more = "&limit=200"; more !== "";) {
      const { json } = await call(service, "GET", `/api/veteran/me/${path}${more}`, { headers: veteran.headers })
      ids.push(...json.items.map(({ id }: any) => id))
      more = json.nextCursor === null ? "" : `&limit=150&cursor=${json.nextCursor}`
    }
    return ids
  }
  assert.deepStrictEqual(await listed("consent-grants?"), [newest, ...shown, oldest])
  assert.deepStrictEqual(await listed("sharing?status=ended"), shown)
  assert.deepStrictEqual(await listed("sharing?"), [newest, oldest])
})
