import { codeText } from "./Coding.ts"
import { joined, list } from "./Members.ts"
import { reference, type TitleOf } from "./Reference.ts"

/** Why something was done: what `reasonCode` says, then what `reasonReference` points to. */
export const reasons = (codes: unknown, targets: unknown, titleOf: TitleOf): string | null =>
  joined(new Set([...list(codes).map(codeText), ...list(targets).map((target) => reference(target, titleOf))]), "; ")
