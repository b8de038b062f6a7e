import { assert, describe, test } from "vitest"
import { makeBounds, ReleaseTooLarge } from "../../../src/services/release/ReleaseBounds.ts"

const mebibyte = 1024 * 1024

/**
 * Counts resources of these sizes in a release with `documentBytes` of documents. If one is refused, returns its
 * position, counted from 1, and the message. The position is 0 if the documents alone are refused.
 */
const refusal = (documentBytes: number, sizes: ReadonlyArray<number>) => {
  let at = 0
  try {
    const count = makeBounds(documentBytes)
    for (const size of sizes) {
      at++
      count(size)
    }
    return undefined
  } catch (error) {
    assert.instanceOf(error, ReleaseTooLarge)
    return [at, (error as ReleaseTooLarge).message]
  }
}

const items = "A release holds 20,000 items at most. Choose fewer kinds of record, or a shorter range of dates."

const resources = "A release holds 64 MiB of record at most. Choose fewer kinds of record, or a shorter range of dates."

const all =
  "A release holds 100 MiB at most with its documents. Choose fewer documents, fewer kinds of record, or a shorter range of dates."

describe("A release", () => {
  test.each<readonly [string, number, ReadonlyArray<number>, unknown]>([
    ["of nothing", 0, [], undefined],
    ["of 20,000 items", 0, Array(20_000).fill(1), undefined],
    ["of 20,001 items, however small", 0, Array(20_001).fill(0), [20_001, items]],
    ["of 64 MiB", 0, [60 * mebibyte, 4 * mebibyte], undefined],
    ["of 64 MiB, plus a byte", 0, [60 * mebibyte, 4 * mebibyte, 1], [3, resources]],
    ["of one resource that is too large", 0, [64 * mebibyte + 1], [1, resources]],
    ["of 100 MiB with documents", 36 * mebibyte, [64 * mebibyte], undefined],
    ["of 100 MiB, plus a byte of documents", 36 * mebibyte + 1, [64 * mebibyte], [1, all]],
    ["of 100 MiB, plus a byte of resources", 99 * mebibyte, [mebibyte, 1], [2, all]],
    ["of documents that are too large by themselves", 100 * mebibyte + 1, [], [0, all]],
    ["of documents alone", 100 * mebibyte, [], undefined]
  ])("%s", (_, documentBytes, sizes, expected) => {
    assert.deepStrictEqual(refusal(documentBytes, sizes), expected)
  })
})
