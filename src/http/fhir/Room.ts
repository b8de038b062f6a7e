import { FhirHandlers } from "./Handlers.ts"

export const FhirRoutes = FhirHandlers
