/** The words of the step that asks whether it is the veteran, in English, which is the source. */
export const english = {
  title: "Confirm that it is you",
  why: "This step needs proof that it is still you.",
  installed:
    "If VA opens in a browser that does not know you, use your face or fingerprint here. Or do this step in that browser.",
  byPasskey: "Use face or fingerprint",
  byVa: "Sign in at VA in a new window",
  cancel: "Cancel",
  waiting: "Sign in at VA in the other window. Then come back: this window goes on by itself.",
  going: "Going to VA",
  checking: "Checking your sign-in",
  again: "Sign in at VA",
  done: "Confirmed. You can close this window.",
  goesOn: "The window where you began goes on by itself.",
  elsewhere:
    "You can't confirm here, because you are not signed in here. Close this window, and go back to the other one."
}

/** Every other language has the same keys. A missing one does not compile. */
export type ConfirmWords = typeof english
