/** The most items of a release (contract, part 6). */
export const maxReleaseItems = 20_000

/** The messages of a release that cannot be made as it is asked for. The pages know each of them by its key. */
export const releaseRefusals = {
  tooManyItems: "A release holds 20,000 items at most. Choose fewer kinds of record, or a shorter range of dates.",
  tooLargeRecord:
    "A release holds 64 MiB of record at most. Choose fewer kinds of record, or a shorter range of dates.",
  tooLarge:
    "A release holds 100 MiB at most with its documents. Choose fewer documents, fewer kinds of record, or a shorter " +
    "range of dates.",
  changedMeanwhile: "A document that the release names, or the release that it replaces, is gone. Sign again."
} as const
