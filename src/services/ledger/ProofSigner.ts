import { Context, type Effect } from "effect"
import type { ProofsNotConfigured } from "../../domain/Proof.ts"
import type { NoteKey } from "./SignedNote.ts"

/** The service signs checkpoints with this key; production may be without it. */
export class ProofSigner extends Context.Service<ProofSigner, {
  readonly key: Effect.Effect<NoteKey, ProofsNotConfigured>
}>()("vrss/ProofSigner") {}
