export interface DigestedResource {
  readonly fhirId: string
  /** The SHA-256 of the resource's exact text in UTF-8, in hex. */
  readonly sha256: string
}

/**
 * The text whose SHA-256 in hex is the digest of a type in a conditional sync (contract, part 5). A space sorts before
 * every character of an id, so sorting the lines sorts by id.
 */
export const digestedText = (resources: ReadonlyArray<DigestedResource>): string =>
  resources.map(({ fhirId, sha256 }) => `${fhirId} ${sha256}\n`).sort().join("")
