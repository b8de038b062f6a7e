import { PatientsHandlers } from "./Handlers.ts"

export const PatientRoutes = PatientsHandlers
