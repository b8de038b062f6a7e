/** The data type `id` (FHIR R4, 2.24.0.1). Other texts reach no query: PostgreSQL refuses some, such as U+0000. */
export const isFhirId = (text: string): boolean => /^[A-Za-z0-9\-.]{1,64}$/.test(text)
