import { Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import type { ClientId } from "../../domain/Id.ts"

/** An app's key for Standard Webhooks, derived from WEBHOOK_SECRET. It is stored nowhere, and reveals no other key. */
export const webhookKey = (root: Redacted.Redacted, clientId: ClientId) =>
  Redacted.make(
    `whsec_${
      Buffer.from(hkdfSync("sha256", Redacted.value(root), "", `vrss/1/webhook/${clientId}`, 32)).toString("base64")
    }`
  )
