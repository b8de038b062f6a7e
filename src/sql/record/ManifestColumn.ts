import { Schema } from "effect"
import { Manifest } from "../../domain/Manifest.ts"

/** Decodes the column `veterans.fhir_sync_manifest`. An invalid value is a defect. */
export const fromStored = Schema.decodeUnknownSync(Manifest)

export const toStored = Schema.encodeSync(Manifest)
