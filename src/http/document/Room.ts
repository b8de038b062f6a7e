import { DocumentsHandlers } from "./Handlers.ts"

export const DocumentRoutes = DocumentsHandlers
