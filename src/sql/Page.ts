/** A page of a list that is ordered by id has the rows after `after`, at most `limit`. */
export interface PageQuery {
  readonly after: string | undefined
  readonly limit: number
}
