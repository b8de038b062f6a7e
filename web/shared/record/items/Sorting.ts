import type { Line } from "../Messages.ts"
import { recordWords } from "../RecordLanguage.ts"
import { compareKinds } from "./Kinds.ts"

export interface Sorting {
  readonly by: "date" | "name" | "kind"
  readonly isDescending: boolean
}

export const newestFirst: Sorting = { by: "date", isDescending: true }

/** The sorting after a press on a column's head. A date begins with the newest, words begin with A. */
export const sortedNext = ({ by, isDescending }: Sorting, column: Sorting["by"]): Sorting => ({
  by: column,
  isDescending: column === by ? !isDescending : column === "date"
})

const compareDates = (a: Line, b: Line) => a.date < b.date ? -1 : a.date > b.date ? 1 : 0

/** The folded text begins with the title, so that case and accents do not matter. */
const compareNames = (a: Line, b: Line) => a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : 0

const compare = { date: compareDates, name: compareNames, kind: (a: Line, b: Line) => compareKinds(a.kind, b.kind) }

/** Sorts lines, which come newest first and stay so where they are equal. Lines without a date always come last. */
export const sorted = (lines: ReadonlyArray<Line>, { by, isDescending }: Sorting): ReadonlyArray<Line> => {
  const sign = isDescending ? -1 : 1
  const lastWithoutDate = (a: Line, b: Line) => by === "date" ? Number(a.date === "") - Number(b.date === "") : 0
  return lines.toSorted((a, b) => lastWithoutDate(a, b) || sign * compare[by](a, b))
}

/** How the table is sorted, in words. Null if it has the usual order, newest first. */
export const sortingWords = ({ by, isDescending }: Sorting): string | null => {
  const { kind, kindDown, name, nameDown, oldest } = recordWords().list.sortings
  switch (by) {
    case "date":
      return isDescending ? null : oldest
    case "name":
      return isDescending ? nameDown : name
    case "kind":
      return isDescending ? kindDown : kind
  }
}
