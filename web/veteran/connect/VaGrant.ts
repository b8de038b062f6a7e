/** What an update may read at the VA. It is in memory only: no storage, no address and no request of ours has it. */
export interface VaGrant {
  readonly accessToken: string
  readonly patientId: string
  /** By this device's clock, in milliseconds since 1970. */
  readonly expiresAt: number
}

let grant: VaGrant | undefined

export const keepVaGrant = (given: VaGrant | undefined) => {
  grant = given
}

/** Hands the grant to the update, once. Returns undefined if no grant counts any more: then the VA is asked anew. */
export const takeVaGrant = () => {
  const taken = grant
  grant = undefined
  return taken !== undefined && taken.expiresAt > Date.now() ? taken : undefined
}
