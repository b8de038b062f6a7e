import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { createLink, step } from "../test/http/link/Links.ts"
import { sign } from "../test/http/release/Releases.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { openMailbox } from "../test/support/Mailbox.ts"
import { line, median, open, residentSet, resources, syncBody } from "./Bench.ts"

const veterans = 6

const syncs = 12

const bodyBytes = 26e6

/** What bystanders wait for their reads while twelve syncs of 26 MB from six veterans are in hand, beside a quiet time. */
export const benchBystanders = Effect.gen(function*() {
  const mailbox = yield* Effect.acquireRelease(
    Effect.promise(() => openMailbox()),
    (mailbox) => Effect.promise(() => mailbox.close())
  )
  const { service } = yield* open({ SMTP_URL: mailbox.url })
  yield* Effect.promise(async () => {
    const bystander = await signInVeteran(service)
    const headers = bystander.headers
    const read = (path: string) => call(service, "GET", `/api/veteran/me${path}`, { headers })
    await call(service, "POST", "/api/veteran/me/health-record/sync", { headers, body: syncBody(resources(100)) })
    const documentId = (await sign(service, bystander)).json.document.id
    const { token } = await createLink(service, bystander, { documentId })
    const reads: Record<string, () => Promise<{ readonly status: number }>> = {
      me: () => read(""),
      documents: () => read("/documents"),
      record: () => read("/health-record?limit=20"),
      "link open": () => step(service, "open", { token })
    }
    const round = async (until: () => boolean) => {
      const times = Object.fromEntries(Object.keys(reads).map((name) => [name, new Array<number>()]))
      while (!until()) {
        // A veteran may read 600 times a minute.
        await setTimeout(100)
        for (const [name, read] of Object.entries(reads)) {
          const started = performance.now()
          const { status } = await read()
          if (status !== 200) throw new Error(`${name}: ${status}`)
          times[name]!.push(performance.now() - started)
        }
      }
      return times
    }
    const end = performance.now() + 5000
    await round(() => performance.now() > end - 4000)
    const quiet = await round(() => performance.now() > end)
    const texts = resources(3000)
    const copies = Math.ceil(bodyBytes / syncBody(texts).length)
    const body = syncBody(
      new Map([...texts].map(([type, texts]) => [
        type,
        Array.from({ length: copies }, (_, n) => texts.map((text) => text.replace(/"id":"/, `"id":"b${n}-`))).flat()
      ]))
    )
    const senders = await Promise.all(Array.from({ length: veterans }, () => signInVeteran(service)))
    let [running, most] = [syncs, 0]
    const sent = Array.from({ length: syncs }, async (_, n) => {
      const { headers } = senders[n % veterans]!
      const answer = await call(service, "POST", "/api/veteran/me/health-record/sync", { headers, body })
      running--
      return answer.status
    })
    const busy = await round(() => {
      most = Math.max(most, residentSet(service))
      return running === 0
    })
    const statuses = await Promise.all(sent)
    const percentile = (times: ReadonlyArray<number>, share: number) =>
      times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!
    for (const name of Object.keys(reads)) {
      const [before, during] = [quiet[name]!, busy[name]!]
      const figures = [before, during].map((times) =>
        `p50 ${median(times).toFixed(1)}, p99 ${percentile(times, 0.99).toFixed(1)}`
      )
      line(
        `${name} beside 12 large syncs / quiet`,
        median(during) / median(before),
        "<= 2",
        `ms: ${figures.join("; ")}`
      )
    }
    console.log(`  the syncs were answered ${statuses.join(" ")}; resident set ${most.toFixed(0)} MB at most`)
  })
})
