import { createHash, createPrivateKey, X509Certificate } from "node:crypto"
import { generate } from "selfsigned"
import { DocumentId } from "../../../src/domain/Id.ts"
import { statementsVersion } from "../../../src/domain/ReleaseStatements.ts"
import type { SealingIdentity } from "../../../src/services/pdf/Signer.ts"
import { type ReleaseContent, writeRelease } from "../../../src/services/release/ReleaseDocument.ts"
import type { ReleasedRecord } from "../../../src/services/release/ReleasedRecord.ts"
import { canonical, type SignedAuthorization } from "../../../src/services/release/SignedAuthorization.ts"

const subject = [{ name: "commonName", value: "Sealing test" }]

export const makeIdentity = async (keyType: "rsa" | "ec"): Promise<SealingIdentity> => {
  const { cert, private: key } = await generate(subject, { keyType, keySize: 2048, algorithm: "sha256" })
  return { key: createPrivateKey(key), certificates: [new X509Certificate(cert).raw] }
}

export const signedAt = "2026-11-21T17:05:23.123Z"

export const recordOf = (
  resourceType: string,
  entry: Partial<SignedAuthorization["record"][number]> = {}
): SignedAuthorization["record"][number] => ({
  resourceType,
  state: "complete",
  lastFetch: "complete",
  itemCount: 12,
  lastFetchAt: signedAt,
  lastCompleteAt: signedAt,
  ...entry
})

export const documentOf = (number: number) => ({
  id: DocumentId.make(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`),
  title: `Letter number ${number}.pdf`,
  contentType: "application/pdf",
  byteSize: 40_000 + number,
  sha256: createHash("sha256").update(String(number)).digest("hex")
})

export const authorizationOf = (changes: Partial<SignedAuthorization> = {}): SignedAuthorization => ({
  documentId: DocumentId.make("0193a5b0-7c4e-7d3a-9b1f-2f6c8e4d5a10"),
  signedAt,
  endsAt: "2027-11-21T17:05:23.123Z",
  supersedes: null,
  veteran: { fullName: "Sean O'Hara", dateOfBirth: "1961-04-12" },
  information: {
    resourceTypes: ["Condition", "MedicationRequest"],
    dateFrom: null,
    dateTo: null,
    documents: []
  },
  disclosingParty: { name: "Portland Medical Center" },
  recipient: {
    name: "Dr. Ada Gray",
    organization: "Gray Clinic",
    title: "Primary care physician",
    email: "ada.gray@clinic.example",
    npi: "1234567893"
  },
  purpose: { code: "treatment", text: "To go on with my care." },
  expiration: { date: "2027-05-31" },
  statementsVersion,
  statementsAccepted: true,
  sensitiveCategories: [],
  incompleteRecordConfirmed: false,
  record: [recordOf("Condition"), recordOf("MedicationRequest", { itemCount: 1 })],
  signature: {
    typedName: "Sean O'Hara",
    consentToElectronicSignature: true,
    signerRole: "veteran",
    drawnPngSha256: null
  },
  session: {
    id: "0193a5b0-1111-7d3a-9b1f-2f6c8e4d5a10",
    clientAddress: "2001:db8::17",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) Test/1.0"
  },
  ...changes
})

type Copy = { readonly for: "recipient" } | { readonly for: "veteran"; readonly withheld: ReadonlyMap<string, number> }

/** One copy of a release. */
export interface CopyContent extends ReleaseContent {
  readonly sha256: Buffer
  readonly copy: Copy["for"]
}

export const contentOf = (
  changes: Partial<SignedAuthorization> = {},
  copy: Copy = { for: "recipient" },
  drawing: ReleaseContent["drawing"] = null
): CopyContent => {
  const authorization = authorizationOf(changes)
  return {
    authorization,
    ...canonical(authorization),
    verificationUrl: `https://records.example/verify/${authorization.documentId}`,
    drawing,
    withheld: copy.for === "veteran" ? copy.withheld : new Map(),
    copy: copy.for
  }
}

const noRecord: ReleasedRecord = {
  entries: [],
  text: () => Promise.reject(new Error("no items")),
  bundle: async function*() {},
  undated: 0,
  isOfAnother: false,
  died: null
}

const stamp = await makeIdentity("rsa")

/** Renders one copy of a release. */
export const rendered = async (
  { copy, ...content }: CopyContent,
  { identity = stamp, record = noRecord }: { readonly identity?: SealingIdentity; readonly record?: ReleasedRecord } =
    {}
): Promise<Buffer> => {
  const written = { veteran: [] as Array<Uint8Array>, recipient: [] as Array<Uint8Array> }
  const into = (file: keyof typeof written) => async (bytes: Uint8Array) => {
    written[file].push(bytes)
  }
  await writeRelease(
    { ...content, record, bundled: { sha256: Buffer.alloc(32), bytes: record.bundle() }, documents: [], identity },
    { own: into("veteran"), recipients: into("recipient") }
  )
  return Buffer.concat(written[copy])
}
