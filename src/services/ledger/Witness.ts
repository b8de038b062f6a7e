import { Data, Effect, Layer, Option, Redacted } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { forADay } from "../mail/MailOutbox.ts"
import { sendDue } from "../mail/Outbox.ts"
import { signedMessages } from "../mail/SignedMessages.ts"
import { Settings } from "../platform/Settings.ts"

/** The witness did not accept a checkpoint. The message contains neither the witness's address nor its answer. */
export class NotWitnessed extends Data.TaggedError("NotWitnessed")<{ readonly message: string }> {}

/** Maximum time until a witness answers, in milliseconds. */
const deadline = 10_000

/**
 * Sends each new checkpoint to a witness, so that a third party remembers what was signed. The message is a
 * `checkpoint.signed` of Standard Webhooks (standardwebhooks.com), signed with WEBHOOK_SECRET. The message has the
 * checkpoint's id, so the id stays the same if the message is sent again.
 */
export const Witness = Layer.effectDiscard(Effect.gen(function*() {
  const { webhookSecret, witnessUrl } = yield* Settings
  const sql = yield* SharedConnections
  const tree = TreeRepository.make(sql)
  const signed = signedMessages(Redacted.value(webhookSecret))

  const post = (url: string, id: string, message: object) =>
    Effect.tryPromise({
      try: async () => {
        const response = await fetch(url, {
          method: "POST",
          redirect: "error",
          signal: AbortSignal.timeout(deadline),
          ...signed(id, message)
        })
        // The answer's body is not needed and may be endless, so it is not read.
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

  yield* sendDue({
    take: OutboxRepository.make(sql).taking("witness", ["checkpoint_signed"]),
    send: Effect.fnUntraced(function*({ subjectId }) {
      const checkpoint = yield* tree.checkpoint(subjectId)
      // Checkpoints in the outbox are dropped if the operator has removed the witness.
      if (witnessUrl === undefined || Option.isNone(checkpoint)) return
      const { createdAt, note, treeSize } = checkpoint.value
      const data = { treeSize, checkpoint: note }
      yield* post(witnessUrl, subjectId, { type: "checkpoint.signed", timestamp: createdAt, data })
    }),
    patience: forADay
  })
}))

const codeOf = (error: unknown) => {
  const { cause, name } = error as { readonly cause?: { readonly code?: string }; readonly name: string }
  return cause?.code ?? name
}
