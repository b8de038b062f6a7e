/** A page of a list ordered by id: at most `limit` rows after the id `after`. */
export interface PageQuery {
  readonly after: string | undefined
  readonly limit: number
}
