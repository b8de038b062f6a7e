import { Schema } from "effect"

/** 38 U.S.C. 7332 protects these kinds of information. Every list of categories is in this order. */
export const SensitiveCategory = Schema.Literals(["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"])

export type SensitiveCategory = typeof SensitiveCategory.Type
