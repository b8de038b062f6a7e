import { VeteranId } from "../../domain/Id.ts"
import type { Place } from "./Envelope.ts"

/**
 * For each table, the columns that hold sealed values, and the columns that identify a row among those of one veteran.
 * The list is complete: test/services/platform/SealedColumns.test.ts compares it with the database. A key rotation
 * reseals the columns in the order of this list.
 *
 * Table, column, row and veteran are additional authenticated data, so a change here makes stored values unreadable.
 */
export const sealedColumns = {
  /** A FHIR resource as it was sent. */
  health_record_items: { row: ["resource_type", "fhir_id"], columns: ["raw_ciphertext"] },
  /** What a veteran writes about their own health. */
  self_reported_entries: { row: ["id"], columns: ["body_ciphertext"] },
  /** What a provider writes about a veteran. */
  provider_notes: { row: ["id"], columns: ["body_ciphertext"] },
  /** The title, the names of the stored files (a release has three), and the text that was signed. */
  documents: {
    row: ["id"],
    columns: ["title", "file_key", "authorization_ciphertext", "recipient_file_key", "record_file_key"]
  },
  /** The address of the link's recipient, the key of its bundle's file, and whom an app named. */
  secure_links: {
    row: ["id"],
    columns: ["recipient_email_ciphertext", "shl_file_key", "claimed_recipient_ciphertext"]
  },
  /** The name that the veteran gave the device. */
  veteran_sessions: { row: ["id"], columns: ["device_name_ciphertext"] },
  /** The name that the veteran gave the passkey. */
  veteran_passkeys: { row: ["id"], columns: ["name_ciphertext"] },
  /** An event of the account of disclosures, with the salt of its leaf in the Merkle tree. */
  proofs: { row: ["id"], columns: ["leaf_ciphertext"] }
} as const

type SealedColumns = typeof sealedColumns

export type SealedColumn<Table extends keyof SealedColumns> = SealedColumns[Table]["columns"][number]

type ValuesOf<Columns extends ReadonlyArray<string>> = { readonly [Column in keyof Columns]: string }

/** Returns the place of one sealed value. `row` has one value for each of the table's `row` columns, in their order. */
export const placeOf = <Table extends keyof SealedColumns>(
  table: Table,
  column: SealedColumn<Table>,
  veteranId: VeteranId,
  ...row: ValuesOf<SealedColumns[Table]["row"]>
): Place => placeAt(table, column, [veteranId, ...row])

/** Like `placeOf`, but takes a row's key as one list: the veteran first, then the values of the `row` columns. */
export const placeAt = (table: string, column: string, [veteranId, ...row]: ReadonlyArray<string>): Place => ({
  table,
  column,
  row: row.join("/"),
  veteranId: VeteranId.make(veteranId!)
})
