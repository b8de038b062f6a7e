import { Console, Effect } from "effect"
import { createInterface } from "node:readline/promises"
import { failure, type OperatorFailed } from "./Failure.ts"
import { type Columns, linesOf, tableOf } from "./Table.ts"

export interface Shown {
  /** Print the service's answer itself, for a script. */
  readonly json: boolean
}

/** JSON escapes the control characters below U+0020. Some terminals obey those after U+007F too. */
const jsonText = (value: unknown) =>
  JSON.stringify(value).replace(
    /[\u007F-\u009F]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

export const showJson = (value: unknown) => Console.log(jsonText(value))

export const showItem = <Item>({ json }: Shown, columns: Columns<Item>, item: Item) =>
  json ? showJson(item) : Console.log(linesOf(columns, item).join("\n"))

interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/** Beside the table, says on standard error how many there are and how to read on. */
export const showPage = Effect.fnUntraced(
  function*<Item>({ json }: Shown, columns: Columns<Item>, page: Page<Item>, what: string) {
    if (json) return yield* showJson(page)
    const width = process.stdout.isTTY ? process.stdout.columns : undefined
    if (page.items.length > 0) yield* Console.log(tableOf(columns, page.items, width).join("\n"))
    if (page.items.length === 0) yield* Console.error(`no ${what}`)
    if (page.nextCursor !== null) yield* Console.error(`There are more: add --all, or --cursor ${page.nextCursor}`)
  }
)

const isAnybodyThere = () => process.stdin.isTTY && process.stderr.isTTY

/** Refuses, before anything is asked of the service, what nobody could confirm. */
export const requireSomebody = (yes: boolean): Effect.Effect<void, OperatorFailed> =>
  yes || isAnybodyThere()
    ? Effect.void
    : Effect.fail(
      failure("usage", "This cannot be undone, and nobody is there to confirm it. Add --yes to do it anyway.")
    )

/** Lets the person at the terminal type a word before what cannot be undone. */
export const confirm = Effect.fnUntraced(function*(yes: boolean, what: string, word: string) {
  if (yes) return
  yield* Console.error(what)
  const typed = yield* ask(`Type ${word} to go on: `)
  if (typed.trim() !== word) return yield* failure("usage", "This is not what was asked for. Nothing was done.")
})

const ask = (question: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => createInterface({ input: process.stdin, output: process.stderr })),
    (reader) =>
      Effect.tryPromise({
        // The promise of `question` stays open at the end of the input, so its end counts as an empty line.
        try: (signal) =>
          Promise.race([
            reader.question(question, { signal }),
            new Promise<string>((resolve) => reader.once("close", () => resolve("")))
          ]),
        catch: () => failure("usage", "Nothing was done.")
      }),
    (reader) => Effect.sync(() => reader.close())
  )
