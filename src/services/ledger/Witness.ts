import { Data, Effect, Layer, Option, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { SharedConnections } from "../../sql/Connections.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { sendDue } from "../mail/Outbox.ts"
import { Settings } from "../platform/Settings.ts"

/** The witness did not take a checkpoint. The message names no address and nothing that the witness said. */
export class NotWitnessed extends Data.TaggedError("NotWitnessed")<{ readonly message: string }> {}

/** In milliseconds. */
const deadline = 10_000

/**
 * Tells a witness of each new checkpoint, so that somebody else remembers what was signed: a Standard Webhooks message
 * (standardwebhooks.com) `checkpoint.signed`, signed with WEBHOOK_SECRET. Its id is the checkpoint's, however often it is sent.
 */
export const Witness = Layer.effectDiscard(Effect.gen(function*() {
  const { webhookSecret, witnessUrl } = yield* Settings
  const tree = TreeRepository.make(yield* SharedConnections)
  const webhook = makeWebhook(Redacted.value(webhookSecret))

  const post = (url: string, id: string, body: string) => {
    const now = new Date()
    return Effect.tryPromise({
      try: async () => {
        const response = await fetch(url, {
          method: "POST",
          redirect: "error",
          signal: AbortSignal.timeout(deadline),
          headers: {
            "content-type": "application/json",
            "user-agent": "veteran-records-sharing",
            "webhook-id": id,
            "webhook-timestamp": `${Math.floor(now.getTime() / 1000)}`,
            "webhook-signature": webhook.sign(id, now, body)
          },
          body
        })
        // What a witness says beside its status is of no use, and may have no end.
        await response.body?.cancel()
        return response
      },
      catch: (error) => new NotWitnessed({ message: `the witness cannot be reached (${codeOf(error)})` })
    }).pipe(
      Effect.filterOrFail(
        ({ ok }) => ok,
        ({ status }) => new NotWitnessed({ message: `the witness answers ${status}` })
      )
    )
  }

  yield* sendDue(
    ["checkpoint_signed"],
    Effect.fnUntraced(function*({ subjectId }) {
      const checkpoint = yield* tree.checkpoint(subjectId)
      // What was written while a witness was configured is for nobody, once there is none.
      if (witnessUrl === undefined || Option.isNone(checkpoint)) return
      const { createdAt, note, treeSize } = checkpoint.value
      const message = { type: "checkpoint.signed", timestamp: createdAt, data: { treeSize, checkpoint: note } }
      yield* post(witnessUrl, subjectId, JSON.stringify(message))
    })
  )
}))

/** A secret that was made for Standard Webhooks says so by its prefix, and is base64; of any other its bytes are the key. */
const makeWebhook = (secret: string) =>
  secret.startsWith("whsec_") ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: "raw" })

const codeOf = (error: unknown) => {
  const { cause, name } = error as { readonly cause?: { readonly code?: string }; readonly name: string }
  return cause?.code ?? name
}
