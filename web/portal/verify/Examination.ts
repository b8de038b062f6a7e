import { Effect } from "effect"
import { DocumentId } from "../../../src/domain/Id.ts"
import type { Verification } from "../../../src/domain/Release.ts"
import { type Problem, problemOf } from "../../shared/Problem.ts"
import { sha256Of } from "../../shared/Sha256.ts"
import type { SealCheck } from "./SealCheck.ts"
import { documentIdIn, isPdf } from "./SealedPdf.ts"
import { connectVerification } from "./VerificationClient.ts"

/** Far more bytes than any release has: the contract (part 6) allows 100 MiB, documents included. */
const largest = 300 * 1024 * 1024

/** The result of examining a file. */
export type Examination =
  | { readonly is: "refused"; readonly why: string }
  | {
    readonly is: "examined"
    /** The number that the service was asked about, undefined if neither the file nor the address has one. */
    readonly documentId: string | undefined
    readonly seal: SealCheck
    /** The service's answer, or why it could not be reached. */
    readonly answer: Verification | Problem
  }

/**
 * Reads the file on this device. The service receives only the release's number and the file's SHA-256. `named` is the
 * number in the page's address.
 */
export const examine = (file: File, named: string | undefined): Effect.Effect<Examination, unknown> =>
  Effect.gen(function*() {
    if (file.size > largest) return refused("This file is larger than any release.")
    const bytes = yield* Effect.tryPromise(() => file.bytes())
    if (!isPdf(bytes)) return refused("This is not a PDF. Choose the file as you received it.")
    const seal = yield* Effect.tryPromise(async () => (await import("./SealCheck.ts")).checkSeal(bytes))
    const documentId = (yield* Effect.promise(() => documentIdIn(bytes))) ?? named
    // Every release has a number, so a file without one is not ours.
    if (documentId === undefined) return { is: "examined", documentId, seal, answer: { genuine: false } }
    const sha256 = yield* Effect.tryPromise(() => sha256Of(bytes))
    const answer = yield* Effect.flatMap(
      connectVerification,
      (releases) => releases.verify({ payload: { documentId: DocumentId.make(documentId), sha256 } })
    ).pipe(Effect.catch(problemOf))
    return { is: "examined", documentId, seal, answer }
  })

const refused = (why: string) => ({ is: "refused", why }) as const
