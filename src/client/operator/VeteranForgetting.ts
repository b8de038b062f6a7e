import { Console, Effect } from "effect"
import { ask } from "./AdminService.ts"
import { command, requiredText, yes } from "./Asking.ts"
import { failure } from "./Failure.ts"
import { find, veterans, whichVeteran as who } from "./People.ts"
import { confirm, requireSomebody, showItem, showJson } from "./Screen.ts"
import { type Columns, momentOf } from "./Table.ts"

/** Why, in words that are kept for good. */
export const reason = requiredText(
  "reason",
  "text",
  "Why: a ticket's number, no person's name; it is kept with the act"
)

const columns: Columns<any> = [["IS FORGOTTEN AT", ({ endsAt }) => momentOf(endsAt)]]

const forget = command("forget", { who, reason, yes }, {
  description: "Forgets a veteran in 72 hours. Everything that is shared ends at once, and the veteran is mailed. " +
    "Until then it can be cancelled.",
  examples: [["veteran forget 1012345678V123456 --reason 'letter of Nov 26'", "\"Forget me\""]]
}, function*(input) {
  yield* requireSomebody(input.yes)
  const { id, label } = yield* find(veterans, input.who)
  const what = `Everything that ${label} shares ends now. In 72 hours their record is gone for good.`
  yield* confirm(input.yes, what, label)
  const body = { reason: input.reason }
  yield* showItem(input, columns, yield* ask("POST", `/veterans/${id}/deletion`, { body }))
})

const cancel = command("cancel-forget", { who }, {
  description: "Cancels it. What was shared before does not come back.",
  examples: [["veteran cancel-forget 1012345678V123456", "\"I changed my mind\""]]
}, function*(input) {
  const { id, label } = yield* find(veterans, input.who)
  const answer = yield* ask("POST", `/veterans/${id}/deletion/cancel`)
  yield* input.json ? showJson(answer ?? {}) : Console.log(`${label} is not forgotten.`)
})

const state = command("deletion", { who }, {
  description: "Says when a veteran is forgotten. Exit code 3: nobody asked for it.",
  examples: [["veteran deletion 1012345678V123456", "How much time is left?"]]
}, function*(input) {
  const { id, label } = yield* find(veterans, input.who)
  const state = yield* ask("GET", `/veterans/${id}/deletion`).pipe(
    Effect.mapError((failed) =>
      failed.why === "unknown"
        ? failure("unknown", `Nobody asked to forget ${label}, or it was cancelled, or is done.`)
        : failed
    )
  )
  yield* showItem(input, columns, state)
})

export const forgetCommands = [forget, cancel, state] as const
