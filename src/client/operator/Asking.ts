import { Context, Effect, type Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { HttpClient } from "effect/http"
import { type Address, AdminService, ask } from "./AdminService.ts"
import type { OperatorFailed } from "./Failure.ts"
import { onOff } from "./Program.ts"

/** Finds the address and the secret of the service. Fails before anything is sent. */
export class AddressOf extends Context.Service<
  AddressOf,
  (url: string | undefined) => Effect.Effect<Address, OperatorFailed>
>()("vrss/client/operator/AddressOf") {}

const connection = {
  url: Flag.String("url").pipe(
    Flag.optional,
    Flag.withMetavar("address"),
    Flag.withDescription("The service: else OPERATOR_URL, else http://localhost:$PORT")
  ),
  json: onOff("json", "Print the service's JSON")
}

type Config = Command.Command.Config

interface Told {
  readonly description: string
  /** Each is a command line without `operator`, and what it is for. */
  readonly examples: ReadonlyArray<readonly [command: string, description: string]>
}

/** Makes a command that speaks to the service. It takes `--url` and `--json` besides its own flags. */
export const command = <const Name extends string, const Own extends Config>(
  name: Name,
  own: Own,
  { description, examples }: Told,
  steps: (
    input: Command.Command.Config.Infer<Own> & { readonly json: boolean }
  ) => Generator<Effect.Effect<any, OperatorFailed, AdminService>, void, never>
) => {
  const handler = Effect.fnUntraced(steps)
  return Command.make(name, { ...own, ...connection }, (input) => {
    const { url } = input as Command.Command.Config.Infer<typeof connection>
    return Effect.flatMap(
      AddressOf.use((addressOf) => addressOf(Option.getOrUndefined(url))),
      (address) =>
        Effect.provide(
          handler(input as never),
          AdminService.layer(address) as Layer.Layer<AdminService, never, HttpClient.HttpClient>
        )
    ) as Effect.Effect<unknown, OperatorFailed, AddressOf | HttpClient.HttpClient>
  }).pipe(
    Command.withDescription(description),
    Command.withExamples(examples.map(([command, description]) => ({ command: `operator ${command}`, description })))
  )
}

/** A flag with a text, which may be left out. */
export const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withMetavar(metavar), Flag.withDescription(description))

export const requiredText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

export const yes = onOff("yes", "Do not ask for a confirmation")

export const paging = {
  limit: Flag.Int("limit").pipe(Flag.optional, Flag.withDescription("How many at most, 1 to 200; 50 without it")),
  cursor: text("cursor", "cursor", "Go on where another page ended"),
  all: onOff("all", "Read all pages")
}

interface Pages {
  readonly limit: Option.Option<number>
  readonly cursor: Option.Option<string>
  readonly all: boolean
}

/** Returns a page of a list, or all pages as one. */
export const readList = Effect.fnUntraced(function*(
  path: string,
  { all, cursor, limit }: Pages,
  filter: Readonly<Record<string, Option.Option<string>>> = {}
) {
  const page = (after: string | undefined) =>
    ask("GET", path, {
      query: {
        ...givenMembers(filter),
        limit: all ? "200" : Option.getOrUndefined(Option.map(limit, String)),
        cursor: after
      }
    })
  let read = yield* page(Option.getOrUndefined(cursor))
  if (!all) return read
  const items: Array<any> = [...read.items]
  while (read.nextCursor !== null) {
    read = yield* page(read.nextCursor)
    items.push(...read.items)
  }
  return { items, nextCursor: null }
})

/** Returns the members that were given. */
export const givenMembers = <A>(members: Readonly<Record<string, Option.Option<A>>>): Record<string, A> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => Option.isSome(value) ? [[name, value.value]] : [])
  )
