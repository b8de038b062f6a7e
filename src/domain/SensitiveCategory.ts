import { Schema } from "effect"

/** 38 U.S.C. 7332 protects these kinds of information. Every list of categories is in this order. */
export const SensitiveCategory = Schema.Literals(["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"])

export type SensitiveCategory = typeof SensitiveCategory.Type

/** Every page on which somebody chooses categories shows this sentence about the limits of the search. */
export const notSearched =
  "Items of the record are put in a category by their codes and their words. Pictures, scanned pages and PDF files, " +
  "documents that the veteran uploads and entries that the veteran writes are not searched."
