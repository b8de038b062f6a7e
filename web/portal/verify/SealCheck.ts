import { type Certificate, ContentInfo, SignedData } from "pkijs"
import { type Seal, sealsIn } from "./SealedPdf.ts"

/** What the seal of a file says. */
export type SealCheck =
  /** `by` is the name in the certificate. Anybody can make a certificate of any name. */
  | { readonly is: "intact"; readonly by: string }
  /** The file was changed, or something was added, after it was sealed. */
  | { readonly is: "broken" }
  | { readonly is: "missing" }

/** Checks the seals of a file on this device; one that is over the whole file has to be right. */
export const checkSeal = async (bytes: Uint8Array<ArrayBuffer>): Promise<SealCheck> => {
  const seals = await sealsIn(bytes)
  for (const seal of seals) {
    const by = seal.whole ? await signerOf(seal) : undefined
    if (by !== undefined) return { is: "intact", by }
  }
  return { is: seals.length === 0 ? "missing" : "broken" }
}

/** Who signed, or nothing where the signature is wrong. */
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
    // pkijs throws at what it cannot read, and at a digest that does not fit.
    return undefined
  }
}

/** The common name (X.520, 6.2.2), else the organization. */
const nameOf = ({ subject }: Certificate) => {
  const named = (type: string) => subject.typesAndValues.find((one) => one.type === type)?.value.valueBlock.value
  return `${named("2.5.4.3") ?? named("2.5.4.10") ?? "no name"}`.slice(0, 200)
}
