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

/** An app's receiver did not take a message. The error's message names no address and nothing that the receiver said. */
class NotTold extends Data.TaggedError("NotTold")<{ readonly message: string }> {}

/** In milliseconds, from the look-up of the name to the status. */
const deadline = 10_000

/** In milliseconds: so long nobody waits for a receiver that let the deadline pass. */
const rest = 60_000

/** In seconds, between the ten tries (Standard Webhooks, "Retries"). */
const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

const forThreeDays: Patience = { pauseAfter: (tries) => pauses[tries - 1], name: "ten tries" }

const types = {
  grant_revoked: "grant.revoked",
  grant_expired: "grant.expired",
  record_updated: "record.updated"
} as const

/**
 * Tells apps that named an address for it what became of their grants, and that there is something new to read: Standard
 * Webhooks messages, which hold no health data. One receiver is told one thing at a time; those that are slow rest, so that a
 * crowd of them keeps nobody else waiting.
 */
export const Webhooks = Layer.effectDiscard(Effect.gen(function*() {
  const { webhookSecret } = yield* Settings
  const addressesOf = yield* PublicAddresses
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const turn = yield* Semaphore.make(1)
  /** Until when; for ever as long as something is on its way. */
  const busy = new Map<ClientId, number>()

  /** One fiber takes at a time: what is taken makes its app busy for whoever takes next. */
  const take = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    for (const [client, until] of busy) if (until <= now) busy.delete(client)
    const row = yield* outbox.takeWebhook([...busy.keys()])
    if (Option.isSome(row) && row.value.clientId !== null) busy.set(row.value.clientId, Infinity)
    return row
  }).pipe(Effect.uninterruptible, turn.withPermit)

  const tell = Effect.fnUntraced(function*(
    { createdAt, id, kind, subjectId }: OutboxRepository.WebhookRow,
    clientId: ClientId,
    url: string
  ) {
    const failed = (why: string) => new NotTold({ message: `the webhook of app ${clientId} ${why}` })
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
      // Whoever stops the service does not wait for an app: another process tells it once more.
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
      const told: Effect.Effect<void, NotTold> = url === null ? Effect.void : tell(row, clientId, url)
      return told.pipe(
        Effect.ensuring(Effect.sync(() => busy.get(clientId) === Infinity && busy.delete(clientId)))
      )
    },
    patience: forThreeDays,
    atOnce: 16
  })
}))

/** Answers the status, and reads nothing of what comes with it. No redirect is followed. */
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
