import { Data, Effect } from "effect"
import { createPrivateKey, X509Certificate } from "node:crypto"
import * as Fs from "node:fs/promises"
import type { SealingIdentity } from "../pdf/Signer.ts"

export class SigningCertificateUnusable extends Data.TaggedError("SigningCertificateUnusable") {
  override readonly message =
    "ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must name PEM files: a certificate chain, leaf first, and the " +
    "leaf's private key, RSA of at least 2048 bits or P-256"
}

export interface SigningFiles {
  readonly certificateFile: string
  readonly keyFile: string
}

/** The identity that seals documents, with its period of validity. */
export interface SigningCertificate {
  readonly identity: SealingIdentity
  readonly validFrom: Date
  readonly validTo: Date
}

/** Reads the files without checking the dates, because a certificate may end while the service runs. */
export const readSigningFiles = ({ certificateFile, keyFile }: SigningFiles) =>
  Effect.tryPromise({
    try: async (): Promise<SigningCertificate> => {
      const key = createPrivateKey(await Fs.readFile(keyFile))
      const pem = await Fs.readFile(certificateFile, "utf8")
      const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!
        .map((one) => new X509Certificate(one))
      const leaf = certificates[0]!
      const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails!
      // The type of an RSA-PSS key is "rsa-pss". It is refused, because the CMS code here does not support it.
      const isRsa = key.asymmetricKeyType === "rsa" && modulusLength >= 2048
      const usable = leaf.checkPrivateKey(key) && (isRsa || namedCurve === "prime256v1")
      if (!usable) throw new SigningCertificateUnusable()
      return {
        identity: { key, certificates: certificates.map(({ raw }) => raw) },
        validFrom: new Date(leaf.validFrom),
        validTo: new Date(leaf.validTo)
      }
    },
    catch: () => new SigningCertificateUnusable()
  })
