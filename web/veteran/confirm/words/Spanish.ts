import type { ConfirmWords } from "./English.ts"

export const spanish: ConfirmWords = {
  title: "Confirme que es usted"
}
