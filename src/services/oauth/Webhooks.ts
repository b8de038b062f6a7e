import { Clock, Data, Effect, Layer, Option, Redacted, Semaphore } from "effect"
import type { LookupAddress } from "node:dns"
import { request } from "node:https"
import type { ClientId } from "../../domain/Id.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { type Patience, sendDue } from "../mail/Outbox.ts"
import { signedMessages } from "../mail/SignedMessages.ts"
import { Settings } from "../platform/Settings.ts"
import { NotPublic, PublicAddresses } from "./PublicAddresses.ts"
import { webhookKey } from "./WebhookKey.ts"

/** An app's receiver did not take a message. The error names no address and quotes nothing of the receiver's answer. */
class NotDelivered extends Data.TaggedError("NotDelivered")<{ readonly message: string }> {}

/** Maximum time from the DNS look-up to the receiver's HTTP status, in milliseconds. */
const deadline = 10_000

/** A receiver that missed the deadline gets no message for this many milliseconds. */
const rest = 60_000

/** Seconds between the ten tries (Standard Webhooks, "Retries"). */
const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

const forThreeDays: Patience = { pauseAfter: (tries) => pauses[tries - 1], name: "ten tries" }

const types = {
  grant_revoked: "grant.revoked",
  grant_expired: "grant.expired",
  record_updated: "record.updated"
} as const

/**
 * Notifies an app that registered a webhook. It learns that a grant ended, or that the record has something new to
 * read. The messages (Standard Webhooks) contain no health data. Each receiver gets one message at a time. A slow
 * receiver gets none for a while, so that many slow receivers do not delay the others.
 */
export const Webhooks = Layer.effectDiscard(Effect.gen(function*() {
  const { webhookSecret } = yield* Settings
  const addressesOf = yield* PublicAddresses
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const turn = yield* Semaphore.make(1)
  /** The time until which an app gets nothing, in milliseconds; infinite while a message is on its way. */
  const busy = new Map<ClientId, number>()

  /** Only one fiber takes a message at a time. It marks the app as busy before the next fiber chooses a message. */
  const take = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    for (const [client, until] of busy) if (until <= now) busy.delete(client)
    const row = yield* outbox.takeWebhook([...busy.keys()])
    if (Option.isSome(row) && row.value.clientId !== null) busy.set(row.value.clientId, Infinity)
    return row
  }).pipe(Effect.uninterruptible, turn.withPermit)

  const deliver = Effect.fnUntraced(function*(
    { createdAt, id, kind, subjectId }: OutboxRepository.WebhookRow,
    clientId: ClientId,
    url: string
  ) {
    const failed = (why: string) => new NotDelivered({ message: `the webhook of app ${clientId} ${why}` })
    const signed = signedMessages(Redacted.value(webhookKey(webhookSecret, clientId)))
    const status = yield* Effect.tryPromise({
      try: async (signal) => {
        const { hostname, protocol } = new URL(url)
        if (protocol !== "https:") throw new NotPublic({ message: "it has no https" })
        const addresses = await addressesOf(hostname)
        signal.throwIfAborted()
        const message = { type: types[kind], timestamp: createdAt, data: { grantId: subjectId } }
        return await post(url, addresses, signed(id, message), signal)
      },
      catch: (error) =>
        failed(`cannot be reached (${error instanceof NotPublic ? error.message : (error as { code?: string }).code})`)
    }).pipe(
      Effect.timeoutOrElse({
        duration: deadline,
        orElse: () =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            busy.set(clientId, now + rest)
            return Effect.fail(failed("does not answer in time"))
          })
      }),
      // Shutdown does not wait for an app's answer; another process will deliver the message again.
      Effect.interruptible
    )
    if (status === 410) {
      yield* Effect.logWarning(`the webhook of app ${clientId} is gone (410): nothing more is sent to it`)
      yield* outbox.endWebhook(clientId)
      return
    }
    if (status < 200 || status > 299) return yield* failed(`answers ${status}`)
  })

  yield* sendDue({
    take,
    send: (row) => {
      const { clientId, url } = row
      if (clientId === null) return Effect.void
      const delivery: Effect.Effect<void, NotDelivered> = url === null ? Effect.void : deliver(row, clientId, url)
      return delivery.pipe(
        Effect.ensuring(Effect.sync(() => busy.get(clientId) === Infinity && busy.delete(clientId)))
      )
    },
    patience: forThreeDays,
    atOnce: 16
  })
}))

/** Returns the status and discards the body. Redirects are not followed. */
const post = (
  url: string,
  addresses: ReadonlyArray<LookupAddress>,
  { body, headers }: ReturnType<ReturnType<typeof signedMessages>>,
  signal: AbortSignal
) => {
  const { hostname, pathname, port, search } = new URL(url)
  return new Promise<number>((answer, fail) => {
    const [first] = addresses
    request({
      method: "POST",
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port,
      path: `${pathname}${search}`,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      maxHeaderSize: 8 * 1024,
      signal,
      lookup: (_, options, found) =>
        options.all === true ? found(null, [...addresses]) : found(null, first!.address, first!.family)
    }, (response) => {
      response.destroy()
      answer(response.statusCode ?? 0)
    }).on("error", fail).end(body)
  })
}
