import type { Problem } from "../shared/Problem.ts"

const refusals = new Set([
  "confirmation_required",
  "conflict",
  "deletion_pending",
  "forbidden",
  "invalid_request",
  "not_confirmed",
  "not_found",
  "payload_too_large",
  "rate_limited",
  "storage_full",
  "unauthenticated",
  "unsupported_media_type"
])

/**
 * True if the service has surely changed nothing. After any other problem it may have, and its answer was lost. Then
 * the app asks what became of the act before it offers it again.
 */
export const wasRefused = ({ error }: Problem) => refusals.has(error)
