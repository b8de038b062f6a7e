/** The words of the step that asks whether it is the veteran, in English, which is the source. */
export const english = {
  title: "Confirm that it is you"
}

/** Every other language has the same keys. A missing one does not compile. */
export type ConfirmWords = typeof english
