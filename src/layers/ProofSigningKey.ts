import { Data, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { promises as Fs } from "node:fs"
import { join } from "node:path"
import { ProofsNotConfigured } from "../domain/Proof.ts"
import { ProofSigner, readSigningKey } from "../services/ledger/ProofSigner.ts"
import { generateKey } from "../services/ledger/SignedNote.ts"
import { dataFolder, makeDataFolder } from "../services/platform/DataFolder.ts"
import { Settings } from "../services/platform/Settings.ts"

const file = join(dataFolder, "proof-signing-key")

export class ProofSigningKeyNotMade extends Data.TaggedError("ProofSigningKeyNotMade") {
  override readonly message = `${file} cannot be written to: set PROOF_SIGNING_KEY, or start in a folder where it can`
}

/** Uses the configured key. Outside production the first start makes one and keeps it in `.data`. */
export const ProofSigningKey = Layer.effect(
  ProofSigner,
  Effect.gen(function*() {
    const { production, proofSigningKey } = yield* Settings
    if (proofSigningKey !== undefined) return yield* signer("PROOF_SIGNING_KEY", Redacted.value(proofSigningKey))
    if (!production) {
      return yield* signer(file, yield* Effect.tryPromise({ try: made, catch: () => new ProofSigningKeyNotMade() }))
    }
    const refused = new ProofsNotConfigured()
    yield* Effect.logWarning(refused.message)
    return ProofSigner.of({ key: Effect.fail(refused) })
  })
)

const signer = (source: string, text: string) =>
  Effect.map(readSigningKey(source, text), (key) => ProofSigner.of({ key: Effect.succeed(key) }))

/** The key is written to a temporary file and then linked, so that simultaneous first starts use the same one. */
const made = async () => {
  await makeDataFolder()
  if (!await Fs.access(file).then(() => true, () => false)) {
    const fresh = `${file}-${randomUUID()}`
    await Fs.writeFile(fresh, `${generateKey("localhost/disclosures-in-development")}\n`, { mode: 0o600, flush: true })
    try {
      await Fs.link(fresh, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error
      })
    } finally {
      await Fs.unlink(fresh)
    }
  }
  return Fs.readFile(file, "utf8")
}
