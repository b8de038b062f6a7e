/** Returns the changes to a release request that make it release only these types. */
export const of = (...resourceTypes: ReadonlyArray<string>) => ({ information: { resourceTypes } })

/** The entries of a bundle that were released, without the Patient that the service makes if none was. */
export const releasedEntries = (bundle: string): ReadonlyArray<any> => {
  const { entry } = JSON.parse(bundle)
  return entry[0].resource.meta?.tag?.[0]?.code === "generated" ? entry.slice(1) : entry
}

/** The types and ids of the resources that a bundle releases. */
export const namesIn = (bundle: string): ReadonlyArray<string> =>
  releasedEntries(bundle).map(({ resource }) => `${resource.resourceType}/${resource.id}`)

export const acceptedNow = (...categories: ReadonlyArray<string>) =>
  categories.map((category) => ({ category, acceptedAt: new Date().toISOString() }))
