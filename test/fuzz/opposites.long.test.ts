import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { rowsOf } from "../http/account/Deleting.ts"
import { connectApp } from "../http/fhir/Apps.ts"
import { drain } from "../http/ledger/Drained.ts"
import { atEnd, startApp } from "../support/App.ts"
import { type Answer, call, signInProvider } from "../support/Client.ts"
import { newDevice, registerPerson, signInByVa, signInDevice } from "../support/Device.ts"
import { openMailbox } from "../support/Mailbox.ts"
import { appEnvironment } from "../support/Passkeys.ts"
import { until } from "../support/Until.ts"
import { openVaIssuer } from "../support/VaIssuer.ts"
import { ask, type Opposites, oppositesOf, type Session } from "./Opposites.ts"

/** Each act is done and undone ten times, and then two hundred times in all. What they leave and cost is compared. */
const [few, many] = [10, 200]

/** The lists are asked for pages of this length, which ten rounds fill already. */
const page = 10

const va = await openVaIssuer()

/** A server that takes mails slowly, so that they wait here. */
const mailbox = await openMailbox({ deliver: () => setTimeout(50) })
atEnd(mailbox.close)

const { database, service } = await startApp({
  ...va.environment,
  ...appEnvironment,
  SMTP_URL: mailbox.url,
  MAIL_FROM: "service@example.org",
  NODE_OPTIONS: `--import=${new URL("../support/without-jobs.ts", import.meta.url).href}`
}, atEnd)

const superuser = await database.connect("superuser")

const opposites = new Map<string, Opposites>(Object.entries(oppositesOf(service, va, await signInProvider(service))))

/** What a veteran did again and again. */
interface Repeated {
  readonly session: Session
  readonly email: string
  done: number
  /** The seconds after which the act may be tried again, once it was refused. */
  retryAfter: number | undefined
}

const veterans = new Map<string, Repeated>()

for (const name of opposites.keys()) {
  const email = `${randomUUID()}@example.org`
  const session = await signInDevice(service, va, undefined, email)
  await connectApp(service, superuser, session.person)
  veterans.set(name, { session, email, done: 0, retryAfter: undefined })
}

/** Repeats a request that is refused for a minute at most. All windows of limits move instead of the time. */
const patiently = async (request: () => Promise<Answer>): Promise<Answer> => {
  const answer = await request()
  const seconds = Number(answer.headers.get("retry-after"))
  if (answer.status !== 429 || seconds > 60) return answer
  await superuser.query("update rate_limit_spendings set spent_at = spent_at - make_interval(secs => $1)", [seconds])
  return patiently(request)
}

const assertDone = ({ status, text }: Answer, what: string) => assert.isBelow(status, 300, `${what}: ${text}`)

/** Does and undoes an act until it was done so often, or is refused. To undo it is never refused. */
const repeat = async (name: string, rounds: number) => {
  const { act, most = many, undo } = opposites.get(name)!
  const veteran = veterans.get(name)!
  while (veteran.done < Math.min(rounds, most) && veteran.retryAfter === undefined) {
    const answer = await patiently(() => act(veteran.session, veteran.done))
    if (answer.status === 429) {
      veteran.retryAfter = Number(answer.headers.get("retry-after"))
    } else {
      assertDone(answer, name)
      veteran.done++
      if (undo !== undefined) assertDone(await patiently(() => undo(veteran.session, answer.json)), `${name}, undone`)
    }
  }
}

const { paths } = (await call(service, "GET", "/api/openapi.json")).json

const own = "/api/veteran/{veteranId}"

/** The veteran's lists, and the account of disclosures about one thing of which it has nothing. */
const lists = [
  ...Object.entries<any>(paths).flatMap(([path, { get }]) => {
    const isList = path.startsWith(own) && !path.slice(own.length).includes("{") &&
      get?.parameters.some(({ name }: any) => name === "limit")
    return isList ? [`${path.slice(own.length)}?limit=${page}`] : []
  }),
  ...["active", "ended"].map((status) => `/sharing?limit=${page}&status=${status}`),
  ...["grantId", "linkId", "documentId", "clientId"].map((name) =>
    `/disclosures?limit=${page}&${name}=00000000-0000-7000-8000-000000000000`
  )
]

/** How many rows all statements have read so far, by table. A connection tells its counts within ten seconds. */
const rowsRead = async () => {
  await setTimeout(10_500)
  const { rows } = await superuser.query(
    `select coalesce(pg_partition_root(relid), relid)::regclass::text as name,
       sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as read
     from pg_stat_user_tables group by 1`
  )
  return new Map<string, number>(rows.map(({ name, read }) => [name, read]))
}

/** Asks every list of every veteran once. Returns how many rows of each table that reads. */
const costOfLists = async () => {
  const before = await rowsRead()
  for (const { session } of veterans.values()) {
    for (const list of lists) assertDone(await ask(service, session, "GET", list), list)
  }
  return new Map([...await rowsRead()].map(([name, read]) => [name, read - before.get(name)!]))
}

/** How many rows there are of each veteran. */
const rowsKept = async () => {
  const kept = new Map<string, number>()
  for (const [name, { session }] of veterans) {
    const counts = Object.values(await rowsOf(superuser, session.person.id))
    kept.set(name, counts.reduce((sum, count) => sum + count, 0))
  }
  return kept
}

const mailsTo = (email: string) => mailbox.mails.filter(({ recipients }) => recipients.includes(email))

/** How many other mails arrive while a bystander waits for the code of a first sign-in. */
const mailsBeforeCode = async () => {
  const email = `${randomUUID()}@example.org`
  const person = await registerPerson(service, email)
  const before = mailbox.mails.length
  await signInByVa(service, va, await newDevice(), person)
  await until("the code has arrived", async () => mailsTo(email).length > 0)
  return mailbox.mails.length - before
}

const repeatAll = async (rounds: number) => {
  // Otherwise veterans would have to confirm, five minutes after they signed in.
  await superuser.query("update veteran_sessions set confirmed_at = clock_timestamp()")
  await Promise.all([...opposites.keys()].map((name) => repeat(name, rounds)))
  // What is not sealed yet, of a minute at most, is in no index.
  await drain(service)
  return { otherMails: await mailsBeforeCode(), kept: await rowsKept(), read: await costOfLists() }
}

const afterFew = await repeatAll(few)

const afterMany = await repeatAll(many)

describe(`${many} repetitions`, () => {
  test.each([...opposites])("leave a bounded number of rows: %s", (name, { leaves }) => {
    const { done, retryAfter = 0 } = veterans.get(name)!
    if (leaves === undefined) assert.isAbove(retryAfter, 60, `done ${done} times`)
    else assert.isAtMost(afterMany.kept.get(name)! - afterFew.kept.get(name)!, leaves * (done - few) + 5)
  })

  test.each([...veterans])("send a veteran at most 20 mails besides codes: %s", (_, { email }) => {
    const told = mailsTo(email).filter(({ headers }) => !headers.get("subject")!.includes("code"))
    assert.isAtMost(told.length, 20)
  })

  test("let a code that somebody waits for pass all other mails", () => {
    assert.isAtMost(afterMany.otherMails, afterFew.otherMails + 20)
  })

  test("make no list read more than ten repetitions do", () => {
    const more = [...afterMany.read].filter(([name, read]) => read > 2 * (afterFew.read.get(name) ?? 0) + 100)
    assert.deepStrictEqual(more.map(([name, read]) => [name, afterFew.read.get(name), read]), [])
  })
})
