import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { loadavg } from "node:os"
import type { Browser } from "playwright-core"
import { freePort } from "../src/layers/EmbeddedPostgres.ts"
import { createLink } from "../test/http/link/Links.ts"
import { sign } from "../test/http/release/Releases.ts"
import {
  call,
  giveGrant,
  providerPassword,
  type SignedIn,
  signInProvider,
  signInVeteran
} from "../test/support/Client.ts"
import { type Mailbox, openMailbox } from "../test/support/Mailbox.ts"
import { until } from "../test/support/Until.ts"
import { ask } from "../test/web/Ask.ts"
import { launchChromium } from "../test/web/Chromium.ts"
import { builtPages } from "../web/BuiltPages.ts"
import { buildPages } from "../web/PageBuild.ts"
import { line, median, open, resources, syncBody } from "./Bench.ts"
import type { Probe } from "./Probe.ts"

const rounds = 5

/** As many pages as the portal has on their way at a time. */
const atOnce = 4

/**
 * A record of 3,165 resources in the real portal in a real browser, beside a page that only fetches the same answers; and a recipient's
 * way from the link to the saved document.
 */
export const benchWeb = Effect.gen(function*() {
  yield* Effect.promise(() => buildPages(builtPages))
  const port = yield* Effect.promise(freePort)
  const portal = `http://localhost:${port}`
  const mailbox = yield* closed(openMailbox())
  const browser = yield* closed(launchChromium())
  const { service } = yield* open({ PORTAL_PORT: `${port}`, PROVIDER_PORTAL_URL: portal, SMTP_URL: mailbox.url })
  yield* Effect.promise(async () => {
    await until("the portal's pages are read", () => fetch(portal).then(({ ok }) => ok))
    const veteran = await signInVeteran(service)
    const { headers } = veteran
    const body = syncBody(resources(3165))
    const synced = await call(service, "POST", "/api/veteran/me/health-record/sync", { headers, body })
    if (synced.status !== 200) throw new Error(synced.text)
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    console.log(`\nthe pages in Chromium, load average ${loadavg()[0]!.toFixed(1)}\n`)

    const opened: Array<Opened> = []
    const floors: Array<number> = []
    for (let round = 0; round < rounds + 1; round++) {
      const inPortal = await openRecord(browser, portal, provider.email)
      const floor = await fetched(browser, portal, inPortal.paths.map((path) => service.url + path), provider)
      // The first round is for the service, which does its work for the first time.
      if (round === 0) continue
      opened.push(inPortal)
      floors.push(floor)
    }
    tellRecord(opened, floors)
    await tellWire(service.url, portal, opened[0]!.paths, provider)

    const { id: documentId } = (await sign(service, veteran)).json.document
    const received: Array<Received> = []
    for (let round = 0; round < rounds; round++) {
      const { token } = await createLink(service, veteran, { documentId })
      received.push(await receive(browser, `${portal}/link#${token}`, mailbox))
    }
    tellRecipient(received)
  })
})

const closed = <A extends { readonly close: () => Promise<unknown> }>(opening: Promise<A>) =>
  Effect.acquireRelease(Effect.promise(() => opening), (opened) => Effect.promise(() => opened.close()))

const script = stripTypeScriptTypes(readFileSync(new URL("web-probe.ts", import.meta.url), "utf8"))

/** A tab that has seen nothing before, and what runs in it. */
const openTab = async (browser: Browser) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" })
  await context.addInitScript({ content: `{${script}}` })
  const page = await context.newPage()
  const probe = <Name extends keyof Probe>(name: Name, ...given: Parameters<Probe[Name]>) =>
    page.evaluate(`probe.${name}(...${JSON.stringify(given)})`) as Promise<Awaited<ReturnType<Probe[Name]>>>
  return { context, page, probe }
}

interface Opened {
  readonly load: Awaited<ReturnType<Probe["load"]>>
  /** From the choice of the patient on. */
  readonly opening: Awaited<ReturnType<Probe["opening"]>>
  /** Of each keystroke in the search. */
  readonly filter: ReadonlyArray<number>
  /** The longest task of the page until all is loaded, and while one searches and scrolls. */
  readonly longest: readonly [opening: number, working: number]
  /** What was asked of the record, in this order. */
  readonly paths: ReadonlyArray<string>
}

const openRecord = async (browser: Browser, portal: string, email: string): Promise<Opened> => {
  const { context, page, probe } = await openTab(browser)
  const paths: Array<string> = []
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === "GET" && pathname.endsWith("/record")) paths.push(pathname + search)
  })
  await page.goto(portal)
  await page.getByLabel("E-mail").fill(email)
  const load = await probe("load")
  await page.getByLabel("Password", { exact: true }).fill(providerPassword)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.locator(".patients th a").waitFor()
  const opening = await probe("opening")
  const whileOpening = await probe("longest")
  const filter: Array<number> = []
  const search = page.getByRole("searchbox")
  for (const word of ["glucose", "hemoglobin", "cholesterol"]) {
    await search.focus()
    for (const key of [...word, "Control+A", "Backspace"]) {
      await probe("keystroke")
      await page.keyboard.press(key)
      const time = key === "Control+A" ? null : await probe("frame")
      if (time !== null) filter.push(time)
    }
  }
  await page.locator(".scroller").hover()
  for (let turn = 0; turn < 48; turn++) await page.mouse.wheel(0, 1000)
  const longest = [whileOpening, await probe("longest")] as const
  await context.close()
  return { load, opening, filter, longest, paths }
}

const fetched = async (browser: Browser, portal: string, addresses: Array<string>, { headers }: SignedIn) => {
  const { context, page, probe } = await openTab(browser)
  // Of the same origin, and without a script of its own.
  await page.goto(`${portal}/nothing`)
  const time = await probe("fetched", addresses, headers, atOnce)
  await context.close()
  return time
}

const tellRecord = (opened: ReadonlyArray<Opened>, floors: ReadonlyArray<number>) => {
  const middle = (of: (one: Opened) => number) => median(opened.map(of))
  const ratio = (of: (one: Opened) => number) => median(opened.map((one, round) => of(one) / floors[round]!))
  const floor = `only fetched in ${median(floors).toFixed(0)} ms`
  const told = (name: string, budget: string, of: (one: Opened) => number) =>
    line(name, ratio(of), "none set", `${middle(of).toFixed(0)} ms${budget}; ${floor}`)
  const { bytes } = opened[0]!.load
  console.log(
    `first load of the portal: ${(bytes / 1000).toFixed(1)} kB of 165; painted after ${
      middle(({ load }) => load.painted).toFixed(0)
    } ms`
  )
  told("the patient's bar / only fetching", "", ({ opening }) => opening.bar)
  told("allergies, problems, medications", "", ({ opening }) => opening.lists)
  told("the first glance whole", " of 1,500", ({ opening }) => opening.glance)
  told("all items", " of 3,000", ({ opening }) => opening.all)
  const keys = opened.flatMap(({ filter }) => filter)
  console.log(
    `keystroke to frame: median ${median(keys).toFixed(0)} ms of 50, worst ${
      Math.max(...keys).toFixed(0)
    } of ${keys.length}`
  )
  const longest = (index: 0 | 1) => {
    const tasks = opened.map(({ longest }) => longest[index])
    return `${median(tasks).toFixed(0)} ms (worst ${Math.max(...tasks).toFixed(0)})`
  }
  console.log(
    `longest task, of 100, 0 where all are under 50: opening ${longest(0)}, searching and scrolling ${longest(1)}`
  )
}

/** What the same requests weigh as a browser asks for them, and without compression. */
const tellWire = async (service: string, portal: string, paths: ReadonlyArray<string>, { headers }: SignedIn) => {
  const kB: Array<string> = []
  for (const coding of ["gzip, deflate, br, zstd", "gzip", "identity"]) {
    let bytes = 0
    const begun = performance.now()
    for (const path of paths) {
      const answer = await ask(service, path, { headers: { ...headers, origin: portal, "accept-encoding": coding } })
      if (answer.status !== 200) throw new Error(`${answer.status}`)
      bytes += answer.body.length
    }
    kB.push(`${(bytes / 1000).toFixed(0)} kB in ${(performance.now() - begun).toFixed(0)} ms as ${coding}`)
  }
  console.log(`the record's ${paths.length} answers, one after another: ${kB.join("; ")}`)
}

/** The parts of a recipient's way, in milliseconds. */
const steps = ["link", "mail", "document", "first page", "saved"] as const

type Received = Readonly<Record<typeof steps[number], number>> & { readonly bytes: number }

/** With a robot's hands: they need no time, and the mail none but the service's. */
const receive = async (browser: Browser, address: string, mailbox: Mailbox): Promise<Received> => {
  const { context, page, probe } = await openTab(browser)
  const times: Array<number> = []
  let begun = performance.now()
  const done = () => {
    times.push(performance.now() - begun)
    begun = performance.now()
  }
  const before = mailbox.mails.length
  await page.goto(address)
  await page.getByRole("button", { name: "E-mail me a code" }).waitFor()
  done()
  // What else is there later came while one waits for the mail.
  const { bytes } = await probe("load")
  begun = performance.now()
  await page.getByRole("button", { name: "E-mail me a code" }).click()
  const code = await until("the code has come", async () => codesIn(mailbox.mails.slice(before))[0])
  await page.getByLabel("8-digit code").waitFor()
  done()
  await page.getByLabel("8-digit code").fill(code)
  await page.getByRole("button", { name: "Open the document" }).click()
  await page.getByRole("button", { name: "Save the PDF" }).waitFor()
  done()
  await page.locator(".pdf-page canvas").first().waitFor()
  done()
  await Promise.all([
    page.waitForEvent("download").then((file) => file.path()),
    page.getByRole("button", { name: "Save the PDF" }).click()
  ])
  done()
  await context.close()
  return Object.assign(Object.fromEntries(steps.map((step, n) => [step, times[n]!])), { bytes }) as Received
}

const codesIn = (mails: Mailbox["mails"]) => mails.flatMap(({ text }) => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? [])

const tellRecipient = (received: ReadonlyArray<Received>) => {
  const middle = (step: typeof steps[number]) => median(received.map((one) => one[step]))
  const wholes = received.map((one) => steps.reduce((sum, step) => sum + one[step], 0))
  console.log(`first load of the recipient's page: ${(received[0]!.bytes / 1000).toFixed(1)} kB of 135`)
  console.log(
    `a recipient's way: ${(median(wholes) / 1000).toFixed(2)} s of 5, worst ${
      (Math.max(...wholes) / 1000).toFixed(2)
    } (${steps.map((step) => `${step} ${middle(step).toFixed(0)} ms`).join(", ")})`
  )
}
