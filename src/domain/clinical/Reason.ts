import { codeText } from "./Coding.ts"
import { each, joined } from "./Members.ts"
import { reference, type TitleOf } from "./Reference.ts"

/** Why something was done: what `reasonCode` says, then what `reasonReference` points to. */
export const reasons = (codes: unknown, targets: unknown, titleOf: TitleOf): string | null =>
  joined([each(codes, codeText, "; "), each(targets, (target) => reference(target, titleOf), "; ")], "; ")
