const runLength = 500

/** Sorts in steps: to sort all places of a record at once would hold the event loop for ten milliseconds. */
export function* sortedPlaces<Place>(
  places: ReadonlyArray<Place>,
  compare: (one: Place, other: Place) => number
): Generator<void, ReadonlyArray<Place>> {
  let runs: Array<ReadonlyArray<Place>> = []
  for (let at = 0; at < places.length; at += runLength) runs.push(places.slice(at, at + runLength).sort(compare))
  while (runs.length > 1) {
    const merged: typeof runs = []
    for (let at = 0; at < runs.length; at += 2) {
      yield
      // Array.prototype.sort finds sorted runs, and only merges them.
      merged.push([...runs[at]!, ...runs[at + 1] ?? []].sort(compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

/** Returns the index of the first of the sorted places that comes after `place`. */
export const indexAfter = <A, Place extends A>(
  places: ReadonlyArray<Place>,
  place: A,
  compare: (one: A, other: A) => number
): number => {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(places[middle]!, place) > 0) high = middle
    else low = middle + 1
  }
  return low
}
