import { assert, test } from "vitest"
import { keepVaGrant, vaGrant } from "../../../web/veteran/connect/VaGrant.ts"

test("The VA's grant is the same each time that a screen is drawn, until it is let go or no longer counts", () => {
  const grant = { accessToken: "va-token", patientId: "ICN-1", expiresAt: Date.now() + 60_000 }
  keepVaGrant(grant)
  assert.deepStrictEqual([vaGrant(), vaGrant()], [grant, grant])
  keepVaGrant(undefined)
  assert.isUndefined(vaGrant())
  keepVaGrant({ ...grant, expiresAt: Date.now() - 1 })
  assert.isUndefined(vaGrant())
  keepVaGrant(undefined)
})
