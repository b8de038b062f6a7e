import { once } from "node:events"
import { globSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { veteran as site } from "../../../../src/pages/Sites.ts"
import type {
  End,
  FromUpdate,
  KindProgress,
  ToUpdate,
  UpdateSource,
  UpdateTask
} from "../../../../web/veteran/update/Messages.ts"
import { atEnd } from "../../../support/App.ts"

/** The built thread of an update. */
export const workerFile = () => {
  const files = globSync("assets/UpdateWorker-*.js", { cwd: site.folder })
  assert.lengthOf(files, 1)
  return files[0]!
}

/** Serves an empty page, and the built thread beside it. */
export const openWorkerPages = async () => {
  const script = readFileSync(join(site.folder, workerFile()))
  const server = createServer(({ url }, response) => {
    const isScript = url === `/${workerFile()}`
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" })
    response.end(isScript ? script : "<!doctype html><link rel=\"icon\" href=\"data:,\"><title>Empty</title>")
  })
  await once(server.listen(0, "localhost"), "listening")
  atEnd(() => server.close().closeAllConnections())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** The thread of an update on a page, which the page starts as the app does. */
export const openThread = async (page: Page, origin: string) => {
  await page.goto(origin)
  await page.evaluate((file) => {
    const [here, messages]: [any, Array<unknown>] = [globalThis, []]
    here.messages = messages
    here.thread = new Worker(`/${file}`, { type: "module" })
    here.thread.addEventListener("message", ({ data }: MessageEvent) => messages.push(data))
    here.thread.addEventListener("error", () => messages.push({ is: "broken" }))
  }, workerFile())
  const ask = (message: ToUpdate) =>
    page.evaluate((message) => (globalThis as any).thread.postMessage(message), message)
  const messages = (): Promise<ReadonlyArray<FromUpdate>> => page.evaluate(() => (globalThis as any).messages)
  // The page waits by itself: asking it again and again took more processor time than many updates.
  const run = (message: ToUpdate): Promise<End> =>
    page.evaluate((message) =>
      new Promise<End>((resolve, reject) => {
        const { messages, thread } = globalThis as any
        messages.splice(0)
        thread.addEventListener("message", ({ data }: MessageEvent<FromUpdate>) => {
          if (data.is === "ended") resolve(data.end)
        })
        thread.addEventListener("error", reject)
        thread.postMessage(message)
      }), message)
  return {
    ask,
    messages,
    /** Begins an update and returns how it ended. */
    start: (source: UpdateSource, task: UpdateTask) => run({ ask: "start", source, task }),
    again: (task: UpdateTask) => run({ ask: "again", task }),
    kinds: async (): Promise<ReadonlyMap<string, KindProgress>> =>
      new Map(
        (await messages()).flatMap((message) => message.is === "kinds" ? message.kinds : [])
          .map((kind) => [kind.resourceType, kind])
      )
  }
}

/** Reads all that a page of this origin could have kept. */
export const storedBy = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    cookies: document.cookie
  }))

const nothing: Array<string> = []

/** What `storedBy` returns if nothing is kept. */
export const nothingStored = { local: nothing, session: nothing, databases: nothing, caches: nothing, cookies: "" }
