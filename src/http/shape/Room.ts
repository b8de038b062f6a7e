import { ShapesHandlers } from "./Handlers.ts"

export const ShapeRoutes = ShapesHandlers
