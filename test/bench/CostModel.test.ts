import { assert, describe, test } from "vitest"
import type { CostFigures } from "../../bench/CostFigures.ts"
import { type Assumptions, costOf, type Prices, wallsOf } from "../../bench/CostModel.ts"

const work = { quietSync: 1000, sentItem: 10, changedItem: 40, view: 20_000, request: 200 }

const figures: CostFigures = {
  item: { sent: 1000, heap: 1000, toast: 600, indexes: 400, toastValues: 0.1 },
  event: { bytes: 1000, perSync: 1 },
  wal: { filling: 1500, changed: 1000, changedAfterCheckpoint: 9000, syncAfterCheckpoint: 50_000 },
  postgres: work,
  node: { ...work, sentItem: 20 },
  drainedPerSecond: 8000,
  copiedPerSecond: 100e6,
  limitRows: 1,
  sweptPerSecond: 4000,
  connectionsOfProcess: 18
}

const assumed: Assumptions = {
  items: 5000,
  syncsADay: 1,
  changed: 100,
  viewsAMonth: 1,
  requestsADay: 10,
  mailsAMonth: 1,
  files: 5,
  fileMb: 1,
  eventYears: 6,
  peak: 5,
  busy: 0.5,
  maxConnections: 500,
  writerCores: 64,
  inMemory: 0.003,
  gbPerCore: 8,
  walMb: 200,
  diskTb: 16,
  backupHours: 8,
  physicalMb: 500,
  mailMs: 200
}

const prices: Prices = {
  databaseCoreHour: 0.13,
  databaseGbMonth: 0.2,
  processCoreHour: 0.05,
  fileGbMonth: 0.02,
  backupGbMonth: 0.02
}

const wallOf = (name: string, changes: Partial<Assumptions> = {}) =>
  wallsOf(figures, { ...assumed, ...changes }).find((wall) => wall.name === name)!.veterans

describe("The cost of a million veterans", () => {
  const cost = costOf(1_000_000, figures, assumed, prices)

  test("has 2,000 bytes for each of 5,000 items", () => {
    assert.strictEqual(cost.itemBytes, 10e12)
  })

  test("has five files of a megabyte for each veteran", () => {
    assert.strictEqual(cost.fileBytes, 5e12)
  })

  test("has an event for each sync and view of six years", () => {
    assert.closeTo(cost.eventBytes / 1e9, 6 * 365 * (1 + 1 / 30) * 1000 * 1_000_000 / 1e9, 1)
  })

  test("has five times the mean of 11.6 syncs in a second", () => {
    assert.closeTo(cost.syncsPerSecond, 57.87, 0.01)
  })

  test("has WAL of 100 changed items for each sync, and nine times as much and 50,000 bytes with images of pages", () => {
    assert.closeTo(cost.walPerSecond, 57.87 * 100 * 1000, 1000)
    assert.closeTo(cost.walPerSecondAfterCheckpoints, 57.87 * (100 * 9000 + 50_000), 9000)
  })

  test("has the processor time of syncs, views and small requests", () => {
    const syncs = 57.87 * (1000 + 5000 * 10 + 100 * 40)
    const views = 1_000_000 * 5 / (30 * 86_400) * 20_000
    const requests = 578.7 * 200
    assert.closeTo(cost.postgresCores, (syncs + views + requests) / 1e6, 0.01)
    assert.closeTo(cost.nodeCores, (syncs + views + requests + 57.87 * 5000 * 10) / 1e6, 0.01)
  })

  test("has processes of which each is half busy, with 18 connections each", () => {
    assert.strictEqual(cost.processes, Math.ceil(cost.nodeCores * 2))
    assert.strictEqual(cost.connections, cost.processes * 18)
  })
})

test("A database machine has as many cores as come with its memory, if these are more than the work needs", () => {
  const cost = costOf(1_000_000, figures, assumed, prices)
  assert.isBelow(cost.postgresCores, 4.1)
  assert.closeTo((cost.itemBytes + cost.eventBytes) / 1e9 * 0.003 / 8, 4.6, 0.1)
  assert.strictEqual(cost.databaseMachineCores, 8)
})

test("The smallest service has two processes and two database machines of two cores", () => {
  const cost = costOf(1, figures, assumed, prices)
  assert.strictEqual(cost.processes, 2)
  assert.strictEqual(cost.databaseMachineCores, 2)
  assert.closeTo(cost.dollarsAMonth, (4 * 0.13 + 2 * 0.05) * 720, 0.01)
})

describe("A wall", () => {
  test("of a table that is not in parts is at 32 TiB, and 64 parts move it by 64", () => {
    assert.closeTo(wallOf("a table that is not in parts"), 2 ** 45 / 5_000_000, 1)
    assert.closeTo(wallOf("a table in 64 parts") / wallOf("a table that is not in parts"), 64, 1e-9)
  })

  test("of TOAST counts the values that are outside of rows", () => {
    assert.closeTo(wallOf("TOAST of a table that is not in parts"), 2 ** 32 / 500, 1e-3)
  })

  test("of 100 connections is that of five processes", () => {
    assert.closeTo(wallOf("connections, 100") / wallOf("one process"), 5, 1e-9)
  })

  test("of mail is 5 a second for one process", () => {
    assert.closeTo(wallOf("mail of one process"), 5 / 5 * 30 * 86_400, 1e-3)
  })
})

/** Assumptions that differ from the defaults by powers of ten. */
const manifold: ReadonlyArray<Assumptions> = [10, 5000, 100_000].flatMap((items) =>
  [0.01, 1, 24].flatMap((syncsADay) =>
    [1, 5, 50].flatMap((peak) => [1, 1000].map((changed) => ({ ...assumed, items, syncsADay, peak, changed })))
  )
)

test("The walls are in their order under all assumptions", () => {
  for (const each of manifold) {
    const walls = wallsOf(figures, each).map(({ veterans }) => veterans)
    assert.deepStrictEqual(walls, walls.toSorted((a, b) => a - b))
    assert.isTrue(walls.every((veterans) => veterans > 0))
  }
})

test("More veterans cost no less, and twice the veterans have twice the bytes and the WAL", () => {
  for (const each of manifold) {
    for (const veterans of [1, 999, 10_000_000]) {
      const [one, two] = [costOf(veterans, figures, each, prices), costOf(2 * veterans, figures, each, prices)]
      assert.isAtLeast(two.dollarsAMonth, one.dollarsAMonth)
      assert.isAtLeast(two.processes, one.processes)
      assert.closeTo(two.itemBytes / one.itemBytes, 2, 1e-9)
      assert.closeTo(two.walPerSecond / one.walPerSecond, 2, 1e-9)
    }
  }
})

test("At a wall's number of veterans, the cost's figure is the wall's limit", () => {
  for (const each of manifold) {
    const at = (name: string) => {
      const { veterans } = wallsOf(figures, each).find((wall) => wall.name === name)!
      return costOf(veterans, figures, each, prices)
    }
    assert.closeTo(at("WAL without images of pages").walPerSecond / 200e6, 1, 1e-6)
    assert.closeTo(at("one writer's processor").postgresCores / 32, 1, 1e-6)
    assert.closeTo(at("drain").eventsPerSecond / 8000, 1, 1e-6)
    assert.closeTo(at("files on one disk").fileBytes / 16e12, 1, 1e-6)
  }
})
