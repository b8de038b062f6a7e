/** Said where a record has results, but none that the first glance lists. */
export const noneListed = (all: number): string =>
  `${all === 1 ? "The 1 result here is not" : `None of the ${all.toLocaleString("en-US")} results here is`} ` +
  "a key test, laboratory result or vital sign with a value. See all items."
