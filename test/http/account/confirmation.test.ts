import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { newAuthenticator } from "../../support/Authenticator.ts"
import { type Answer, bearer, call, signIn, told } from "../../support/Client.ts"
import { atVa, letConfirmationPass, newDevice, prove, renew, signInByVa, signInDevice } from "../../support/Device.ts"
import { addPasskey, appOrigin, confirmByPasskey, newPasskey, signInByPasskey } from "../../support/Passkeys.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { newSubject } from "../../support/VaIssuer.ts"
import { sign } from "../release/Releases.ts"

/** Which routes of a veteran want a confirmed session (contract, part 14.2). */

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const me = "/api/veteran/me"

type Session = Awaited<ReturnType<typeof signInDevice>>

const post = (path: string, headers: Record<string, string>, body?: unknown) =>
  call(service, "POST", `${me}${path}`, { headers, ...(body === undefined ? {} : { body }) })

/** Another account of the VA, beside the first one. */
const addAccount = async ({ device, headers }: Session) => {
  const signedIn = await atVa(service, va, device, { subject: newSubject() })
  return prove(service, device, `${me}/identities`, signedIn.challenge, signedIn, headers)
}

/** The last two end all sharing, and the session. */
const marked: Record<string, (session: Session) => Promise<Answer>> = {
  "POST /roi": ({ headers, person }) => sign(service, { id: person.id, headers, token: "" }),
  "POST /passkeys": ({ headers }) => addPasskey(service, headers, newAuthenticator({ origin: appOrigin })),
  "POST /identities": addAccount,
  "POST /email": ({ headers }) => post("/email", headers, { email: `new-${randomUUID()}@example.org` }),
  "POST /exports": ({ headers }) => post("/exports", headers),
  "POST /deletion": ({ headers }) => post("/deletion", headers, { confirm: "Eagle" }),
  "POST /identities/{id}/remove": async ({ headers }) => {
    const { json: { items } } = await call(service, "GET", `${me}/identities`, { headers })
    return post(`/identities/${items[0].id}/remove`, headers)
  }
}

describe("A session", () => {
  test("that was confirmed more than five minutes ago does none of what is marked, until a passkey confirms", async () => {
    const session = await signInDevice(service, va)
    const { device, headers, person, sessionId } = session
    const passkey = await newPasskey(service, headers)
    await letConfirmationPass(superuser, sessionId)
    // A renewal confirms nothing.
    const renewed = await renew(service, device, sessionId)
    assert.deepStrictEqual([renewed.status, renewed.json.confirmedUntil], [200, null])
    const exchanged = await signIn(service, person)
    for (const [name, act] of Object.entries(marked)) {
      assert.deepStrictEqual(told(await act(session)), [403, "confirmation_required"], name)
      // A token of the session exchange has no session that could be confirmed, and may sign releases.
      if (name === "POST /roi") continue
      assert.deepStrictEqual(told(await act({ ...session, ...exchanged })), [403, "confirmation_required"], name)
    }
    const { json: { confirmedUntil } } = await confirmByPasskey(service, device, headers, passkey)
    assert.strictEqual((await renew(service, device, sessionId)).json.confirmedUntil, confirmedUntil)
    const done: Array<unknown> = []
    for (const [name, act] of Object.entries(marked)) done.push([name, (await act(session)).status])
    assert.deepStrictEqual(done, [
      ["POST /roi", 201],
      ["POST /passkeys", 201],
      ["POST /identities", 201],
      ["POST /email", 202],
      ["POST /exports", 200],
      ["POST /deletion", 202],
      ["POST /identities/{id}/remove", 204]
    ])
  })

  test("that began by a passkey is confirmed as one of the VA is", async () => {
    const { headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const device = await newDevice()
    const { json } = await signInByPasskey(service, device, passkey)
    const session = { person, device, sessionId: json.sessionId, access: json, headers: bearer(json.accessToken) }
    for (const name of ["POST /roi", "POST /passkeys", "POST /identities", "POST /email", "POST /deletion"]) {
      assert.oneOf((await marked[name]!(session)).status, [201, 202], name)
    }
  })

  test("that is not confirmed takes access away", async () => {
    const session = await signInDevice(service, va)
    const { headers, person, sessionId } = session
    const passkey = await newPasskey(service, headers)
    assert.strictEqual((await marked["POST /deletion"]!(session)).status, 202)
    const second = await signInByVa(service, va, await newDevice(), person)
    await letConfirmationPass(superuser, sessionId)
    for (
      const [path, status, body] of [
        ["/deletion/cancel", 204],
        [`/passkeys/${passkey.passkeyId}/remove`, 204],
        [`/sessions/${second.json.sessionId}/end`, 204],
        ["/sharing/stop-all", 200, {}],
        ["/sessions/end-all", 204]
      ] as const
    ) {
      const answer = await post(path, headers, body)
      assert.strictEqual(answer.status, status, `${path} ${answer.text}`)
    }
  })
})
