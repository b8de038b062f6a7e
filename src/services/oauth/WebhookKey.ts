import { Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import type { ClientId } from "../../domain/Id.ts"

/**
 * An app's own key of Standard Webhooks, derived from WEBHOOK_SECRET: it is stored nowhere, and tells nothing of the root or of
 * another app's.
 */
export const webhookKey = (root: Redacted.Redacted, clientId: ClientId) =>
  Redacted.make(
    `whsec_${
      Buffer.from(hkdfSync("sha256", Redacted.value(root), "", `vrss/1/webhook/${clientId}`, 32)).toString("base64")
    }`
  )
