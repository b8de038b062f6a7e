import Negotiator from "negotiator"
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { extname, join, relative, sep } from "node:path"
import { cacheControl, mediaTypes } from "./Headers.ts"
import { missingPage, type Site } from "./Sites.ts"

/** The bytes of each file by its path, such as `/assets/a.js` and `/assets/a.js.br`. No other file is ever served. */
export type StaticPages = ReadonlyMap<string, { readonly bytes: Buffer; readonly etag: string }>

export const readPages = async (folder: string): Promise<StaticPages> => {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(entries.map(async (entry) => {
      const file = join(entry.parentPath, entry.name)
      const bytes = await readFile(file)
      const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
      return [`/${relative(folder, file).replaceAll(sep, "/")}`, { bytes, etag }] as const
    }))
  )
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

export interface PageConfiguration {
  /** The pages read this at run time (`/config.json`), so that one build serves every environment. */
  readonly told: Readonly<Record<string, unknown>>
  /** The security headers of a file. */
  readonly headers: (file: string) => Readonly<Record<string, string>>
}

/** Answers as nginx does with the configuration in docs/operator.md; a test compares both. */
export const answer = (
  files: StaticPages,
  { pages }: Site,
  { headers: headersOf, told }: PageConfiguration,
  request: IncomingMessage
): Answer => {
  const text = (status: number, body: string, headers: Record<string, string>) => ({
    status,
    headers: { ...headersOf("/"), "cache-control": "no-store", ...headers },
    body
  })
  const path = request.url!.split("?", 1)[0]!
  if (request.method !== "GET" && request.method !== "HEAD") {
    return text(405, "", { allow: "GET, HEAD", connection: "close" })
  }
  if (path === "/config.json") {
    return text(200, JSON.stringify(told), { "content-type": mediaTypes["json"]! })
  }
  const requested = Object.hasOwn(pages, path) ? pages[path]! : path.startsWith("/assets/") ? path : missingPage
  const [status, name] = requested !== missingPage && files.has(requested) && typeOf(requested) !== undefined
    ? [200, requested]
    : [404, missingPage]
  const accepted = new Negotiator(request).encodings(["br", "gzip"])
  const encoding = encodings.find((one) => accepted.includes(one) && files.has(name + endings[one]))
  const ending = encoding === undefined ? "" : endings[encoding]
  const file = files.get(name + ending)
  if (file === undefined) return text(404, "There is no such page.\n", { "content-type": "text/plain" })
  const headers = {
    ...headersOf(name),
    "cache-control": cacheControl(name),
    ...(encodings.some((one) => files.has(name + endings[one])) ? { vary: "accept-encoding" } : {})
  }
  if (status === 200 && matches(request.headers["if-none-match"], file.etag)) {
    return { status: 304, headers: { ...headers, etag: file.etag }, body: "" }
  }
  return {
    status,
    headers: {
      ...headers,
      "content-type": typeOf(name)!,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      ...(status === 200 ? { etag: file.etag } : {})
    },
    body: file.bytes
  }
}

/** In the order of preference: Brotli makes the smallest files. */
const encodings = ["br", "gzip"] as const

const endings = { br: ".br", gzip: ".gz" }

const typeOf = (path: string) => mediaTypes[extname(path).slice(1)]

/** Compares entity tags weakly (RFC 9110, 13.1.2). */
const matches = (ifNoneMatch: string | undefined, etag: string) =>
  ifNoneMatch?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag) === true
