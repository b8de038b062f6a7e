import { assert, describe, test } from "vitest"
import { bearer, call, told } from "../../support/Client.ts"
import {
  atVa,
  type Device,
  newDevice,
  operatorCode,
  pair,
  type Person,
  prove,
  signInByVa,
  signInDevice
} from "../../support/Device.ts"
import { nobody } from "../../support/Formats.ts"
import { newPasskey, signInByPasskey } from "../../support/Passkeys.ts"
import { assertEnough, letPermitsAge, spendPermits } from "../../support/Permits.ts"
import { newSubject } from "../../support/VaIssuer.ts"
import { newAddress, openSignIns } from "./SignIns.ts"

// What a stranger spends who has a veteran's account of the VA costs none of the ways in that the veteran had before.

const { post, service, superuser, va } = await openSignIns()

const byVa = (device: Device, person: Person) => signInByVa(service, va, device, person)

/** Lets time pass for a veteran's sessions, passkeys and permits, but not for the end of a session. */
const letHoursPass = async ({ id }: { readonly id: string }, hours: number) => {
  for (const table of ["veteran_sessions", "veteran_passkeys"]) {
    await superuser.query(
      `update ${table} set created_at = created_at - make_interval(hours => $2) where veteran_id = $1`,
      [id, hours]
    )
  }
  await letPermitsAge(superuser, hours)
}

/** A stranger's new devices use up all sessions of the day. */
const spendTheDay = async (person: Person) => {
  const stranger = await newDevice()
  for (const status of [200, 200]) assert.strictEqual((await byVa(stranger, person)).status, status)
  await spendPermits(superuser, 198)
  assertEnough(await byVa(stranger, person), 24)
  return stranger
}

describe("After a stranger spent the day's sessions", () => {
  test("a device and a passkey of the day before sign in, and what is newer does not", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    await letHoursPass(person, 25)
    const young = await newPasskey(service, headers)
    await spendTheDay(person)
    assert.strictEqual((await byVa(device, person)).status, 200)
    assert.strictEqual((await signInByPasskey(service, device, young)).status, 200)
    assert.strictEqual((await signInByPasskey(service, await newDevice(), passkey)).status, 200)
    assertEnough(await byVa(await newDevice(), person), 24)
    assertEnough(await signInByPasskey(service, await newDevice(), young), 24)
    assert.strictEqual((await post("/sessions/end-all", headers)).status, 204)
    assert.strictEqual((await byVa(device, person)).status, 200)
  })

  test("a device of less than a day ago waits, and the stranger's own is known only after a day", async () => {
    const { device, person } = await signInDevice(service, va)
    await letPermitsAge(superuser, 2)
    await letHoursPass(person, 23)
    const stranger = await spendTheDay(person)
    assertEnough(await byVa(device, person), 24)
    await letHoursPass(person, 2)
    assert.strictEqual((await byVa(device, person)).status, 200)
    assertEnough(await byVa(stranger, person), 22)
  })
})

describe("A stranger who spent the day's new devices", () => {
  test("keeps no passkey out on a browser that keeps nothing", async () => {
    const { headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    await letHoursPass(person, 25)
    assert.strictEqual((await byVa(await newDevice(), person)).status, 200)
    await spendPermits(superuser, 49)
    assertEnough(await byVa(await newDevice(), person), 24)
    assert.strictEqual((await signInByPasskey(service, await newDevice(), passkey)).status, 200)
  })
})

describe("The rest that a stranger spends of the day", () => {
  /** The known device of a veteran, and a stranger's new one, each with a new session. */
  const bothSignedIn = async () => {
    const { device, person } = await signInDevice(service, va)
    await letHoursPass(person, 25)
    const begin = async (on: Device) => ({ device: on, headers: bearer((await byVa(on, person)).json.accessToken) })
    return { known: await begin(device), stranger: await begin(await newDevice()), person }
  }

  type Session = Awaited<ReturnType<typeof bothSignedIn>>["known"]

  test("is not the operator's code, by which the veteran pairs another account", async () => {
    const { person } = await bothSignedIn()
    await spendTheDay(person)
    const device = await newDevice()
    const asked = await byVa(device, { ...person, subject: newSubject() })
    const paired = await pair(service, device, asked.json.pairingId, await operatorCode(service, person.id))
    assert.strictEqual(paired.status, 200)
  })

  test("is no change of address that the known device makes", async () => {
    const { known, stranger } = await bothSignedIn()
    const ask = ({ headers }: Session) => post("/email", headers, { email: newAddress() })
    for (const session of [stranger, known]) {
      for (let n = 1; n <= 5; n++) assert.strictEqual((await ask(session)).status, 202, `${n}`)
      assertEnough(await ask(session), 24)
    }
  })

  test("is no account of the VA that the known device adds", async () => {
    const { known, stranger } = await bothSignedIn()
    const add = async ({ device, headers }: Session) => {
      const signedIn = await atVa(service, va, device, { subject: newSubject() })
      return prove(service, device, "/api/veteran/me/identities", signedIn.challenge, signedIn, headers)
    }
    assert.strictEqual((await add(stranger)).status, 201)
    await spendPermits(superuser, 9)
    assertEnough(await add(stranger), 24)
    assert.strictEqual((await add(known)).status, 201)
  })
})

describe("A way in of the day before", () => {
  test("begins exactly 50 sessions a day, and costs the others nothing", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    await letHoursPass(person, 25)
    assert.strictEqual((await byVa(device, person)).status, 200)
    await spendPermits(superuser, 46)
    const answers = await Promise.all(Array.from({ length: 32 }, () => byVa(device, person)))
    assert.lengthOf(answers.filter(({ status }) => status === 200), 3)
    for (const refused of answers.filter(({ status }) => status !== 200)) assertEnough(refused, 24)
    assertEnough(await signInByPasskey(service, device, passkey), 24)
    assert.strictEqual((await signInByPasskey(service, await newDevice(), passkey)).status, 200)
    await spendPermits(superuser, 49)
    assertEnough(await signInByPasskey(service, await newDevice(), passkey), 24)
    assert.strictEqual((await byVa(await newDevice(), person)).status, 200)
  })

  test("is of its veteran alone", async () => {
    const owner = await signInDevice(service, va)
    const other = await signInDevice(service, va)
    await letHoursPass(owner.person, 25)
    await letHoursPass(other.person, 25)
    await spendTheDay(owner.person)
    assertEnough(await byVa(other.device, owner.person), 24)
    assert.strictEqual((await byVa(owner.device, owner.person)).status, 200)
  })

  test("is one of the ten devices that are known longest", async () => {
    const { device, person } = await signInDevice(service, va)
    const devices = await Promise.all(Array.from({ length: 10 }, newDevice))
    for (const next of devices) assert.strictEqual((await byVa(next, person)).status, 200)
    await letHoursPass(person, 25)
    await spendTheDay(person)
    for (const next of [device, ...devices.slice(0, 9)]) {
      assert.strictEqual((await byVa(next, person)).status, 200)
    }
    assertEnough(await byVa(devices[9]!, person), 24)
  })
})

describe("A stranger who is signed in as the veteran uses up no requests by which the owner takes back", () => {
  test.each([
    "GET sessions",
    "POST sessions/end-all",
    "POST sessions/current/end",
    `POST sessions/${nobody}/end`,
    "POST sharing/stop-all",
    `POST sharing/provider/${nobody}/stop`,
    `POST consent-grants/${nobody}/revoke`,
    `POST secure-links/${nobody}/revoke`,
    `POST roi/${nobody}/revoke`,
    `POST passkeys/${nobody}/remove`,
    `POST identities/${nobody}/remove`,
    "POST deletion/cancel",
    `DELETE documents/${nobody}`,
    `DELETE self-reported-entries/${nobody}`
  ])("%s", async (route) => {
    const [method, path] = route.split(" ") as [string, string]
    const { device, headers, person } = await signInDevice(service, va)
    const stranger = bearer((await byVa(await newDevice(), person)).json.accessToken)
    const askUnclearly = async (headers: Record<string, string>) =>
      told(await call(service, method, `/api/veteran/me/${path}?x=1`, { headers }))
    assert.deepStrictEqual(await askUnclearly(stranger), [400, "invalid_request"])
    await spendPermits(superuser, 599)
    assert.deepStrictEqual(await askUnclearly(stranger), [429, "rate_limited"])
    assert.deepStrictEqual(await askUnclearly(headers), [400, "invalid_request"])
    const again = bearer((await byVa(device, person)).json.accessToken)
    assert.deepStrictEqual(await askUnclearly(again), [400, "invalid_request"])
  })
})
