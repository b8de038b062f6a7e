import type { Block } from "../pdf/Lines.ts"
import { secondOf } from "../platform/Instants.ts"
import { atSigning } from "./AuthorizationPages.ts"
import type { DraftAuthorization, SignedAuthorization } from "./SignedAuthorization.ts"

export interface Signing {
  readonly session: SignedAuthorization["session"]
  readonly sha256: Uint8Array
  /** SHA-256 of record.fhir.json. */
  readonly recordSha256: Uint8Array
  readonly verificationUrl: string
}

/** How a release was signed (roi-authorization.md). A preview shows the page without the facts of a signing. */
export const signingPage = (
  { documentId, signedAt, statementsVersion }: DraftAuthorization,
  signing: Signing | null
): ReadonlyArray<Block> => {
  const given = (text: string | null | undefined) => text ?? atSigning
  return [
    { kind: "heading", level: 1, text: "Certificate of signing" },
    { kind: "paragraph", text: "The service recorded how this authorization was signed:" },
    {
      kind: "list",
      labels: 140,
      items: [
        ["When", given(signing && secondOf(signedAt))],
        ["Document", given(signing && documentId)],
        ["Session", given(signing?.session.id)],
        ...confirmation(signing),
        ["Client address", given(signing?.session.clientAddress)],
        ["User agent", given(signing?.session.userAgent)],
        ["Statements", statementsVersion]
      ]
    },
    {
      kind: "paragraph",
      text:
        "What was signed is the file authorization.json that is attached to this document: the authorization as canonical " +
        `JSON (RFC 8785). Its SHA-256 is\n${given(signing && hex(signing.sha256))}`
    },
    {
      kind: "paragraph",
      text:
        "What is released is the file record.fhir.json that is attached to this document: the items that the pages before " +
        `this one show, each as it was received. Its SHA-256 is\n${given(signing && hex(signing.recordSha256))}`
    },
    {
      kind: "paragraph",
      text:
        "The document is sealed with the service’s key: a PDF reader that checks signatures reports any later change. " +
        `It can be verified at\n${given(signing?.verificationUrl)}`
    }
  ]
}

/** A session without a device's key was not confirmed, and the page then says nothing of it. */
const confirmation = (signing: Signing | null): ReadonlyArray<readonly [string, string]> => {
  const { confirmedAt, how } = signing?.session ?? {}
  if (how === undefined || confirmedAt === undefined) return []
  return [["Confirmed", `${how === "va" ? "By sign-in at the VA" : "By passkey"}, ${secondOf(confirmedAt)}`]]
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
