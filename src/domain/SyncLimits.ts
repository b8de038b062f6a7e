/**
 * The largest sync: the bytes of its body after decompression, and its resources in all types together (contract, parts
 * 5 and 15). The largest records have about 100,000 resources. A sync of 500,000 tiny ones fits into the bytes, but
 * would hold its place for a minute and a half.
 */
export const syncLimits = { bytes: 64 * 1024 * 1024, resources: 100_000 } as const
