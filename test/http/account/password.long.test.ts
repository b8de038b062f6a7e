import { assert, test } from "vitest"
import { registerProvider } from "../../support/Client.ts"
import { seededRandom } from "../../support/Random.ts"
import { forgot, login, newEmail, openPasswords, setPassword } from "./PasswordMails.ts"

const { mailedToken, mails, one, other, superuser } = await openPasswords()

const addresses = 100

const times = 5

/** How likely a time of the one list is above one of the other: 0.5 if nobody can tell them apart. */
const likelihood = (some: ReadonlyArray<number>, others: ReadonlyArray<number>) => {
  const above = some.flatMap((one) => others.map((other) => (Math.sign(one - other) + 1) / 2))
  return above.reduce((sum, one) => sum + one, 0) / above.length
}

const median = (list: ReadonlyArray<number>) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]!

test("1,000 forgotten passwords take the same time for known and unknown addresses, and at most five mails each", {
  timeout: 300_000
}, async () => {
  const [known, unknown] = [Array.from({ length: addresses }, newEmail), Array.from({ length: addresses }, newEmail)]
  await superuser.query(
    `insert into providers (id, email, password_hash, display_name, organization)
     select gen_random_uuid(), email, 'x', 'Dr. Ada Gray', 'Gray Clinic' from unnest($1::text[]) as p (email)`,
    [known]
  )
  const random = seededRandom(1)
  const requests = [...known, ...unknown].flatMap((email) => Array.from({ length: times }, () => email))
    .map((email) => ({ email, place: random() })).sort((one, other) => one.place - other.place)
  const taken = { known: [] as Array<number>, unknown: [] as Array<number> }
  const isKnown = new Set(known)
  for (let warm = 0; warm < 30; warm++) await forgot(one, newEmail())
  for (const { email } of requests) {
    const begun = performance.now()
    const answer = await forgot(one, email)
    taken[isKnown.has(email) ? "known" : "unknown"].push(performance.now() - begun)
    assert.deepStrictEqual([answer.status, answer.json], [202, { status: "accepted" }])
  }
  for (const email of known) await forgot(one, email)
  const mailed = (await mails()).map(({ headers }) => headers.get("to"))
  const mailsTo = (email: string) => mailed.filter((to) => to === email).length
  assert.deepStrictEqual(known.map(mailsTo), known.map(() => times))
  assert.deepStrictEqual(unknown.map(mailsTo), unknown.map(() => 0))
  const told = likelihood(taken.known, taken.unknown)
  console.log(
    `known ${median(taken.known).toFixed(2)} ms, unknown ${median(taken.unknown).toFixed(2)} ms; a known one takes ` +
      `longer with a likelihood of ${told.toFixed(3)}`
  )
  // With 500 times each, chance alone gives 0.5 with a standard deviation of 0.018.
  assert.closeTo(told, 0.5, 0.08)
})

test("A password set by a link leaves no session to a sign-in with the old one that ran beside it", async () => {
  for (let round = 0; round < 10; round++) {
    const { email, id } = await registerProvider(one)
    const link = await mailedToken(email)
    const signIns = Promise.all(
      Array.from({ length: 6 }, (_, index) => login(index % 2 === 0 ? one : other, email))
    )
    assert.strictEqual((await setPassword(other, link, "nine brown owls at dusk")).status, 204)
    await signIns
    const live = await superuser.query(
      "select from provider_sessions where provider_id = $1 and revoked_at is null",
      [id]
    )
    assert.strictEqual(live.rowCount, 0)
  }
})
