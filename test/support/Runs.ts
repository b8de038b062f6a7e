/**
 * TEST_RUNS=whole, which the long tier sets, asks for all tries of the tests that try much. The quick tier makes a
 * tenth of them.
 */
export const isWhole = process.env["TEST_RUNS"] === "whole"

/** Returns how often a test tries, of `whole` times in the long tier. */
export const runs = (whole: number) => isWhole ? whole : Math.ceil(whole / 10)
