/** The data type `id` (FHIR R4, 2.24.0.1). Stored items have no other ids; PostgreSQL could not take all others. */
export const isFhirId = (text: string): boolean => /^[A-Za-z0-9\-.]{1,64}$/.test(text)
