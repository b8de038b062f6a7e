/** Whether a text is a FHIR `id` (FHIR R4, 2.24.0.1). No other text may reach a query: PostgreSQL refuses U+0000. */
export const isFhirId = (text: string): boolean => /^[A-Za-z0-9\-.]{1,64}$/.test(text)
