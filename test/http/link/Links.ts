import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type pg from "pg"
import { call, randomAddress, type SignedIn } from "../../support/Client.ts"
import { parseMail } from "../../support/Mailbox.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { signed } from "../release/Releases.ts"

/** Helpers that several tests of secure links use. */

type Target = Pick<Service, "url">

export const recipientEmail = "jane.gray@clinic.example"

export interface Link {
  readonly id: string
  readonly token: string
  readonly url: string
  readonly qrSvg: string
  readonly documentId: string
}

let count = 0

/**
 * Creates a link to a newly signed release. `changes` may name another release or address. Neighbouring links have
 * other addresses, because an address gets few codes in an hour. There are 16, because a day takes 20 new ones.
 */
export const createLink = async (
  service: Target,
  veteran: SignedIn,
  changes: Record<string, unknown> = {}
): Promise<Link> => {
  const documentId = changes["documentId"] ?? (await signed(service, veteran)).document.id
  const created = await call(service, "POST", "/api/veteran/me/secure-links", {
    headers: veteran.headers,
    body: {
      documentId,
      recipientName: "Jane Gray",
      recipientEmail: `jane.gray-${++count % 16}-${veteran.id}@clinic.example`,
      ...changes
    }
  })
  if (created.status !== 201) throw new Error(created.text)
  const { link, qrSvg, url } = created.json
  return { id: link.id, documentId, url, qrSvg, token: url.split("#")[1] }
}

export const listLinks = async (service: Target, veteran: SignedIn) =>
  (await call(service, "GET", "/api/veteran/me/secure-links", { headers: veteran.headers })).json.items

export const revokeLink = (service: Target, veteran: SignedIn, { id }: { readonly id: string }) =>
  call(service, "POST", `/api/veteran/me/secure-links/${id}/revoke`, { headers: veteran.headers })

export const step = (service: Target, name: "open" | "otp" | "otp/verify" | "view" | "status", body: unknown) =>
  call(service, "POST", `/api/secure-links/${name}`, { body })

/** Reads the mails that a service without SMTP has written, oldest first. */
export const mailsOf = async (service: Pick<Service, "directory">) => {
  const folder = join(service.directory, ".data/mail")
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml")).sort()
  return Promise.all(files.map(async (name) => parseMail(await readFile(join(folder, name), "utf8"))))
}

export const noMailWaits = (superuser: pg.Client) =>
  until("no mail waits", async () => (await superuser.query("select from outbox where held_at is null")).rowCount === 0)

/** The code in the mail to a link's recipient, as it is written there. Mails with codes of other kinds have none. */
export const recipientCode = (text: string) =>
  text.includes("nobody can open the document") ? /^Your code is (\d{4} \d{4})$/m.exec(text)?.[1] : undefined

/** The codes that were mailed to recipients so far, newest last. The outbox may send other mails at any time. */
export const recipientCodes = async (service: Pick<Service, "directory">) =>
  (await mailsOf(service)).flatMap(({ text }) => recipientCode(text) ?? [])

/** Requests a code and reads it from the recipient's mail. */
export const challenge = async (service: Pick<Service, "url" | "directory">, { token }: { readonly token: string }) => {
  const answer = await step(service, "otp", { token })
  if (answer.status !== 202) throw new Error(answer.text)
  const code = (await recipientCodes(service)).at(-1)!.replace(" ", "")
  return { challengeId: answer.json.challengeId as string, code }
}

export const verified = async (service: Pick<Service, "url" | "directory">, link: Link): Promise<string> => {
  const answer = await step(service, "otp/verify", { token: link.token, ...await challenge(service, link) })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json.viewSession
}

interface ViewAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly error: string | undefined
}

/** Views the document. Rejects if the connection breaks before the whole answer has arrived. */
export const view = async (service: Target, viewSession: string, offset?: number): Promise<ViewAnswer> => {
  const response = await fetch(`${service.url}/api/secure-links/view`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": randomAddress() },
    body: JSON.stringify({ viewSession, ...(offset === undefined ? {} : { offset }) })
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const error = response.headers.get("content-type") === "application/json"
    ? JSON.parse(bytes.toString()).error
    : undefined
  return { status: response.status, headers: response.headers, bytes, error }
}

/** Makes the codes of a link older, by default as if the required pause after the last one were over. */
export const waitForNextCode = (superuser: pg.Client, { id }: { readonly id: string }, seconds = 31) =>
  superuser.query(
    "update secure_link_otps set created_at = created_at - make_interval(secs => $2) where link_id = $1",
    [id, seconds]
  )

/** Requests another code for the link, as if the required pause after the last code were over. */
export const laterChallenge = async (service: Pick<Service, "url" | "directory">, superuser: pg.Client, link: Link) => {
  await waitForNextCode(superuser, link)
  return challenge(service, link)
}

/** Replaces the attempt's code by one that is `by` higher. */
export const wrong = <A extends { readonly code: string }>(attempt: A, by = 1): A => ({
  ...attempt,
  code: `${(Number(attempt.code) + by) % 100_000_000}`.padStart(8, "0")
})

/** Moves the end of a document or of a link to a moment in the past. */
export const expire = async (
  superuser: pg.Client,
  end: "documents.ends_at" | "secure_links.expires_at",
  id: string
) => {
  const [table, column] = end.split(".")
  await superuser.query("begin")
  // A trigger refuses to change the end of a signed document.
  if (table === "documents") await superuser.query("set local session_replication_role = replica")
  await superuser.query(
    `update ${table} set ${column} = clock_timestamp() - interval '1 millisecond' where id = $1`,
    [id]
  )
  await superuser.query("commit")
}
