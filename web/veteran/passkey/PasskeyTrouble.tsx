import type { Problem } from "../../shared/Problem.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { passkeyText, usePasskeyWords } from "./Words.ts"

/** Why a step with a passkey failed. Nothing is said if the veteran closed the browser's question. */
export const PasskeyTrouble = ({ of }: { readonly of: Problem | undefined }) => {
  usePasskeyWords()
  const text = of === undefined ? undefined : passkeyText(of)
  return text === undefined ? null : <Notice kind="error" live>{text}</Notice>
}
