import { Context, Effect, Exit, Request, RequestResolver, Tracer } from "effect"
import { awaitAnswer, type EdgeError, withDefects } from "./Connections.ts"

/** Each key of a rate limit takes a lock. PostgreSQL has room for 64 per transaction by default (its manual, 19.12). */
const maxBatch = 64

const nextTurn = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/**
 * Joins the inputs of one turn of the event loop in one statement, so that concurrent requests share a round trip.
 * `load` answers in the order of its inputs. If it fails, every caller fails. A caller waits no longer than its own
 * request may. The statement is interrupted only after every caller was interrupted.
 *
 * Only tables without row-level security can be read this way, because a transaction has one actor.
 */
export const batched = <In, A>(
  load: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<A>, EdgeError>
): (input: In) => Effect.Effect<A> => {
  class Question extends Request.Class<{ readonly input: In }, A> {
    leave: (() => void) | undefined = undefined
  }
  const resolver = RequestResolver.make<Question>((entries) =>
    withDefects(load(entries.map(({ request }) => request.input))).pipe(
      Effect.map((answers) => entries.forEach((entry, index) => entry.completeUnsafe(Exit.succeed(answers[index]!)))),
      Effect.raceFirst(allLeft(entries.map(({ request }) => request))),
      // The statement is part of the first caller's trace, and of no caller's transaction.
      Effect.updateContext(Context.pick(Tracer.Tracer, Tracer.ParentSpan))
    )
  ).pipe(RequestResolver.batchN(maxBatch), RequestResolver.setDelayEffect(nextTurn))
  return (input) =>
    awaitAnswer((answer, { context }) => {
      const question = new Question({ input })
      const cancel = Effect.requestUnsafe(question, { resolver, onExit: answer, context })
      return () => {
        cancel()
        question.leave?.()
      }
    })
}

const allLeft = (questions: ReadonlyArray<{ leave: (() => void) | undefined }>) =>
  Effect.callback<never>((resume) => {
    let waiting = questions.length
    for (const question of questions) question.leave = () => --waiting === 0 && resume(Effect.interrupt)
  })
