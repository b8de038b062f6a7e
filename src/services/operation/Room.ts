import { Layer } from "effect"
import { AdminActs } from "./AdminActs.ts"
import { Dependencies } from "./Dependencies.ts"
import { Operators } from "./Operators.ts"

export const OperationLayer = Layer.mergeAll(AdminActs.layer, Dependencies.layer, Operators.layer)
