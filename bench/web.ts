import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Browser } from "playwright-core"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { createLink } from "../test/http/link/Links.ts"
import { sign } from "../test/http/release/Releases.ts"
import { giveGrant, providerPassword, type SignedIn, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { type Mailbox, openMailbox } from "../test/support/Mailbox.ts"
import { until } from "../test/support/Until.ts"
import { ask } from "../test/web/Ask.ts"
import { launchChromium } from "../test/web/Chromium.ts"
import { closed, open, resources, syncBody, timedSync } from "./Bench.ts"
import { alone, benchmark, median } from "./Figure.ts"
import type { Probe } from "./Probe.ts"

/** The number of pages that the portal fetches at a time. */
const atOnce = 4

const floor = "a page that only fetches"

/**
 * Opens a record of 3,165 resources in the real portal in a real browser, beside a page that only fetches the same
 * answers. Then follows a recipient's path from the link to the saved document.
 */
export const web = benchmark({
  rounds: 5,
  figures: {
    bar: { name: "portal: the patient's bar", unit: "ms", floor },
    lists: { name: "portal: allergies, problems, medications", unit: "ms", floor },
    glance: { name: "portal: the first glance whole", unit: "ms", floor, goal: { atMost: 1500 } },
    all: { name: "portal: all items of 3,165", unit: "ms", floor, goal: { atMost: 3000 } },
    keystroke: { name: "portal: keystroke to frame", unit: "ms", goal: { atMost: 50 } },
    task: { name: "portal: longest task, 0: all under 50", unit: "ms", goal: { atMost: 100 } },
    load: { name: "portal: first load", unit: "kB", goal: { atMost: 165 } },
    wire: { name: "the record's answers, one after another", unit: "kB" },
    way: { name: "recipient: from the link to the saved PDF", unit: "ms", goal: { atMost: 5000 } },
    recipientLoad: { name: "recipient: first load", unit: "kB", goal: { atMost: 136 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    // Builds the pages with the checkout's own build program.
    const build = join(tree.path, "web/build.ts")
    yield* Effect.promise(() => promisify(execFile)(process.execPath, [build], { cwd: tree.path }))
    const port = yield* Effect.promise(freePort)
    const portal = `http://localhost:${port}`
    const mailbox = yield* closed(openMailbox())
    const browser = yield* closed(launchChromium())
    const environment = { PORTAL_PORT: `${port}`, PROVIDER_PORTAL_URL: portal, SMTP_URL: mailbox.url }
    const { owner, service } = yield* open(tree, environment)
    return yield* Effect.promise(async () => {
      await until("the portal's pages are read", () => fetch(portal).then(({ ok }) => ok))
      const veteran = await signInVeteran(service)
      await timedSync(service, veteran, syncBody(resources(3165)))
      const provider = await signInProvider(service)
      await giveGrant(service, veteran, provider)
      const { id: documentId } = (await sign(service, veteran)).json.document
      return async () => {
        await owner.query("delete from rate_limit_spendings")
        const { filter, load, longest, opening, paths } = await openRecord(browser, portal, provider.email)
        const least = await fetched(browser, portal, paths.map((path) => service.url + path), provider)
        const { token } = await createLink(service, veteran, { documentId })
        const received = await receive(browser, `${portal}/link#${token}`, mailbox)
        const told = `painted after ${load.painted.toFixed(0)} ms`
        return {
          bar: alone(opening.bar, least),
          lists: alone(opening.lists, least),
          glance: alone(opening.glance, least),
          all: alone(opening.all, least),
          keystroke: { ours: median(filter), detail: `worst ${Math.max(...filter).toFixed(0)} ms of ${filter.length}` },
          task: { ours: Math.max(...longest), detail: `opening ${longest[0]}, searching and scrolling ${longest[1]}` },
          load: { ours: load.bytes / 1000, detail: told },
          wire: await wireOf(service.url, portal, paths, provider),
          way: {
            ours: steps.reduce((sum, step) => sum + received[step], 0),
            detail: steps.map((step) => `${step} ${received[step].toFixed(0)} ms`).join(", ")
          },
          recipientLoad: { ours: received.bytes / 1000 }
        }
      }
    })
  })
})

const script = stripTypeScriptTypes(readFileSync(new URL("web-probe.ts", import.meta.url), "utf8"))

/** Opens a tab with an empty cache and with the probe. */
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
  /** Times since the choice of the patient. */
  readonly opening: Awaited<ReturnType<Probe["opening"]>>
  /** The time of each keystroke in the search. */
  readonly filter: ReadonlyArray<number>
  /** The longest task of the page until all is loaded, and during searching and scrolling. */
  readonly longest: readonly [opening: number, working: number]
  /** The requested paths of the record, in order. */
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
  const search = page.getByRole("searchbox", { name: "Search by name or value" })
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
  // The portal has no page at this address. The tab gets the portal's origin, but runs none of its scripts.
  await page.goto(`${portal}/nothing`)
  const time = await probe("fetched", addresses, headers, atOnce)
  await context.close()
  return time
}

/**
 * Sends the same requests as a browser, then with only gzip and without compression. Returns the sizes of the answers.
 */
const wireOf = async (service: string, portal: string, paths: ReadonlyArray<string>, { headers }: SignedIn) => {
  const kB: Array<number> = []
  for (const coding of ["gzip, deflate, br, zstd", "gzip", "identity"]) {
    let bytes = 0
    for (const path of paths) {
      const answer = await ask(service, path, { headers: { ...headers, origin: portal, "accept-encoding": coding } })
      if (answer.status !== 200) throw new Error(`${answer.status}`)
      bytes += answer.body.length
    }
    kB.push(bytes / 1000)
  }
  const [zstd, gzip, plain] = kB as [number, number, number]
  return { ours: zstd, detail: `${paths.length} answers; gzip ${gzip.toFixed(0)} kB, plain ${plain.toFixed(0)}` }
}

/** The parts of a recipient's path, in order. Each is measured in milliseconds. */
const steps = ["link", "mail", "document", "first page", "saved"] as const

type Received = Readonly<Record<typeof steps[number], number>> & { readonly bytes: number }

/**
 * Measures each part of a recipient's path. A person would be slower: this robot never pauses, and the mail arrives as
 * soon as the service sends it.
 */
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
  // Counts the bytes of the first page only. Other files are loaded later, while the recipient waits for the mail.
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
  // Another checkout may show the document in the page itself, without a frame.
  const readable = [page.locator(".pdf-page canvas"), page.frameLocator("iframe").locator(".pdf-page canvas, .glance")]
  await Promise.any(readable.map((place) => place.first().waitFor()))
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
