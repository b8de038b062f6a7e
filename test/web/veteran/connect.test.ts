import { assert, test } from "vitest"
import { enterVeteranApp, newVeteran, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

test("A veteran signs in at the VA, and the address is clean", async () => {
  const veteran = await newVeteran(app)
  const { page } = await enterVeteranApp(app, veteran)
  assert.strictEqual(page.url(), `${app.url}/`)
})
