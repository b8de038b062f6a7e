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

/**
 * The grant, while it counts: without one the VA is asked anew. It stays until the update that uses it lets it go,
 * because a screen may be drawn several times before it is shown.
 */
export const vaGrant = () => grant !== undefined && grant.expiresAt > Date.now() ? grant : undefined
