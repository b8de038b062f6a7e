import { Effect } from "effect"
import { uuid } from "../../domain/Id.ts"
import { ask } from "./AdminService.ts"
import { argument } from "./Asking.ts"
import { failure } from "./Failure.ts"
import { type Columns, linesOf, momentOf, withoutControls } from "./Table.ts"

export const providerColumns: Columns<any> = [
  ["ID", ({ id }) => id],
  ["E-MAIL", ({ email }) => email],
  ["NAME", ({ displayName }) => displayName],
  ["ORGANIZATION", ({ organization }) => organization],
  ["NPI", ({ npi }) => npi ?? ""],
  ["DISABLED", ({ disabledAt }) => momentOf(disabledAt)]
]

export const veteranColumns: Columns<any> = [
  ["ID", ({ id }) => id],
  ["VA PATIENT", ({ vaPatientId }) => vaPatientId],
  ["CALL SIGN", ({ callSign }) => callSign],
  ["E-MAIL", ({ email }) => email],
  ["REGISTERED", ({ createdAt }) => momentOf(createdAt)]
]

/** One person of the service, and what to call them where something is confirmed. */
export interface Person {
  readonly id: string
  readonly label: string
}

interface Kind {
  readonly list: string
  readonly one: string
  /** The number by which such a person is found, if the name is neither an id nor an e-mail. */
  readonly number: string
  readonly columns: Columns<any>
  readonly label: (person: any) => string
}

export const providers: Kind = {
  list: "providers",
  one: "provider",
  number: "npi",
  columns: providerColumns,
  label: ({ email }) => email
}

export const veterans: Kind = {
  list: "veterans",
  one: "veteran",
  number: "vaPatientId",
  columns: veteranColumns,
  label: ({ vaPatientId }) => vaPatientId
}

/** Names the veteran whom a command is about. */
export const whichVeteran = argument("veteran", "The veteran's id, vaPatientId or e-mail, whole")

/** Finds the one person with this id, e-mail or number, each whole. An id is not looked up: the service checks it. */
export const find = Effect.fnUntraced(function*({ columns, label, list, number, one }: Kind, name: string) {
  const id = name.toLowerCase()
  if (uuid.test(id)) return { id, label: id } satisfies Person
  const member = name.includes("@") ? "email" : number
  const { items } = yield* ask("GET", `/${list}`, { query: { [member]: name, limit: "20" } })
  if (items.length === 0) {
    return yield* failure(
      "unknown",
      `No ${one} has the ${member} ${
        withoutControls(name)
      }. Is it spelt whole? "operator ${one} list --all" has all of them.`
    )
  }
  if (items.length > 1) {
    const known = items.flatMap((item: any) => ["", ...linesOf(columns, item)])
    return yield* failure(
      "unknown",
      [`Several have the ${member} ${withoutControls(name)}. Name one by its id:`, ...known].join("\n")
    )
  }
  return { id: items[0].id, label: withoutControls(label(items[0])) } as Person
})
