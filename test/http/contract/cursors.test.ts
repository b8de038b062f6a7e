import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, signInVeteran } from "../../support/Client.ts"

const { service } = await openApp()

test("A cursor with added text or in another spelling is answered 400", async () => {
  await signInVeteran(service)
  await signInVeteran(service)
  const page = (cursor: string) =>
    call(service, "GET", `/api/admin/veterans?limit=1&cursor=${encodeURIComponent(cursor)}`, { headers: asAdmin })
  const first = await call(service, "GET", "/api/admin/veterans?limit=1", { headers: asAdmin })
  const cursor: string = first.json.nextCursor
  assert.strictEqual((await page(cursor)).status, 200)
  for (
    const changed of [`${cursor}.junk`, `${cursor}.`, `${cursor}=`, cursor.replace(".", "=."),
      cursor.replace(".", "..")]
  ) {
    const answer = await page(changed)
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"], changed)
  }
})
