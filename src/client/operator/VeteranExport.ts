import { Console, Effect, Stream } from "effect"
import { Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { link, open, rename, rm } from "node:fs/promises"
import { AdminService } from "./AdminService.ts"
import { command, yes } from "./Asking.ts"
import { failure } from "./Failure.ts"
import { find, veterans, whichVeteran as who } from "./People.ts"
import { showJson } from "./Screen.ts"
import { reason } from "./VeteranForgetting.ts"

const flags = {
  reason,
  out: Flag.String("out").pipe(Flag.withMetavar("file.zip"), Flag.withDescription("Where the ZIP file goes")),
  yes: yes.pipe(Flag.withDescription("Replace the file if there is one"))
}

const taken = (file: string) =>
  failure("usage", `${file} is there already. Name another file, or add --yes to replace it.`)

const notWritten = (file: string) => (error: unknown) =>
  failure("failed", `${file} cannot be written: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`)

/** Everything that is held of a veteran, as one file that only its owner may read. */
export const exportCommand = command("export", { who, ...flags }, {
  description:
    "Writes everything that is held of a veteran into a ZIP file, which only you may read. The veteran is mailed.",
  examples: [[
    "veteran export 1012345678V123456 --reason 'letter of Nov 26' --out eagle.zip",
    "\"I want all that you have of me\""
  ]]
}, function*(input) {
  const { out } = input
  if (!input.yes && existsSync(out)) return yield* taken(out)
  const { download } = yield* AdminService
  const { id } = yield* find(veterans, input.who)
  const bytes = yield* write(out, input.yes, download(`/veterans/${id}/export`, { reason: input.reason }))
  yield* input.json ? showJson({ file: out, bytes }) : Console.log(`${out}: ${bytes} bytes`)
})

type Download = ReturnType<AdminService["Service"]["download"]>

/** The file has its name only when it is whole. Until then it is beside it, and is removed if anything fails. */
const write = Effect.fnUntraced(function*(out: string, replace: boolean, download: Download) {
  const partial = `${out}.part`
  const opened = Effect.tryPromise({ try: () => open(partial, "wx", 0o600), catch: notWritten(partial) })
  return yield* Effect.acquireUseRelease(
    opened,
    (file) =>
      Effect.gen(function*() {
        let bytes = 0
        yield* Stream.runForEach(yield* download, (chunk) => {
          bytes += chunk.length
          return Effect.tryPromise({ try: () => file.writeFile(chunk), catch: notWritten(partial) })
        })
        yield* Effect.tryPromise({ try: () => file.sync(), catch: notWritten(partial) })
        yield* Effect.tryPromise({
          // Unlike a rename, a link replaces no file that came meanwhile.
          try: () => replace ? rename(partial, out) : link(partial, out),
          catch: (error) => (error as NodeJS.ErrnoException).code === "EEXIST" ? taken(out) : notWritten(out)(error)
        })
        return bytes
      }),
    (file) =>
      Effect.promise(async () => {
        await file.close()
        await rm(partial, { force: true })
      })
  )
})
