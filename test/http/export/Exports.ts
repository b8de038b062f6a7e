import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { asAdmin, call, randomAddress, type SignedIn } from "../../support/Client.ts"
import { signInDevice } from "../../support/Device.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import type { VaIssuer } from "../../support/VaIssuer.ts"

/** Helpers that several tests of exports use. */

type Target = Pick<Service, "url">

export interface AppVeteran extends SignedIn {
  readonly sessionId: string
}

/** Registers a veteran and signs in by the app, which confirms the session. */
export const signInByApp = async (service: Target, va: VaIssuer, email?: string): Promise<AppVeteran> => {
  const { access, headers, person, sessionId } = await signInDevice(service, va, undefined, email)
  return { id: person.id, token: access.accessToken, headers, sessionId }
}

export const askExport = (service: Target, { headers }: Pick<SignedIn, "headers">, signal?: AbortSignal) =>
  fetch(`${service.url}/api/veteran/me/exports`, {
    method: "POST",
    headers: { ...headers, "x-forwarded-for": randomAddress() },
    ...(signal === undefined ? {} : { signal })
  })

/** How many exports the service is making or sending. */
export const running = async (service: Target) => {
  const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
  return Number(/^exports_running\S* (\d+)/m.exec(text)?.[1])
}

/** Waits until the service sends no export any more: each has ended, or was broken off. */
export const noneRuns = (service: Target) => until("no export runs", async () => await running(service) === 0)

export const endAll = (service: Target, { headers }: Pick<SignedIn, "headers">) =>
  call(service, "POST", "/api/veteran/me/sessions/end-all", { headers })

const execute = promisify(execFile)

/** Tests an archive with Info-ZIP's `unzip` and unpacks it. Returns its files by name. */
export const unpack = async (bytes: Uint8Array, folder: string): Promise<ReadonlyMap<string, Buffer>> => {
  const into = await mkdtemp(join(folder, "export-"))
  const file = `${into}.zip`
  await writeFile(file, bytes)
  await execute("unzip", ["-tqq", file])
  await execute("unzip", ["-q", file, "-d", into])
  const files = (await readdir(into, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(files.map(async ({ name, parentPath }) => {
      const path = join(parentPath, name)
      return [path.slice(into.length + 1), await readFile(path)] as const
    }))
  )
}

export const linesOf = (file: Buffer | undefined) => `${file ?? ""}`.split("\n").filter((line) => line !== "")

/** Bytes that look like a PDF and do not compress. */
export const bytesOfPdf = (length: number) => {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  bytes.set(Buffer.from("%PDF-1.7\n"))
  return bytes
}

/** Sends a request for an export and reads only the answer's head. */
const begin = async (url: string, headers: Readonly<Record<string, string>>, body = "") => {
  const sent = request(url, { method: "POST", headers })
  sent.on("error", () => {}).end(body)
  const [response] = await once(sent, "response")
  response.on("error", () => {}).pause()
  // The answer may have broken off before anybody reads on.
  const closed = new Promise((resume) => response.once("close", resume))
  /** Reads on. An answer that broke off is not whole. */
  const rest = async () => {
    const chunks: Array<Buffer> = []
    response.on("data", (chunk: Buffer) => chunks.push(chunk)).resume()
    await closed
    const content = Buffer.concat(chunks)
    return { bytes: content.length, content, isWhole: response.complete as boolean }
  }
  return { status: response.statusCode as number, rest, destroy: () => sent.destroy() }
}

export const slowly = (service: Target, { headers }: Pick<SignedIn, "headers">) =>
  begin(`${service.url}/api/veteran/me/exports`, headers)

export const slowlyAsOperator = (service: Target, { id }: Pick<SignedIn, "id">) =>
  begin(
    `${service.url}/api/admin/veterans/${id}/export`,
    { ...asAdmin, "content-type": "application/json" },
    JSON.stringify({ reason: "ticket 1" })
  )
