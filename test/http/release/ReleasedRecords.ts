/** Returns the changes to a release request that make it release only these types. */
export const of = (...resourceTypes: ReadonlyArray<string>) => ({ information: { resourceTypes } })

/** The types and ids of a bundle's resources. */
export const namesIn = (bundle: string): ReadonlyArray<string> =>
  (JSON.parse(bundle).entry ?? []).map(({ resource }: any) => `${resource.resourceType}/${resource.id}`)

export const acceptedNow = (...categories: ReadonlyArray<string>) =>
  categories.map((category) => ({ category, acceptedAt: new Date().toISOString() }))
