import type { CostFigures, Work } from "./CostFigures.ts"

/** What is assumed of veterans and machines. `cost` has a flag with a default for each. */
export interface Assumptions {
  readonly items: number
  readonly syncsADay: number
  readonly changed: number
  readonly viewsAMonth: number
  readonly requestsADay: number
  readonly mailsAMonth: number
  readonly files: number
  readonly fileMb: number
  readonly eventYears: number
  /** The busiest second of a day, as a multiple of the day's mean. */
  readonly peak: number
  /** The share of a core that may be busy at the peak. */
  readonly busy: number
  readonly maxConnections: number
  readonly writerCores: number
  /** The share of the database that its machine holds in memory. */
  readonly inMemory: number
  readonly gbPerCore: number
  readonly walMb: number
  readonly diskTb: number
  readonly backupHours: number
  readonly physicalMb: number
  readonly mailMs: number
}

/** US dollars. */
export interface Prices {
  readonly databaseCoreHour: number
  readonly databaseGbMonth: number
  readonly processCoreHour: number
  readonly fileGbMonth: number
  readonly backupGbMonth: number
}

export interface Cost {
  readonly veterans: number
  readonly itemBytes: number
  readonly eventBytes: number
  readonly fileBytes: number
  readonly syncsPerSecond: number
  readonly postgresCores: number
  readonly nodeCores: number
  readonly processes: number
  readonly connections: number
  readonly walPerSecond: number
  readonly walPerSecondAfterCheckpoints: number
  readonly fillingWal: number
  readonly eventsPerSecond: number
  readonly databaseMachineCores: number
  readonly dollarsAMonth: number
}

const day = 86_400
const month = 30 * day

/** The limit of a table in PostgreSQL: 2^32 - 1 pages of 8 KiB. */
const tableBytes = (2 ** 32 - 1) * 8192
const parts = 64
const auroraBytes = 128 * 2 ** 40

/** What one veteran costs. Rates are those of the peak. */
export const ofVeteran = (figures: CostFigures, assumed: Assumptions) => {
  const { item, wal } = figures
  const syncs = assumed.syncsADay * assumed.peak / day
  const views = assumed.viewsAMonth * assumed.peak / month
  const requests = assumed.requestsADay * assumed.peak / day
  const work = ({ changedItem, quietSync, request, sentItem, view }: Work) =>
    (syncs * (quietSync + assumed.items * sentItem + assumed.changed * changedItem) + views * view + requests * request)
    / 1e6
  const events = syncs * figures.event.perSync + views
  return {
    itemBytes: assumed.items * (item.heap + item.toast + item.indexes),
    eventBytes: events / assumed.peak * day * 365 * assumed.eventYears * figures.event.bytes,
    fileBytes: assumed.files * assumed.fileMb * 1e6,
    syncs,
    events,
    requests: syncs + views + requests,
    postgresCores: work(figures.postgres),
    nodeCores: work(figures.node),
    wal: syncs * assumed.changed * wal.changed,
    walAfterCheckpoints: syncs * (wal.syncAfterCheckpoint + assumed.changed * wal.changedAfterCheckpoint),
    fillingWal: assumed.items * wal.filling,
    mails: assumed.mailsAMonth * assumed.peak / month
  }
}

/** Machines are sold with 2, 4, 8, … cores. */
const sold = (cores: number) => 2 ** Math.max(1, Math.ceil(Math.log2(cores)))

export const costOf = (veterans: number, figures: CostFigures, assumed: Assumptions, prices: Prices): Cost => {
  const one = ofVeteran(figures, assumed)
  const [itemBytes, eventBytes, fileBytes] = [one.itemBytes, one.eventBytes, one.fileBytes].map((each) =>
    each * veterans
  ) as [number, number, number]
  const postgresCores = one.postgresCores * veterans
  const nodeCores = one.nodeCores * veterans
  // Two, so that one may be replaced.
  const processes = Math.max(2, Math.ceil(nodeCores / assumed.busy))
  const databaseGb = (itemBytes + eventBytes) / 1e9
  const databaseMachineCores = sold(
    Math.max(postgresCores / assumed.busy, databaseGb * assumed.inMemory / assumed.gbPerCore)
  )
  const hours = month / 3600
  return {
    veterans,
    itemBytes,
    eventBytes,
    fileBytes,
    syncsPerSecond: one.syncs * veterans,
    postgresCores,
    nodeCores,
    processes,
    connections: processes * figures.connectionsOfProcess,
    walPerSecond: one.wal * veterans,
    walPerSecondAfterCheckpoints: one.walAfterCheckpoints * veterans,
    fillingWal: one.fillingWal * veterans,
    eventsPerSecond: one.events * veterans,
    databaseMachineCores,
    dollarsAMonth: 2 * databaseMachineCores * prices.databaseCoreHour * hours
      + databaseGb * (prices.databaseGbMonth + prices.backupGbMonth)
      + processes * prices.processCoreHour * hours
      + fileBytes / 1e9 * prices.fileGbMonth
  }
}

export interface Wall {
  readonly name: string
  readonly limit: string
  /** The number of veterans at which it is met. */
  readonly veterans: number
  /** Whether it was the wall before the two large tables were in parts. */
  readonly isPassed: boolean
}

/** All walls, the nearest first. */
export const wallsOf = (figures: CostFigures, assumed: Assumptions): ReadonlyArray<Wall> => {
  const one = ofVeteran(figures, assumed)
  const { item } = figures
  const database = one.itemBytes + one.eventBytes
  const window = assumed.backupHours * 3600
  const perProcess = assumed.busy / one.nodeCores
  const processesOf = (connections: number) => Math.floor((connections - 3) / figures.connectionsOfProcess)
  const largestRelation = assumed.items * Math.max(item.heap, item.toast)
  const toastValues = assumed.items * item.toastValues
  const wall = (name: string, limit: string, veterans: number, isPassed = false): Wall => ({
    name,
    limit,
    veterans,
    isPassed
  })
  return [
    wall("one process", `${assumed.busy} of a core at the peak`, perProcess),
    wall("connections, 100", `${processesOf(100)} processes`, perProcess * processesOf(100)),
    wall(
      `connections, ${assumed.maxConnections}`,
      `${processesOf(assumed.maxConnections)} processes`,
      perProcess * processesOf(assumed.maxConnections)
    ),
    wall("pg_dump, by one COPY at a time", `${assumed.backupHours} hours`, figures.copiedPerSecond * window / database),
    wall("a whole physical backup", `${assumed.backupHours} hours`, assumed.physicalMb * 1e6 * window / database),
    wall("the database on one disk", `${assumed.diskTb} TB`, assumed.diskTb * 1e12 / database),
    wall("files on one disk", `${assumed.diskTb} TB`, assumed.diskTb * 1e12 / one.fileBytes),
    wall("a table that is not in parts", "32 TiB", tableBytes / largestRelation, true),
    wall("TOAST of a table that is not in parts", "2^32 values", 2 ** 32 / toastValues, true),
    wall("a table in 64 parts", "64 × 32 TiB", parts * tableBytes / largestRelation),
    wall("TOAST in 64 parts", "64 × 2^32 values", parts * 2 ** 32 / toastValues),
    wall("a volume of Aurora", "128 TiB", auroraBytes / database),
    wall(
      "WAL with images of pages",
      `${assumed.walMb} MB/s at the peak`,
      assumed.walMb * 1e6 / one.walAfterCheckpoints
    ),
    wall("WAL without images of pages", `${assumed.walMb} MB/s at the peak`, assumed.walMb * 1e6 / one.wal),
    wall(
      "one writer's processor",
      `${assumed.busy} of ${assumed.writerCores} cores at the peak`,
      assumed.writerCores * assumed.busy / one.postgresCores
    ),
    wall(
      "drain",
      `${Math.round(figures.drainedPerSecond)} leaves/s at the peak`,
      figures.drainedPerSecond / one.events
    ),
    wall("mail of one process", `${1000 / assumed.mailMs}/s at the peak`, 1000 / assumed.mailMs / one.mails),
    wall(
      "sweep of rate limits",
      `${Math.round(figures.sweptPerSecond)} rows/s over the day`,
      figures.sweptPerSecond * assumed.peak / (one.requests * figures.limitRows)
    )
  ].toSorted((a, b) => a.veterans - b.veterans)
}
