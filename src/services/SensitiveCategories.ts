// STUB by the lead until the helper's file is here: overwrite freely.
import { Schema } from "effect"
export const SensitiveCategory = Schema.Literals(["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"])
export type SensitiveCategory = typeof SensitiveCategory.Type
export const codeSetVersion: string = "stub"
export const classify = (_resource: unknown): ReadonlyArray<SensitiveCategory> => []
