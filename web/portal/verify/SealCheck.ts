import { type Certificate, ContentInfo, SignedData } from "pkijs"
import { type Seal, sealsIn } from "./SealedPdf.ts"

/** The result of checking a file's seal. */
export type SealCheck =
  /** `by` is the name in the certificate. Anybody can make a certificate with any name. */
  | { readonly is: "intact"; readonly by: string }
  /** The file was changed, or something was added, after it was sealed. */
  | { readonly is: "broken" }
  | { readonly is: "missing" }

/** Checks the seals of a file on this device. At least one valid seal must cover the whole file. */
export const checkSeal = async (bytes: Uint8Array<ArrayBuffer>): Promise<SealCheck> => {
  const seals = await sealsIn(bytes)
  for (const seal of seals) {
    const by = seal.whole ? await signerOf(seal) : undefined
    if (by !== undefined) return { is: "intact", by }
  }
  return { is: seals.length === 0 ? "missing" : "broken" }
}

/** The signer's name, or undefined if the signature is wrong. */
const signerOf = async ({ signature, signed }: Seal): Promise<string | undefined> => {
  try {
    const signedData = new SignedData({ schema: ContentInfo.fromBER(signature).content })
    const { signatureVerified, signerCertificate } = await signedData.verify({
      signer: 0,
      data: signed.buffer,
      checkChain: false,
      extendedMode: true
    })
    return signatureVerified === true && signerCertificate ? nameOf(signerCertificate) : undefined
  } catch {
    // pkijs throws if it cannot read the signature, and if the digest differs.
    return undefined
  }
}

/** The common name (X.520, 6.2.2), else the organization. */
const nameOf = ({ subject }: Certificate) => {
  const named = (type: string) => subject.typesAndValues.find((one) => one.type === type)?.value.valueBlock.value
  return `${named("2.5.4.3") ?? named("2.5.4.10") ?? "no name"}`.slice(0, 200)
}
