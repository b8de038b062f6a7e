import { Console, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { uuid } from "../../domain/Id.ts"
import { ask } from "./AdminService.ts"
import { argument, command, paging, readList, text, yes } from "./Asking.ts"
import { failure } from "./Failure.ts"
import { find, providers, veterans } from "./People.ts"
import { confirm, requireSomebody, showJson, showPage } from "./Screen.ts"
import { type Columns, momentOf, withoutControls } from "./Table.ts"

const signupColumns: Columns<any> = [
  ["ID", ({ id }) => id],
  ["E-MAIL", ({ email }) => email],
  ["JOINED", ({ createdAt }) => momentOf(createdAt)]
]

const list = command("list", paging, {
  description: "Lists the addresses on the waitlist. They go by themselves after two years.",
  examples: [["waitlist list --all", "All of them"]]
}, function*(input) {
  yield* showPage(input, signupColumns, yield* readList("/waitlist", input), "address")
})

const remove = command("remove", { who: argument("address", "The address, whole, or its id in the list"), yes }, {
  description: "Removes an address from the waitlist.",
  examples: [["waitlist remove falcon@example.org", "Asks first"]]
}, function*(input) {
  yield* requireSomebody(input.yes)
  const signup = uuid.test(input.who.toLowerCase())
    ? { id: input.who, email: input.who }
    : yield* signupOf(input.who)
  yield* confirm(input.yes, `${withoutControls(signup.email)} leaves the waitlist.`, withoutControls(signup.email))
  const answer = yield* ask("DELETE", `/waitlist/${signup.id}`)
  yield* input.json ? showJson(answer ?? {}) : Console.log("Removed.")
})

const signupOf = Effect.fnUntraced(function*(email: string) {
  const all = yield* readList("/waitlist", { all: true, limit: Option.none(), cursor: Option.none() })
  const found = all.items.find((one: any) => one.email.toLowerCase() === email.toLowerCase())
  return found ?? (yield* failure("unknown", `${withoutControls(email)} is not on the waitlist.`))
})

export const waitlistCommands = Command.make("waitlist").pipe(
  Command.withDescription("The waitlist: who would like to take part"),
  Command.withSubcommands([list, remove])
)

const actColumns: Columns<any> = [
  ["AT", ({ at }) => momentOf(at)],
  ["ACT", ({ act }) => act],
  ["TO A", ({ target }) => target.kind],
  ["TARGET", ({ target }) => target.id],
  ["KEY", ({ key }) => key],
  ["REQUEST", ({ requestId }) => requestId],
  ["REASON", ({ reason }) => reason ?? ""]
]

export const actsCommand = command("acts", {
  ...paging,
  target: text("target", "id", "What was done to this person, app or address"),
  provider: text("provider", "provider", "What was done to this provider: an id, e-mail or NPI"),
  veteran: text("veteran", "veteran", "What was done to this veteran: an id, vaPatientId or e-mail"),
  key: text("key", "name", "What was done with this secret of INTERNAL_ADMIN_SECRET"),
  from: text("from", "day or time", "The first day or instant, in UTC"),
  to: text("to", "day or time", "The last day or instant, in UTC")
}, {
  description: "Lists what operators did, the newest first.",
  examples: [
    ["acts --veteran 1012345678V123456", "Who did what to this veteran?"],
    ["acts --key anna --from 2026-11-01 --to 2026-11-30 --json", "What Anna did in November, for a report"]
  ]
}, function*(input) {
  const named = [input.target, input.provider, input.veteran].filter(Option.isSome)
  if (named.length > 1) {
    return yield* failure("usage", "Only one of --target, --provider and --veteran may be given.")
  }
  const person = Option.isSome(input.provider)
    ? yield* find(providers, input.provider.value)
    : Option.isSome(input.veteran)
    ? yield* find(veterans, input.veteran.value)
    : undefined
  const target = person === undefined ? input.target : Option.some(person.id)
  const { from, key, to } = input
  yield* showPage(input, actColumns, yield* readList("/acts", input, { target, key, from, to }), "act")
})
