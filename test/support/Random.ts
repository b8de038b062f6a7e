/** Numbers from 0 up to 1. */
export type Random = () => number

/** Makes numbers from 0 up to 1 by mulberry32. The same seed gives the same numbers. */
export const seededRandom = (seed: number): Random => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

export const pick = <A>(values: ReadonlyArray<A>, random: Random): A => values[Math.floor(random() * values.length)]!
