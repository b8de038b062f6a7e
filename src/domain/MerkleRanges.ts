/** The leaves `from` to `to - 1`. Each element of a proof is the hash of one range. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Where a tree over these leaves is split: its left side is the largest full tree that is smaller than the whole. */
const middleOf = ({ from, to }: Range) => {
  let width = 1
  while (2 * width < to - from) width *= 2
  return from + width
}

/** The ranges of an inclusion proof, from the leaf's sibling to the root's child (RFC 6962, 2.1.1). */
export const inclusionRanges = (index: number, size: number): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = middleOf({ from, to })
    if (index < middle) {
      ranges.unshift({ from: middle, to })
      to = middle
    } else {
      ranges.unshift({ from, to: middle })
      from = middle
    }
  }
  return ranges
}

/** The ranges of a consistency proof, in order. There are none if the older tree is empty or equals the newer one. */
export const consistencyRanges = (older: number, newer: number): ReadonlyArray<Range> => {
  if (older === 0) return []
  const ranges: Array<Range> = []
  let [from, to] = [0, newer]
  while (older < to) {
    const middle = middleOf({ from, to })
    if (older <= middle) {
      ranges.unshift({ from: middle, to })
      to = middle
    } else {
      ranges.unshift({ from, to: middle })
      from = middle
    }
  }
  // The range that begins at the first leaf is the older tree itself, whose root the verifier has.
  return from === 0 ? ranges : [{ from, to }, ...ranges]
}
