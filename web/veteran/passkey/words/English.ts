/** The words about passkeys, in English, which is the source. A reader knows them as a face or a fingerprint. */
export const english = {
  open: "Open with face or fingerprint",
  opening: "Waiting for your face, fingerprint or screen lock",
  unknown: "This passkey is not known here any more. Sign in at VA.",
  title: "Face or fingerprint",
  why: "Next time, open this app with your face, your fingerprint or your screen lock. You need no password for it.",
  safe: "Your face and your fingerprint stay on your device. We never see them.",
  shared: "Everyone who can unlock this device can then open your record. Do not set it up on a shared device.",
  none: "You have not set it up yet.",
  name: "Name, so that you know it again",
  add: "Set up on this device",
  added: "It is set up. Next time, use your face or fingerprint.",
  noWebAuthn: "This browser can't use a face or fingerprint here. Use another browser, such as Chrome or Safari.",
  most: (count: number) => `You have ${count}, which is the most. Remove one that you do not need.`,
  made: (day: string) => `Set up on ${day}`,
  used: (day: string) => `Last used on ${day}`,
  unused: "Not used yet",
  unnamed: "Without a name",
  remove: "Remove",
  removeOf: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove "${name}"?`,
  removeWhat:
    "It can't open your record any more. A device that is signed in now stays signed in: end it under \"Where I am signed in\".",
  keep: "Keep",
  removed: (name: string) => `"${name}" was removed.`,
  offer: {
    title: "Next time, use your face or fingerprint",
    setUp: "Set up",
    notNow: "Not now",
    later: "You can set it up later in Account."
  },
  problems: {
    passkey_known: "This device is set up already.",
    passkey_unmade: "The browser could not do this. Try again, or use another browser.",
    invalid_device_proof: "Your sign-in could not be checked. Check the clock of this device, then try again.",
    key_unkept: "This browser can't keep the key that signs you in. Use a window that is not private."
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type PasskeyWords = typeof english
