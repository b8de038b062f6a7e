import { compactDecrypt } from "jose"
import { createHmac } from "node:crypto"
import { type Answer, call, randomAddress, type SignedIn } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { createLink, type Link, mailsOf } from "./Links.ts"

/** Helpers that several tests of SMART Health Links use. They read a link as a stranger does, by HL7's text alone. */

type Target = Pick<Service, "url">

export interface AppLink extends Link {
  readonly key: string
  readonly manifestId: string
  readonly payload: Record<string, unknown>
  readonly recipientEmail: string
}

export const payloadOf = (shlink: string) =>
  JSON.parse(Buffer.from(shlink.replace(/^.*shlink:\//, ""), "base64url").toString())

let count = 0

/** Creates a SMART Health Link to a newly signed release for a fresh address. */
export const createAppLink = async (
  service: Target,
  veteran: SignedIn,
  changes: Record<string, unknown> = {}
): Promise<AppLink> => {
  const recipientEmail = `clinic-${process.pid}-${Date.now()}-${++count}@clinic.example`
  const link = await createLink(service, veteran, { smartHealthLink: true, recipientEmail, ...changes })
  const payload = payloadOf(link.url)
  const hmac = createHmac("sha256", Buffer.from(payload.key, "base64url"))
  return {
    ...link,
    token: hmac.update("vrss secure link token").digest("base64url"),
    key: payload.key,
    manifestId: new URL(payload.url).pathname.split("/").at(-1)!,
    payload,
    recipientEmail
  }
}

export const askManifest = (
  service: Target,
  { manifestId }: { readonly manifestId: string },
  body: unknown = {}
): Promise<Answer> =>
  call(service, "POST", `/api/shl/${manifestId}`, {
    body: typeof body === "object" ? { recipient: "Gray Clinic", ...body } : body
  })

/** The newest code that was mailed to the link's address. */
export const mailedCode = async (
  service: Pick<Service, "directory">,
  { recipientEmail }: Pick<AppLink, "recipientEmail">
) => {
  const mails = (await mailsOf(service)).filter(({ headers }) => headers.get("to")!.includes(recipientEmail))
  return mails.flatMap(({ text }) => /\b(\d{4}) (\d{4})\b/.exec(text)?.slice(1).join("") ?? []).at(-1)!
}

/** Asks without a code, and returns the one that is then mailed. */
export const codeFor = async (service: Pick<Service, "directory" | "url">, link: AppLink) => {
  const answer = await askManifest(service, link)
  if (answer.status !== 401) throw new Error(answer.text)
  return mailedCode(service, link)
}

export const decrypted = async (jwe: string, key: string) => {
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, Buffer.from(key, "base64url"))
  return { protectedHeader, bundle: JSON.parse(Buffer.from(plaintext).toString()), bytes: Buffer.from(plaintext) }
}

export const takeFile = async (location: string, method = "GET") => {
  const response = await fetch(location, { method, headers: { "x-forwarded-for": randomAddress() } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
