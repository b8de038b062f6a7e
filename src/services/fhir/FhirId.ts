/** The data type `id` (FHIR R4, 2.24.0.1). Nothing is stored under another, nor could PostgreSQL be asked for each. */
export const isFhirId = (text: string): boolean => /^[A-Za-z0-9\-.]{1,64}$/.test(text)
