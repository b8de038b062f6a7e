import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, giveGrant, providerPassword, signInProvider, signInVeteran, told } from "../../support/Client.ts"
import { openPeople } from "../../support/People.ts"
import { until } from "../../support/Until.ts"
import { mailsOf } from "../link/Links.ts"

const { service } = await openApp()

const { actsOf, admin, newEmail, newProvider, newVeteran } = openPeople(service)

/** A valid identifier that no other test uses: nine digits and the check digit. */
const newNpi = () => {
  const nine = `1${`${BigInt(`0x${randomUUID().slice(0, 8)}`)}`.padStart(10, "0").slice(-8)}`
  return Array.from({ length: 10 }, (_, digit) => `${nine}${digit}`).find((npi) => {
    const sum = [...`80840${npi}`].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
    return sum % 10 === 0
  })!
}

const mailsTo = (address: string, count: number) =>
  until(`${count} mails to ${address}`, async () => {
    const mails = (await mailsOf(service)).filter(({ headers }) => headers.get("to") === address)
    return mails.length >= count && mails
  })

describe("A list of people", () => {
  test("finds a provider by the exact e-mail in any letter case, and by the NPI", async () => {
    const npi = newNpi()
    const [one, other] = [await newProvider({ npi }), await newProvider()]
    for (const query of [`email=${one.email}`, `email=${one.email.toUpperCase()}`, `npi=${npi}`]) {
      const found = await admin("GET", `/providers?${query}`)
      assert.deepStrictEqual([found.status, found.json], [200, { items: [one], nextCursor: null }], query)
    }
    const none = { items: [], nextCursor: null }
    for (const query of [`email=${one.email.slice(1)}`, `npi=${newNpi()}`, `email=${other.email}&npi=${npi}`]) {
      assert.deepStrictEqual((await admin("GET", `/providers?${query}`)).json, none, query)
    }
    assert.deepStrictEqual((await admin("GET", `/providers?email=${one.email}&npi=${npi}&limit=1`)).json.items, [one])
  })

  test("finds a veteran by the exact vaPatientId, and all who share an e-mail", async () => {
    const email = newEmail()
    const [one, other] = [await newVeteran({ email }), await newVeteran({ email: email.toUpperCase() })]
    assert.deepStrictEqual(
      (await admin("GET", `/veterans?vaPatientId=${one.vaPatientId}`)).json,
      { items: [one], nextCursor: null }
    )
    assert.deepStrictEqual((await admin("GET", `/veterans?email=${email}`)).json, {
      items: [one, other],
      nextCursor: null
    })
    assert.deepStrictEqual(
      (await admin("GET", `/veterans?vaPatientId=${one.vaPatientId.toUpperCase()}`)).json.items,
      []
    )
    assert.deepStrictEqual((await admin("GET", `/veterans?vaPatientId=${one.vaPatientId.slice(0, -1)}`)).json.items, [])
  })

  test("continues by a cursor of the same question alone", async () => {
    const email = newEmail()
    const people = [await newVeteran({ email }), await newVeteran({ email }), await newVeteran({ email })]
    const first = (await admin("GET", `/veterans?email=${email}&limit=2`)).json
    assert.deepStrictEqual(first.items, people.slice(0, 2))
    const second = await admin("GET", `/veterans?email=${email}&limit=2&cursor=${first.nextCursor}`)
    assert.deepStrictEqual(second.json, { items: people.slice(2), nextCursor: null })
    for (const query of ["", `email=${newEmail()}&`, `email=${email}&vaPatientId=x&`]) {
      const answer = await admin("GET", `/veterans?${query}cursor=${first.nextCursor}`)
      assert.deepStrictEqual([...told(answer), answer.json.issues[0].path], [400, "invalid_request", ["cursor"]])
    }
  })

  test.each(["/providers?vaPatientId=x", "/veterans?npi=1234567893", "/providers?npi=1", "/providers?email=nobody",
    "/veterans?vaPatientId=", "/veterans?callSign=Eagle", "/veterans?email=a@b.example&email=c@d.example"])(
      "refuses what it does not know: %s",
      async (path) => assert.deepStrictEqual(told(await admin("GET", path)), [400, "invalid_request"])
    )
})

describe("PATCH /api/admin/providers/{id}", () => {
  test("changes what is sent and nothing else, and is noted once for each change", async () => {
    const provider = await newProvider({ npi: "1234567893" })
    const change = { displayName: "Dr. Ada Smith", organization: "Smith Clinic" }
    const changed = await admin("PATCH", `/providers/${provider.id}`, change)
    assert.deepStrictEqual([changed.status, changed.json], [200, { ...provider, ...change }])
    for (const nothing of [change, {}, { npi: "1234567893" }]) {
      assert.deepStrictEqual((await admin("PATCH", `/providers/${provider.id}`, nothing)).json, changed.json)
    }
    assert.deepStrictEqual(await actsOf(provider.id), ["provider_changed", "provider_registered"])
    const without = await admin("PATCH", `/providers/${provider.id.toUpperCase()}`, { npi: null })
    assert.deepStrictEqual(without.json, { ...changed.json, npi: null })
    assert.deepStrictEqual(await actsOf(provider.id), ["provider_changed", "provider_changed", "provider_registered"])
  })

  test("gives a new e-mail, by which the provider signs in from then on; both addresses are told", async () => {
    const provider = await signInProvider(service)
    const email = newEmail("Ada.Smith")
    const changed = await admin("PATCH", `/providers/${provider.id}`, { email })
    assert.deepStrictEqual([changed.status, changed.json.email], [200, email])
    const login = (address: string) =>
      call(service, "POST", "/api/provider/login", { body: { email: address, password: providerPassword } })
    assert.deepStrictEqual(told(await login(provider.email)), [401, "invalid_credentials"])
    assert.strictEqual((await login(email)).json.provider.email, email)
    // The session of before goes on, under the new address.
    assert.strictEqual(
      (await call(service, "GET", "/api/provider/me", { headers: provider.headers })).json.email,
      email
    )
    const [[old], [fresh]] = [await mailsTo(provider.email, 1), await mailsTo(email, 1)]
    for (const mail of [old!, fresh!]) {
      assert.strictEqual(mail.headers.get("subject"), "Your e-mail address was changed")
      assert.notMatch(`${mail.text}${mail.html}`, /https?:|href|Ada|@/)
      assert.match(mail.text, /You did not expect this\? Call the operator of this service\./)
      assert.match(mail.text, /¿No lo esperaba\?/)
    }
    assert.match(old!.text, /You no longer sign in with this address/)
    assert.match(fresh!.text, /Sign in with this address from now on/)
  })

  test("writes an address anew in other letters, and mails nobody", async () => {
    const provider = await newProvider()
    const email = provider.email.toUpperCase()
    assert.strictEqual((await admin("PATCH", `/providers/${provider.id}`, { email })).json.email, email)
    assert.deepStrictEqual(await actsOf(provider.id), ["provider_changed", "provider_registered"])
    const later = await newProvider()
    await admin("PATCH", `/providers/${later.id}`, { email: newEmail() })
    await mailsTo(later.email, 1)
    const all = (await mailsOf(service)).map(({ headers }) => headers.get("to")!.toLowerCase())
    assert.notInclude(all, provider.email.toLowerCase())
  })

  test("answers 409 for an address of another provider in any letter case, and changes nothing", async () => {
    const [one, other] = [await newProvider(), await newProvider()]
    for (const email of [other.email, other.email.toLowerCase()]) {
      const taken = await admin("PATCH", `/providers/${one.id}`, { email, displayName: "Nobody" })
      assert.deepStrictEqual([...told(taken), taken.json.message], [
        409,
        "conflict",
        "Another provider has this e-mail."
      ])
    }
    assert.deepStrictEqual((await admin("GET", `/providers?email=${one.email}`)).json.items, [one])
    assert.deepStrictEqual(await actsOf(one.id), ["provider_registered"])
  })

  test("gives an address to one of many who ask for it at the same moment", async () => {
    const email = newEmail()
    const people = await Promise.all(Array.from({ length: 8 }, () => newProvider()))
    const answers = await Promise.all(people.map(({ id }) => admin("PATCH", `/providers/${id}`, { email })))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(409)])
    assert.lengthOf((await admin("GET", `/providers?email=${email}`)).json.items, 1)
    const acts = await Promise.all(people.map(({ id }) => actsOf(id)))
    assert.lengthOf(acts.flat().filter((act) => act === "provider_changed"), 1)
  })

  test("answers 404 for nobody", async () => {
    assert.deepStrictEqual(told(await admin("PATCH", `/providers/${randomUUID()}`, {})), [404, "not_found"])
  })

  test.each([
    [{ email: "nobody" }, "email"],
    [{ email: null }, "email"],
    [{ displayName: " " }, "displayName"],
    [{ organization: "x".repeat(201) }, "organization"],
    [{ npi: "1234567890" }, "npi"],
    [{ password: "correct horse" }, "password"],
    [{ disabledAt: null }, "disabledAt"]
  ])("refuses %j", async (wrong, name) => {
    const { json, status } = await admin("PATCH", `/providers/${randomUUID()}`, wrong)
    assert.deepStrictEqual([status, json.error, json.issues[0].path], [400, "invalid_request", [name]])
  })
})

describe("PATCH /api/admin/veterans/{id}", () => {
  test("changes all three at once, or none of them", async () => {
    const [one, other] = [await newVeteran(), await newVeteran()]
    const change = { email: newEmail(), callSign: "Hawk", vaPatientId: `icn-${randomUUID()}` }
    const taken = await admin("PATCH", `/veterans/${one.id}`, { ...change, vaPatientId: other.vaPatientId })
    assert.deepStrictEqual([...told(taken), taken.json.message], [
      409,
      "conflict",
      "Another veteran has this vaPatientId."
    ])
    assert.deepStrictEqual((await admin("GET", `/veterans?email=${one.email}`)).json.items, [one])
    const changed = await admin("PATCH", `/veterans/${one.id}`, change)
    assert.deepStrictEqual([changed.status, changed.json], [200, { ...one, ...change }])
    for (const nothing of [change, {}]) {
      assert.deepStrictEqual((await admin("PATCH", `/veterans/${one.id}`, nothing)).json, changed.json)
    }
    assert.deepStrictEqual(await actsOf(one.id), ["veteran_changed", "veteran_registered"])
  })

  test("tells a new e-mail to both addresses and to the account, and ends no session", async () => {
    const { headers, id } = await signInVeteran(service)
    const [old, email] = [newEmail(), newEmail()]
    await admin("PATCH", `/veterans/${id}`, { email: old })
    assert.strictEqual((await admin("PATCH", `/veterans/${id}`, { email, callSign: "Hawk" })).json.email, email)
    const me = await call(service, "GET", "/api/veteran/me", { headers })
    assert.deepStrictEqual([me.status, me.json.email, me.json.callSign], [200, email, "Hawk"])
    // The first address is told that it is new, and then that it is old.
    const subjects = (await mailsTo(old, 2)).map(({ headers }) => headers.get("subject"))
    assert.deepStrictEqual(subjects, ["Your e-mail address was changed", "Your e-mail address was changed"])
    const [mail] = await mailsTo(email, 1)
    assert.notMatch(`${mail!.text}${mail!.html}`, /https?:|href|Eagle|Hawk|@/)
    assert.match(mail!.text, /Mails about your records come here from now on\./)
    const { json } = await call(service, "GET", "/api/veteran/me/disclosures?kind=email_changed", { headers })
    assert.deepStrictEqual(json.items.map(({ actor, kind, summary }: any) => ({ kind, actor, summary })), [
      { kind: "email_changed", actor: { kind: "service" }, summary: "The operator changed your e-mail address." },
      { kind: "email_changed", actor: { kind: "service" }, summary: "The operator changed your e-mail address." }
    ])
  })

  test("lets veterans share an address, also at the same moment", async () => {
    const email = newEmail()
    const people = await Promise.all(Array.from({ length: 4 }, () => newVeteran()))
    const answers = await Promise.all(people.map(({ id }) => admin("PATCH", `/veterans/${id}`, { email })))
    assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200, 200])
    assert.lengthOf((await admin("GET", `/veterans?email=${email}`)).json.items, 4)
  })

  test("is noted once if many ask for the same at the same moment", async () => {
    const { id } = await newVeteran()
    const email = newEmail()
    const answers = await Promise.all(Array.from({ length: 16 }, () => admin("PATCH", `/veterans/${id}`, { email })))
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.deepStrictEqual(await actsOf(id), ["veteran_changed", "veteran_registered"])
  })

  test("answers 404 for nobody, and 400 for what it does not take", async () => {
    const path = `/veterans/${randomUUID()}`
    for (const change of [{}, { email: newEmail() }, { callSign: "Hawk" }, { vaPatientId: "x" }]) {
      assert.deepStrictEqual(told(await admin("PATCH", path, change)), [404, "not_found"], JSON.stringify(change))
    }
    for (const wrong of [{ email: null }, { callSign: "" }, { vaPatientId: null }, { fhirSyncManifest: {} }]) {
      assert.deepStrictEqual(told(await admin("PATCH", path, wrong)), [400, "invalid_request"], JSON.stringify(wrong))
    }
  })
})

describe("POST /api/admin/providers/{id}/enable", () => {
  test("brings a provider back with the shares that are still in force, and without the old sessions", async () => {
    const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
    const [kept, stopped] = [await giveGrant(service, veteran, provider), await giveGrant(service, veteran, provider)]
    const disabled = await admin("POST", `/providers/${provider.id}/disable`)
    const stop = await call(service, "POST", `/api/veteran/me/consent-grants/${stopped.id}/revoke`, {
      headers: veteran.headers
    })
    assert.strictEqual(stop.status, 200)
    const enabled = await admin("POST", `/providers/${provider.id}/enable`)
    assert.deepStrictEqual([enabled.status, enabled.json], [200, { ...disabled.json, disabledAt: null }])
    const me = await call(service, "GET", "/api/provider/me", { headers: provider.headers })
    assert.deepStrictEqual(told(me), [401, "unauthenticated"])
    const login = await call(service, "POST", "/api/provider/login", {
      body: { email: provider.email, password: providerPassword }
    })
    const patients = await call(service, "GET", "/api/provider/patients", {
      headers: { authorization: `Bearer ${login.json.accessToken}` }
    })
    assert.deepStrictEqual(patients.json.items.map(({ grant }: any) => grant.id), [kept.id])
    const sharing = await call(service, "GET", "/api/veteran/me/sharing?status=active", { headers: veteran.headers })
    assert.deepStrictEqual(sharing.json.items.map(({ id }: any) => id), [kept.id])
  })

  test("is the same a second time, and sixteen at the same moment are one act", async () => {
    const { id } = await newProvider()
    const enable = () => admin("POST", `/providers/${id}/enable`)
    assert.strictEqual((await enable()).json.disabledAt, null)
    assert.deepStrictEqual(await actsOf(id), ["provider_registered"])
    await Promise.all(Array.from({ length: 16 }, () => admin("POST", `/providers/${id}/disable`)))
    const answers = await Promise.all(Array.from({ length: 16 }, enable))
    const told = answers.map(({ json, status }) => `${status} ${json.disabledAt}`)
    assert.deepStrictEqual(told, Array<string>(16).fill("200 null"))
    assert.deepStrictEqual(await actsOf(id), ["provider_enabled", "provider_disabled", "provider_registered"])
  })

  test("answers 404 for nobody", async () => {
    assert.deepStrictEqual(told(await admin("POST", `/providers/${randomUUID()}/enable`)), [404, "not_found"])
  })
})

describe("DELETE /api/admin/waitlist/{id}", () => {
  test("removes an address once, and is noted", async () => {
    const email = newEmail()
    const find = async () => {
      for (let cursor = "";;) {
        const { json } = await admin("GET", `/waitlist?limit=200${cursor}`)
        const found = json.items.find((item: any) => item.email === email)
        if (found !== undefined || json.nextCursor === null) return found
        cursor = `&cursor=${json.nextCursor}`
      }
    }
    assert.strictEqual((await call(service, "POST", "/api/waitlist", { body: { email } })).status, 202)
    const { id } = await find()
    const answers = await Promise.all([1, 2, 3].map(() => admin("DELETE", `/waitlist/${id}`)))
    assert.deepStrictEqual(answers.map(({ status, text }) => [status, status === 204 ? text : ""]).sort(), [
      [204, ""],
      [404, ""],
      [404, ""]
    ])
    assert.strictEqual(await find(), undefined)
    assert.deepStrictEqual(await actsOf(id), ["waitlist_signup_removed"])
    assert.deepStrictEqual(told(await admin("DELETE", `/waitlist/${randomUUID()}`)), [404, "not_found"])
    assert.deepStrictEqual(told(await admin("DELETE", "/waitlist/1")), [400, "invalid_request"])
  })
})
