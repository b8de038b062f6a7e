import { Console, Option } from "effect"
import { Command } from "effect/cli"
import { ask } from "./AdminService.ts"
import { argument, command, givenMembers, paging, readList, requiredText, text, yes } from "./Asking.ts"
import { failure } from "./Failure.ts"
import { find, providerColumns, providers } from "./People.ts"
import { onOff } from "./Program.ts"
import { confirm, requireSomebody, showItem, showJson, showPage } from "./Screen.ts"

const who = argument("provider", "The provider's id, e-mail or NPI, whole")

const list = command("list", {
  ...paging,
  email: text("email", "address", "The one with this address, in any letter case"),
  npi: text("npi", "number", "Those with this National Provider Identifier")
}, {
  description: "Lists the providers, or finds some.",
  examples: [
    ["provider list --all", "All of them"],
    ["provider list --email ada.gray@clinic.example --json", "One, for a script"]
  ]
}, function*(input) {
  const page = yield* readList("/providers", input, { email: input.email, npi: input.npi })
  yield* showPage(input, providerColumns, page, "provider")
})

const add = command("add", {
  email: requiredText("email", "address", "Where the link to choose a password goes; the provider signs in with it"),
  name: requiredText("name", "text", "As veterans see it"),
  organization: requiredText("organization", "text", "The clinic, as veterans see it"),
  npi: text("npi", "number", "The National Provider Identifier")
}, {
  description: "Registers a provider, who is mailed a link to choose a password.",
  examples: [[
    "provider add --email ada.gray@clinic.example --name 'Dr. Ada Gray' --organization 'Gray Clinic'",
    "The mail goes out at once"
  ]]
}, function*(input) {
  const { email, name: displayName, npi, organization } = input
  const body = { email, displayName, organization, ...givenMembers({ npi }) }
  yield* showItem(input, providerColumns, yield* ask("POST", "/providers", { body }))
})

const edit = command("edit", {
  who,
  email: text("email", "address", "Is told to the old address too"),
  name: text("name", "text", "As veterans see it"),
  organization: text("organization", "text", "The clinic, as veterans see it"),
  npi: text("npi", "number", "The National Provider Identifier"),
  noNpi: onOff("no-npi", "Remove the National Provider Identifier")
}, {
  description: "Changes what is given. The provider stays signed in.",
  examples: [
    ["provider edit ada.gray@clinic.example --name 'Dr. Ada Smith' --email ada.smith@clinic.example", "A married name"],
    ["provider edit 1234567893 --organization 'Smith Clinic'", "Found by the NPI"]
  ]
}, function*(input) {
  const { email, name: displayName, noNpi, organization } = input
  if (noNpi && Option.isSome(input.npi)) {
    return yield* failure("usage", "--npi and --no-npi do not go together.")
  }
  const npi = noNpi ? Option.some(null) : input.npi
  const body = givenMembers({ email, displayName, organization, npi })
  if (Object.keys(body).length === 0) return yield* failure("usage", "Say what to change: see --help.")
  const { id } = yield* find(providers, input.who)
  yield* showItem(input, providerColumns, yield* ask("PATCH", `/providers/${id}`, { body }))
})

const disable = command("disable", { who, yes }, {
  description: "Ends the provider's sessions and hides every record from them, at once.",
  examples: [["provider disable ada.gray@clinic.example", "Asks first"]]
}, function*(input) {
  yield* requireSomebody(input.yes)
  const { id, label } = yield* find(providers, input.who)
  yield* confirm(input.yes, `${label} is signed out and sees no record any more. Unsaved work is lost.`, label)
  yield* showItem(input, providerColumns, yield* ask("POST", `/providers/${id}/disable`))
})

const enable = command("enable", { who }, {
  description: "Lets a disabled provider sign in again. Shares that are still in force work again.",
  examples: [["provider enable ada.gray@clinic.example", "After a wrong disable, or a leave"]]
}, function*(input) {
  const { id } = yield* find(providers, input.who)
  yield* showItem(input, providerColumns, yield* ask("POST", `/providers/${id}/enable`))
})

const passwordLink = command("password-link", { who }, {
  description: "Mails the provider a link to choose a password. It works for an hour, and ends the link before it.",
  examples: [["provider password-link ada.gray@clinic.example", "\"I cannot sign in\""]]
}, function*(input) {
  const { id, label } = yield* find(providers, input.who)
  const answer = yield* ask("POST", `/providers/${id}/password-link`)
  yield* input.json ? showJson(answer ?? {}) : Console.log(`A link goes to the address of ${label}.`)
})

export const providerCommands = Command.make("provider").pipe(
  Command.withDescription("Providers: who may sign in at the portal"),
  Command.withSubcommands([list, add, edit, disable, enable, passwordLink])
)
