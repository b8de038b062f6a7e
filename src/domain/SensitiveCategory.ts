import { Schema } from "effect"

/** 38 U.S.C. 7332 protects these kinds of information. Every list of categories is in this order. */
export const SensitiveCategory = Schema.Literals(["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"])

export type SensitiveCategory = typeof SensitiveCategory.Type

/** Is said wherever somebody chooses categories: what the service does not look into. */
export const notSearched =
  "Items of the record are put in a category by their codes and their words. Pictures, scanned pages and PDF files, " +
  "documents that the veteran uploads and entries that the veteran writes are not searched."
