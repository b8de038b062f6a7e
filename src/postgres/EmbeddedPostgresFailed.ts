import { Data } from "effect"

export class EmbeddedPostgresFailed extends Data.TaggedError("EmbeddedPostgresFailed")<{ readonly message: string }> {}
