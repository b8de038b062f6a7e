import { Layer } from "effect"
import { ConsentShapes } from "./ConsentShapes.ts"
import { DisclosureShapes } from "./DisclosureShapes.ts"
import { SharedBundles } from "./SharedBundles.ts"

export const ShapeLayer = Layer.mergeAll(ConsentShapes.layer, DisclosureShapes.layer, SharedBundles.layer)
