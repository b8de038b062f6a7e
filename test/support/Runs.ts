/** TEST_RUNS=whole, which the long tier sets, asks for all tries of tests that try much. The quick tier makes some. */
export const isWhole = process.env["TEST_RUNS"] === "whole"

/** Returns how often a test tries: `whole` times in the long tier, a tenth in the quick one. */
export const runs = (whole: number) => isWhole ? whole : Math.ceil(whole / 10)
