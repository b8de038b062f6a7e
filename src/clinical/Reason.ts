import { codeText } from "./Coding.ts"
import { joined, list } from "./Members.ts"
import { reference, type TitleOf } from "./Reference.ts"

/** The reason for an event: first `reasonCode`, then the target of `reasonReference`. */
export const reasons = (codes: unknown, targets: unknown, titleOf: TitleOf): string | null =>
  joined(new Set([...list(codes).map(codeText), ...list(targets).map((target) => reference(target, titleOf))]), "; ")
