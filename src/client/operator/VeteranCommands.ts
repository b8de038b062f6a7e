import { Console } from "effect"
import { Command } from "effect/cli"
import { ask } from "./AdminService.ts"
import { argument, command, givenMembers, paging, readList, requiredText, text, yes } from "./Asking.ts"
import { failure } from "./Failure.ts"
import { find, veteranColumns, veterans, whichVeteran as who } from "./People.ts"
import { confirm, requireSomebody, showItem, showJson, showPage } from "./Screen.ts"
import { type Columns, momentOf } from "./Table.ts"
import { exportCommand } from "./VeteranExport.ts"
import { forgetCommands } from "./VeteranForgetting.ts"

const list = command("list", {
  ...paging,
  email: text("email", "address", "Those with this address, in any letter case"),
  vaPatientId: text("va-patient-id", "number", "The one with this number at the VA")
}, {
  description: "Lists the veterans, or finds some.",
  examples: [
    ["veteran list --va-patient-id 1012345678V123456", "One"],
    ["veteran list --email eagle@example.org", "All who share an address"]
  ]
}, function*(input) {
  const page = yield* readList("/veterans", input, { email: input.email, vaPatientId: input.vaPatientId })
  yield* showPage(input, veteranColumns, page, "veteran")
})

const add = command("add", {
  vaPatientId: requiredText("va-patient-id", "number", "The veteran's number at the VA"),
  callSign: requiredText("call-sign", "text", "What providers see"),
  email: requiredText("email", "address", "Where codes and notices go: take it from a source that you trust")
}, {
  description: "Registers a veteran.",
  examples: [[
    "veteran add --va-patient-id 1012345678V123456 --call-sign 'Eagle One' --email eagle@example.org",
    "The veteran can then sign in at the VA"
  ]]
}, function*(input) {
  const { callSign, email, vaPatientId } = input
  const body = { vaPatientId, callSign, email }
  yield* showItem(input, veteranColumns, yield* ask("POST", "/veterans", { body }))
})

const edit = command("edit", {
  who,
  email: text("email", "address", "Is told to the old address too; codes that went there stop working"),
  callSign: text("call-sign", "text", "What providers see"),
  vaPatientId: text("va-patient-id", "number", "After a merge at the VA; ends all sessions of the veteran")
}, {
  description: "Changes what is given.",
  examples: [
    ["veteran edit 1012345678V123456 --email eagle.one@example.org", "\"I changed my e-mail address\""],
    ["veteran edit 1012345678V123456 --va-patient-id 1012345678V999999", "After a merge at the VA"]
  ]
}, function*(input) {
  const { callSign, email, vaPatientId } = input
  const body = givenMembers({ email, callSign, vaPatientId })
  if (Object.keys(body).length === 0) return yield* failure("usage", "Say what to change: see --help.")
  const { id } = yield* find(veterans, input.who)
  yield* showItem(input, veteranColumns, yield* ask("PATCH", `/veterans/${id}`, { body }))
})

const codeColumns: Columns<any> = [["CODE", ({ code }) => code], ["WORKS UNTIL",
  ({ expiresAt }) => momentOf(expiresAt)]]

const pairingCode = command("pairing-code", { who }, {
  description:
    "Makes a code that pairs an account of the VA with the veteran. Hand it over in person: it works once, " +
    "and ends the code before it.",
  examples: [["veteran pairing-code 1012345678V123456", "The veteran types it where they sign in"]]
}, function*(input) {
  const { id } = yield* find(veterans, input.who)
  yield* showItem(input, codeColumns, yield* ask("POST", `/veterans/${id}/pairing-code`))
})

const identityColumns: Columns<any> = [
  ["ID", ({ id }) => id],
  ["ISSUER", ({ issuer }) => issuer],
  ["PAIRED", ({ pairedAt }) => momentOf(pairedAt)],
  ["HOW", ({ how }) => how]
]

const identities = command("identities", { who }, {
  description: "Lists the accounts of the VA that open the veteran's record.",
  examples: [["veteran identities 1012345678V123456", "Whose account is it?"]]
}, function*(input) {
  const { id } = yield* find(veterans, input.who)
  const page = yield* ask("GET", `/veterans/${id}/identities`)
  yield* showPage(input, identityColumns, page, "account of the VA")
})

const removeIdentity = command("remove-identity", {
  who,
  identity: argument("account", "The account's id, as \"veteran identities\" shows it"),
  yes
}, {
  description: "Removes an account of the VA. Ends all sessions of the veteran, and mails them.",
  examples: [["veteran remove-identity 1012345678V123456 018f…", "Then pair the right one by a pairing code"]]
}, function*(input) {
  yield* requireSomebody(input.yes)
  const { id, label } = yield* find(veterans, input.who)
  const what = `This account opens the record of ${label} no longer, and all their devices are signed out.`
  yield* confirm(input.yes, what, label)
  const path = `/veterans/${id}/identities/${encodeURIComponent(input.identity)}/remove`
  const answer = yield* ask("POST", path)
  yield* input.json ? showJson(answer ?? {}) : Console.log("Removed.")
})

const endedColumns: Columns<any> = [
  ["SESSIONS", ({ sessions }) => `${sessions}`],
  ["GRANTS", ({ grants }) => `${grants}`],
  ["APPS", ({ apps }) => `${apps}`],
  ["LINKS", ({ links }) => `${links}`],
  ["RELEASES", ({ releases }) => `${releases}`]
]

const endAccess = command("end-access", { who, yes }, {
  description: "Ends at once all sessions of the veteran and everything that they share, and mails them. Prints how " +
    "many of each were ended.",
  examples: [["veteran end-access 1012345678V123456", "\"I lost my phone\", \"somebody has my record\""]]
}, function*(input) {
  yield* requireSomebody(input.yes)
  const { id, label } = yield* find(veterans, input.who)
  const what = `All devices of ${label} are signed out, and nobody to whom they gave their record sees it any more.`
  yield* confirm(input.yes, what, label)
  yield* showItem(input, endedColumns, yield* ask("POST", `/veterans/${id}/end-access`))
})

export const veteranCommands = Command.make("veteran").pipe(
  Command.withDescription("Veterans: whose record it is"),
  Command.withSubcommands([
    list,
    add,
    edit,
    pairingCode,
    identities,
    removeIdentity,
    endAccess,
    ...forgetCommands,
    exportCommand
  ])
)
