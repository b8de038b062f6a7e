import { Data, Effect, Layer } from "effect"
import { createPrivateKey, randomUUID, X509Certificate } from "node:crypto"
import { promises as Fs } from "node:fs"
import { join } from "node:path"
import { generate } from "selfsigned"
import { SigningNotConfigured } from "../domain/Release.ts"
import type { SealingIdentity } from "../services/pdf/Seal.ts"
import { dataFolder, makeDataFolder } from "../services/platform/DataFolder.ts"
import { Settings } from "../services/platform/Settings.ts"
import { SigningIdentity } from "../services/release/SigningIdentity.ts"

export class SigningCertificateUnusable extends Data.TaggedError("SigningCertificateUnusable") {
  override readonly message =
    "ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must name PEM files: a certificate chain, leaf first, that is valid now, " +
    "and the leaf's private key, RSA of at least 2048 bits or P-256"
}

/** The certificate is the configured one; elsewhere than in production one is made at the first start and kept in `.data/signing`. */
export const SigningCertificate = Layer.effect(
  SigningIdentity,
  Effect.gen(function*() {
    const { production, signing } = yield* Settings
    const files = signing ?? (production ? undefined : yield* making)
    if (files !== undefined) return SigningIdentity.of({ identity: Effect.succeed(yield* read(files)) })
    const refused = new SigningNotConfigured()
    yield* Effect.logWarning(refused.message)
    return SigningIdentity.of({ identity: Effect.fail(refused) })
  })
)

interface Files {
  readonly certificateFile: string
  readonly keyFile: string
}

const read = ({ certificateFile, keyFile }: Files): Effect.Effect<SealingIdentity, SigningCertificateUnusable> =>
  Effect.tryPromise({
    try: async () => {
      const key = createPrivateKey(await Fs.readFile(keyFile))
      const pem = await Fs.readFile(certificateFile, "utf8")
      const certificates = pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs)!
        .map((one) => new X509Certificate(one))
      const leaf = certificates[0]!
      const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails!
      const now = Date.now()
      const usable = leaf.checkPrivateKey(key) && (modulusLength >= 2048 || namedCurve === "prime256v1") &&
        Date.parse(leaf.validFrom) <= now && now < Date.parse(leaf.validTo)
      if (!usable) throw new SigningCertificateUnusable()
      return { key, certificates: certificates.map(({ raw }) => raw) }
    },
    catch: () => new SigningCertificateUnusable()
  })

const directory = join(dataFolder, "signing")

export class SigningCertificateNotMade extends Data.TaggedError("SigningCertificateNotMade") {
  override readonly message =
    `${directory} cannot be written to: set ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY, or start where it can`
}

const making = Effect.suspend(() => Effect.tryPromise({ try: made, catch: () => new SigningCertificateNotMade() }))

/** The files are written aside and their folder is renamed when whole: of two first starts at once one makes it, and both use that. */
const made = async (): Promise<Files> => {
  const files = { certificateFile: join(directory, "certificate.pem"), keyFile: join(directory, "key.pem") }
  await makeDataFolder()
  if (await Fs.access(directory).then(() => true, () => false)) return files
  const { cert, private: key } = await generate(
    [
      { name: "commonName", value: "Veteran Records Sharing Service (development)" },
      { name: "organizationName", value: "Not for real use" }
    ],
    {
      keyType: "ec",
      algorithm: "sha256",
      notAfterDate: new Date(Date.now() + 10 * 365 * 86_400_000),
      extensions: [
        { name: "basicConstraints", cA: false, critical: true },
        { name: "keyUsage", digitalSignature: true, nonRepudiation: true, critical: true }
      ]
    }
  )
  const fresh = await makeDataFolder(`signing-${randomUUID()}`)
  await Fs.writeFile(join(fresh, "certificate.pem"), cert, { mode: 0o600 })
  await Fs.writeFile(join(fresh, "key.pem"), key, { mode: 0o600 })
  await Fs.rename(fresh, directory).catch(() => Fs.rm(fresh, { recursive: true }))
  return files
}
