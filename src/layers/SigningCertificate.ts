import { Data, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { promises as Fs } from "node:fs"
import { join } from "node:path"
import { SigningNotConfigured } from "../domain/Release.ts"
import { dataFolder, makeDataFolder } from "../services/platform/DataFolder.ts"
import { Settings } from "../services/platform/Settings.ts"
import { readSigningFiles, type SigningFiles } from "../services/release/SigningFiles.ts"
import { sealingWith, SigningIdentity } from "../services/release/SigningIdentity.ts"

/** Uses the configured certificate. Outside production the first start makes one and keeps it in `.data/signing`. */
export const SigningCertificate = Layer.effect(
  SigningIdentity,
  Effect.gen(function*() {
    const { production, signing } = yield* Settings
    const files = signing ?? (production ? undefined : yield* making)
    if (files !== undefined) return yield* sealingWith(yield* readSigningFiles(files))
    const refused = new SigningNotConfigured()
    yield* Effect.logWarning(refused.message)
    return SigningIdentity.of({ identity: Effect.fail(refused) })
  })
)

const directory = join(dataFolder, "signing")

export class SigningCertificateNotMade extends Data.TaggedError("SigningCertificateNotMade") {
  override readonly message =
    `${directory} cannot be written to: set ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY, or start in a folder where it can`
}

const making = Effect.suspend(() => Effect.tryPromise({ try: made, catch: () => new SigningCertificateNotMade() }))

/** The files are written to a temporary folder, which is then renamed, so that simultaneous first starts share one. */
const made = async (): Promise<SigningFiles> => {
  const files = { certificateFile: join(directory, "certificate.pem"), keyFile: join(directory, "key.pem") }
  await makeDataFolder()
  if (await Fs.access(directory).then(() => true, () => false)) return files
  const { cert, private: key } = await (await import("selfsigned")).generate(
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
