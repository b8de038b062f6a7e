export interface DigestedResource {
  readonly fhirId: string
  /** The hash of its exact text in UTF-8, in hex. */
  readonly sha256: string
}

/**
 * The text whose SHA-256 in hex is the digest of a type in a conditional sync (contract, part 5). A blank comes before
 * every letter of an id, so the order of the lines is the order of the ids.
 */
export const digestedText = (resources: ReadonlyArray<DigestedResource>): string =>
  resources.map(({ fhirId, sha256 }) => `${fhirId} ${sha256}\n`).sort().join("")
