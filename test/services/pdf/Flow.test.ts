import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Flow } from "../../../src/services/pdf/Flow.ts"
import type { Line } from "../../../src/services/pdf/Line.ts"
import { Objects } from "../../../src/services/pdf/Objects.ts"
import { Tags } from "../../../src/services/pdf/Tags.ts"

const [top, bottom] = [700, 100]

const Wanted = Schema.Struct({
  height: Schema.Literals([5, 14, 21, 90, 250]),
  gap: Schema.Literals([0, 3, 11]),
  keep: Schema.Boolean,
  headed: Schema.Boolean
})

interface Drawn {
  readonly page: number
  readonly top: number
  /** Its place in the list of added lines; a repeated header has no place there. */
  readonly line: number | "header"
}

const headerHeight = 14

/** Lays lines out over pages without writing a file. Returns where each line was drawn. */
const flowed = async (wanted: ReadonlyArray<typeof Wanted.Type>) => {
  const drawn: Array<Drawn> = []
  const objects = new Objects({ last: 0 }, [])
  const tags = new Tags(objects, 0)
  const flow = new Flow(objects, tags, { top, bottom })
  const piece = (line: Drawn["line"]) => ({
    tag: "artifact" as const,
    draw: (top: number) => {
      drawn.push({ page: flow.pages.length, top, line })
      return ""
    }
  })
  const again: ReadonlyArray<Line> = [{ height: headerHeight, gap: 0, keep: true, pieces: [piece("header")] }]
  const lines = wanted.map(({ gap, headed, height, keep }, index): Line => ({
    height,
    gap,
    keep,
    pieces: [piece(index)],
    ...headed && { again }
  }))
  for (const line of lines) await flow.add([line])
  await flow.end()
  return { drawn, count: flow.pages.length }
}

/** Repeats the lines six times, so that they fill several pages. */
const pages = <A>(some: ReadonlyArray<A>) => Array.from({ length: 6 }, () => some).flat()

describe("The flow of lines", () => {
  it.effect.prop(
    "draws each line once, in order, without overlaps",
    { some: Schema.Array(Wanted) },
    ({ some }) =>
      Effect.promise(async () => {
        const wanted = pages(some)
        const { count, drawn } = await flowed(wanted)
        assert.deepStrictEqual(drawn.flatMap(({ line }) => line === "header" ? [] : [line]), [...wanted.keys()])
        assert.strictEqual(count, new Set(drawn.map(({ page }) => page)).size)
        drawn.forEach(({ line, page, top: at }, index) => {
          const height = line === "header" ? headerHeight : wanted[line]!.height
          const before = drawn[index - 1]
          const isFirst = before === undefined || before.page !== page
          const under = isFirst
            ? top
            : before.top - (before.line === "header" ? headerHeight : wanted[before.line]!.height)
          const gap = isFirst || line === "header" ? 0 : wanted[line]!.gap
          assert.strictEqual(at, under - gap)
          assert.isAtLeast(at - height, bottom)
          // A header is at the top of a page, above a line that requires a header. A line that requires a header is
          // never the first on its page.
          if (line === "header") assert.isTrue(isFirst && wanted[drawn[index + 1]!.line as number]!.headed)
          else if (isFirst) assert.isFalse(wanted[line]!.headed)
        })
      })
  )

  it.effect.prop(
    "keeps together the lines that must stay together, if a page has room for them",
    { some: Schema.Array(Wanted) },
    ({ some }) =>
      Effect.promise(async () => {
        const wanted = pages(some)
        const { drawn } = await flowed(wanted)
        const pageOf = new Map(drawn.map(({ line, page }) => [line, page]))
        let first = 0
        wanted.forEach(({ keep }, index) => {
          if (keep && index < wanted.length - 1) return
          const group = wanted.slice(first, index + 1)
          const height = group.reduce((sum, { gap, height }) => sum + gap + height, headerHeight)
          if (height <= top - bottom) assert.strictEqual(pageOf.get(first), pageOf.get(index))
          first = index + 1
        })
      })
  )

  it.effect.prop(
    "leaves no space that the next lines would have filled",
    { some: Schema.Array(Wanted) },
    ({ some }) =>
      Effect.promise(async () => {
        const wanted = pages(some)
        const { drawn } = await flowed(wanted)
        drawn.forEach(({ line, page, top: at }, index) => {
          const next = drawn.slice(index + 1).find(({ line }) => line !== "header")
          if (line === "header" || next === undefined || next.page === page) return
          // The line that begins the next page did not fit here together with the lines that must stay with it.
          const rest = wanted.slice(next.line as number)
          const together = rest.slice(0, rest.findIndex(({ keep }) => !keep) + 1 || undefined)
          const needed = together.reduce((sum, { gap, height }) => sum + gap + height, 0)
          const kept = wanted[line]!.keep
          assert.isTrue(kept || at - wanted[line]!.height - needed < bottom)
        })
      })
  )
})
