import { Context, type Effect } from "effect"
import type { SigningNotConfigured } from "../../domain/Release.ts"
import type { SealingIdentity } from "../pdf/Seal.ts"

/** The service's certificate and key, with which it seals documents; production may be without. */
export class SigningIdentity extends Context.Service<SigningIdentity, {
  readonly identity: Effect.Effect<SealingIdentity, SigningNotConfigured>
}>()("vrss/SigningIdentity") {}
