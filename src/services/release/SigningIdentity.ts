import { Context, type Effect } from "effect"
import type { SigningNotConfigured } from "../../domain/Release.ts"
import type { SealingIdentity } from "../pdf/Signer.ts"

/** The service seals documents with this certificate and key; production may be without them. */
export class SigningIdentity extends Context.Service<SigningIdentity, {
  readonly identity: Effect.Effect<SealingIdentity, SigningNotConfigured>
}>()("vrss/SigningIdentity") {}
