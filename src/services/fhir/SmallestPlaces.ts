/** Keeps the first few of many places in an order. Sorting all places of a record at once would hold the event loop. */
export class SmallestPlaces<Place> {
  private readonly limit: number
  private readonly compare: (one: Place, other: Place) => number
  private places: Array<Place> = []

  constructor(limit: number, compare: (one: Place, other: Place) => number) {
    this.limit = limit
    this.compare = compare
  }

  add(place: Place) {
    this.places.push(place)
    if (this.places.length >= 2 * this.limit) this.places = this.sorted()
  }

  sorted(): Array<Place> {
    return this.places.sort(this.compare).slice(0, this.limit)
  }
}
