import { Clock, Context, Data, Effect, Layer, Option, type Redacted, Result } from "effect"
