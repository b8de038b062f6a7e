const unchecked = "That sign-in could not be checked. Start again."

const notSetUp = "This service is not connected to VA yet. Tell the people who run it."

/** The words before the app is open: sign-in, pairing and lock. They are in English, which is the source. */
export const english = {
  brand: "Veteran Records",
  opening: "Opening your records",
  finishing: "Finishing sign-in",
  unreached: "Your records can't be opened now",
  idle: {
    title: "Are you still there?",
    text: "For safety this app locks in 1 minute.",
    stay: "Stay"
  },
  connect: {
    tab: "Connect",
    title: "See your VA health record",
    text: "Share it with whom you choose. Stop at any time.",
    invited: "Connect first. Then you can share with the clinic.",
    go: "Connect to VA",
    promise: "You sign in at VA. We never see your password. VA's key to your record stays on this phone.",
    whatWeKeep: "What we keep",
    kept: "A copy of your record, locked. This phone keeps no health data."
  },
  going: "Going to VA",
  sandbox: "Sandbox VA: no real records.",
  locked: {
    title: "Locked",
    /** Why it is locked, as far as the window can know. */
    endings: {
      away: "The app locks after 5 minutes away, and when you close it.",
      idle: "The app locks after 15 minutes without use.",
      time: "The app locks 12 hours after you signed in.",
      refused: "Your session has ended. It may have been ended from another device.",
      signedOut: "You signed out."
    },
    begun: "What you began is still here.",
    unsigned: "Your unsigned release is still here.",
    touch: "Open it here with your face or fingerprint. If you have not set that up:",
    /** A link, and the rest of its sentence. A touch in this window needs none of it. */
    newWindow: "Sign in in a new window",
    comeBack: ", then come back.",
    invited: "Open the app first. Then you can share with the clinic.",
    signIn: "Sign in at VA",
    instead: "Sign in at VA instead",
    forget: "Forget this device"
  },
  unfinished: {
    title: "Signing out is not finished",
    text:
      "The service can't be reached. We keep trying while this page is open. The session ends by itself within 30 minutes."
  },
  pair: {
    tab: "Is it you?",
    title: "One time only: prove that this record is yours",
    sent: "If you are registered here, we sent a code to your e-mail.",
    mailed: { label: "Code from the e-mail", hint: "8 digits", form: "Enter the 8 digits of the e-mail." },
    paper: {
      label: "Code on paper",
      hint: "12 letters and numbers",
      form: "Enter the 12 letters and numbers of the paper."
    },
    go: "Go on",
    checking: "Checking",
    toMailed: "I have a code from an e-mail",
    toPaper: "I have a code on paper",
    never: "We never call you for this code.",
    again: "Start again",
    back: "Stop and go back",
    over: "That code no longer works. Start again.",
    wrong: (left: number) => `That code is not right. ${left} ${left === 1 ? "try" : "tries"} left.`
  },
  waitlist: {
    title: "No mail after 5 minutes?",
    text: "You may not be registered yet.",
    email: "Your e-mail",
    missing: "Enter your e-mail.",
    join: "Join the waitlist",
    joined: "You are on the waitlist. We will write to you."
  },
  /** Why a sign-in at the VA failed. */
  problems: {
    va_denied: "You chose not to connect. Nothing was saved.",
    va_foreign: "That sign-in did not start here. Start again.",
    va_unfinished: "VA did not finish. Start again.",
    va_nobody: "VA did not say whose record this is. Call VA 800-698-2411.",
    va_missing: notSetUp,
    not_found: notSetUp,
    key_unkept: "This browser can't keep the key that signs you in. Use a window that is not private.",
    invalid_id_token: unchecked,
    invalid_challenge: unchecked,
    unauthenticated: unchecked,
    invalid_device_proof: `${unchecked} If this happens again, check the clock of this device.`,
    identity_changed: "VA's number for you has changed. Call us: we will look."
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type ConnectWords = typeof english
