/** The data type `id` (FHIR R4, 2.24.0.1). No query gets another text: some, such as U+0000, fail in PostgreSQL. */
export const isFhirId = (text: string): boolean => /^[A-Za-z0-9\-.]{1,64}$/.test(text)
