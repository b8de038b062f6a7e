import { Schema } from "effect"

/** Microseconds of processor time. */
const Work = Schema.Struct({
  /** A conditional sync without a change. */
  quietSync: Schema.Finite,
  /** Each item that a sync sends and that is stored already. */
  sentItem: Schema.Finite,
  /** Each changed item, besides. */
  changedItem: Schema.Finite,
  view: Schema.Finite,
  /** A small request, as `/me`. */
  request: Schema.Finite
})

export type Work = typeof Work.Type

/** What the service costs by measurement, on one machine. Sizes are in bytes. */
const CostFigures = Schema.Struct({
  /** An item of a record as a row. Each was rewritten once, with a vacuum after each fifth. */
  item: Schema.Struct({
    /** The bytes of its FHIR, as the client sent it. */
    sent: Schema.Finite,
    heap: Schema.Finite,
    toast: Schema.Finite,
    indexes: Schema.Finite,
    /** Values that are stored outside of the row, as a share of the items. */
    toastValues: Schema.Finite
  }),
  /** A row of the account of disclosures, as a leaf of the tree. */
  event: Schema.Struct({ bytes: Schema.Finite, perSync: Schema.Finite }),
  wal: Schema.Struct({
    /** For each item of a first sync. */
    filling: Schema.Finite,
    /** For each changed item of a later sync, without images of whole pages. */
    changed: Schema.Finite,
    /** The same, if each page is changed for the first time since a checkpoint. */
    changedAfterCheckpoint: Schema.Finite,
    /** For each such sync besides, however few items it changes. */
    syncAfterCheckpoint: Schema.Finite
  }),
  postgres: Work,
  node: Work,
  /** Leaves for each second of PostgreSQL's processor time. */
  drainedPerSecond: Schema.Finite,
  /** Bytes of tables that COPY writes as text, for each second of PostgreSQL's processor time. */
  copiedPerSecond: Schema.Finite,
  /** Rows of limits that a request leaves. */
  limitRows: Schema.Finite,
  /** Rows of limits that a sweep removes in a second. */
  sweptPerSecond: Schema.Finite,
  connectionsOfProcess: Schema.Finite
})

export type CostFigures = typeof CostFigures.Type

/** What the figures were measured on. */
const Ground = Schema.Struct({
  at: Schema.String,
  processor: Schema.String,
  cores: Schema.Finite,
  postgres: Schema.String,
  items: Schema.Finite,
  veterans: Schema.Finite,
  /** Load averages of one minute, before and after. */
  load: Schema.Tuple([Schema.Finite, Schema.Finite])
})

export const CostMeasured = Schema.Struct({ ground: Ground, figures: CostFigures })

export type CostMeasured = typeof CostMeasured.Type
