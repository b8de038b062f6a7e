/** What the VA gave at the sign-in. It is never in storage. */
export interface VaGrant {
  readonly accessToken: string
  readonly patientId: string
  readonly expiresAt: Date
}

let grant: VaGrant | undefined

/** Keeps the grant in memory until an update takes it. */
export const keepVaGrant = (given: VaGrant) => {
  grant = given
}

/** Takes the grant out of the page's memory. The thread of the update has it alone from then on. */
export const takeVaGrant = (): VaGrant | undefined => {
  const taken = grant
  grant = undefined
  return taken !== undefined && taken.expiresAt.getTime() > Date.now() ? taken : undefined
}
