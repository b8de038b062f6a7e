import { Context, Data, Effect } from "effect"
import type { ProofsNotConfigured } from "../../domain/Proof.ts"
import { type NoteKey, parsePrivateKey } from "./SignedNote.ts"

/** The service signs checkpoints with this key; production may run without it. */
export class ProofSigner extends Context.Service<ProofSigner, {
  readonly key: Effect.Effect<NoteKey, ProofsNotConfigured>
}>()("vrss/ProofSigner") {}

export class ProofSigningKeyUnusable extends Data.TaggedError("ProofSigningKeyUnusable")<{ readonly source: string }> {
  override get message() {
    return `${this.source} must be what \`npm run proof-key\` prints, unchanged: PRIVATE+KEY+name+id+base64`
  }
}

/** Reads the text of a key; `source` is the variable or the file that holds it. */
export const readSigningKey = (source: string, text: string) => {
  const key = parsePrivateKey(text.trim())
  return key === undefined ? Effect.fail(new ProofSigningKeyUnusable({ source })) : Effect.succeed(key)
}
