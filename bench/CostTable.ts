import type { CostFigures, CostMeasured } from "./CostFigures.ts"
import type { Assumptions, Cost, Prices, Wall } from "./CostModel.ts"
import { drawn } from "./Table.ts"

/** Three digits are more than the assumptions are good for. */
const short = (value: number) =>
  value >= 100 ? Number(value.toPrecision(3)).toLocaleString("en-US") : Number(value.toPrecision(2)).toString()

/** KB, MB, GB and TB are powers of 1,000. */
const bytes = (value: number) => {
  const unit = [["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3]] as const
  const [name, size] = unit.find(([, size]) => value >= size) ?? ["B", 1] as const
  return `${short(value / size)} ${name}`
}

const rate = (value: number) => `${short(value)}/s`

const measuredRows = ({ event, item, node, postgres, wal, ...rest }: CostFigures) => [
  ["FHIR of an item, as sent", bytes(item.sent)],
  ["its table, TOAST and indexes", `${bytes(item.heap)} + ${bytes(item.toast)} + ${bytes(item.indexes)}`],
  ["TOAST values of an item", short(item.toastValues)],
  ["WAL of an item in a first sync", bytes(wal.filling)],
  ["WAL of a changed item, without images of pages", bytes(wal.changed)],
  [
    "WAL of a changed item, and of its sync, first since a checkpoint",
    `${bytes(wal.changedAfterCheckpoint)}; ${bytes(wal.syncAfterCheckpoint)}`
  ],
  ["an event: bytes, and events of a sync", `${bytes(event.bytes)}, ${short(event.perSync)}`],
  ...([["PostgreSQL", postgres], ["node", node]] as const).map(([name, work]) => [
    `${name}'s processor: quiet sync; item sent; item changed; view; request`,
    `${
      [work.quietSync, work.sentItem, work.changedItem, work.view, work.request].map((each) => `${short(each)}`)
        .join("; ")
    } µs`
  ]),
  ["leaves drained in a second of PostgreSQL's processor", short(rest.drainedPerSecond)],
  ["what COPY reads in a second of PostgreSQL's processor", bytes(rest.copiedPerSecond)],
  ["rows of limits of a request; swept in a second", `${short(rest.limitRows)}; ${short(rest.sweptPerSecond)}`],
  ["connections of a process", short(rest.connectionsOfProcess)]
]

const costRow = (cost: Cost) => [
  cost.veterans.toLocaleString("en-US"),
  bytes(cost.itemBytes),
  bytes(cost.eventBytes),
  bytes(cost.fileBytes),
  rate(cost.syncsPerSecond),
  short(cost.postgresCores),
  short(cost.nodeCores),
  `${cost.processes}; ${cost.connections}`,
  `${bytes(cost.walPerSecond)}/s; ${bytes(cost.walPerSecondAfterCheckpoints)}/s`,
  bytes(cost.fillingWal),
  `2 × ${cost.databaseMachineCores}`,
  `$${short(cost.dollarsAMonth)}`,
  `${short(cost.dollarsAMonth / cost.veterans * 100)} ct`
]

const costHead = ["Veterans", "Items", "Events", "Files", "Syncs", "PostgreSQL's cores", "node's cores",
  "Processes; connections", "WAL without; with images of pages", "First filling's WAL", "Database machines' cores",
  "A month", "A veteran"]

const roundedDown = (value: number) => Number(value.toPrecision(2)).toLocaleString("en-US")

export const report = (
  { assumed, costs, figures, ground, prices, walls }: CostMeasured & {
    readonly assumed: Assumptions
    readonly prices: Prices
    readonly costs: ReadonlyArray<Cost>
    readonly walls: ReadonlyArray<Wall>
  }
) =>
  [
    `Measured ${ground.at} on ${ground.cores} cores (${ground.processor}), PostgreSQL ${ground.postgres}, with ${
      ground.items.toLocaleString("en-US")
    } items of ${ground.veterans} veterans; load ${ground.load.map((load) => load.toFixed(1)).join(" to ")}:`,
    drawn([["Figure", "Measured"], ...measuredRows(figures)]),
    `Assumed: ${Object.entries(assumed).map(([name, value]) => `${name} ${value}`).join(", ")}.`,
    `Prices in dollars, rough: ${Object.entries(prices).map(([name, value]) => `${name} ${value}`).join(", ")}.`,
    "By arithmetic from these; rates are those of the peak; kB, MB, GB and TB are powers of 1,000:",
    drawn([costHead, ...costs.map(costRow)]),
    drawn([
      ["Wall", "Limit", "Veterans"],
      ...walls.map((
        { isPassed, limit, name, veterans }
      ) => [name, limit, `${roundedDown(veterans)}${isPassed ? " (before parts)" : ""}`])
    ])
  ].join("\n\n")
