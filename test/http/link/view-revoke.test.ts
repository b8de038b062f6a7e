import { assert, test } from "vitest"
import { signInVeteran } from "../../support/Client.ts"
import { giveSessions } from "../document/Copies.ts"
import { challenge, createLink, revokeLink, step, verified, view } from "./Links.ts"
import { onPage, raceRevokes } from "./RevokeRaces.ts"
import { openTwoProcesses } from "./TwoProcesses.ts"

const { home, one, other, superuser } = await openTwoProcesses()

test("A revoke blocks open, otp, verify, view and resume, even with earlier codes and sessions", async () => {
  const veteran = await signInVeteran(one)
  const link = await createLink(one, veteran)
  const [viewed, fresh] = await giveSessions(home, superuser, [link, link])
  assert.strictEqual((await view(one, viewed!)).status, 200)
  const got = await verified(one, link)
  await superuser.query("update secure_link_otps set created_at = created_at - interval '31 seconds'")
  const code = await challenge(one, link)
  assert.strictEqual((await revokeLink(one, veteran, link)).status, 200)
  for (const service of [one, other]) {
    const { token } = link
    const steps = await Promise.all([
      step(service, "open", { token }),
      step(service, "otp", { token }),
      step(service, "otp/verify", { token, ...code }),
      step(service, "view", { viewSession: got }),
      step(service, "view", { viewSession: fresh }),
      step(service, "view", { viewSession: fresh, offset: 0 }),
      step(service, "view", { viewSession: viewed, offset: 0 })
    ])
    assert.deepStrictEqual(
      steps.map(({ json, status }) => [status, json?.error]),
      steps.map(() => [410, "link_disabled"])
    )
  }
})

test("In 40 races of a view and a revoke, no view sends its first byte after the revoke has answered", () =>
  raceRevokes({ home, one, other, superuser }, 40, onPage))
