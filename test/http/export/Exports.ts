import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { beginAnswer } from "../../support/BegunAnswer.ts"
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

export const askExport = (service: Target, { headers }: Pick<SignedIn, "headers">) =>
  fetch(`${service.url}/api/veteran/me/exports`, {
    method: "POST",
    headers: { ...headers, "x-forwarded-for": randomAddress() }
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

/** Begins an export, and reads only the answer's head. */
export const slowly = (service: Target, { headers }: Pick<SignedIn, "headers">) =>
  beginAnswer(service, "POST", "/api/veteran/me/exports", { headers })

export const slowlyAsOperator = (service: Target, { id }: Pick<SignedIn, "id">) =>
  beginAnswer(service, "POST", `/api/admin/veterans/${id}/export`, { headers: asAdmin, body: { reason: "ticket 1" } })
