/** The words of making a link to a signed release, in English, which is the source. */
export const english = {
  title: "Make a link",
  loading: "Looking up the release",
  ended: "This release has ended, or it is not here. A link needs a signed release that is in force.",
  back: "Back to Sharing",
  openSharing: "Open Sharing",
  signRelease: "Sign a release",
  before: (count: number) =>
    count === 1
      ? "You already made a link to this release, and it works. Its address can’t be shown again."
      : `You already made ${count} links to this release, and they work. Their addresses can’t be shown again.`,
  who: {
    for: (name: string) => `For ${name}`,
    code: (email: string) => `They need the link, and a code that we mail to ${email}.`,
    change: "Change who gets it",
    name: "Their name",
    nameHint: "At most 200 characters.",
    email: "Their e-mail",
    emailHint: "The code goes there. Whoever reads that mailbox can open your release.",
    asSigned: "As in the release",
    wrongName: "Type their name.",
    longName: "This name is too long. Use at most 200 characters.",
    wrongEmail: "Type the whole e-mail address, such as name@example.org."
  },
  until: {
    legend: "The link works for",
    days: (count: number) => count === 1 ? "1 day" : `${count} days`,
    release: (day: string) => `Until your release ends, ${day}`
  },
  forApps: {
    title: "Can a health app open it too?",
    choice: "Also for apps that read SMART Health Links",
    hint:
      "A clinic’s app can then scan the same QR code and take in your record. It needs the code that we mail, as our page does.",
    limits:
      "Some check-in apps read only links without a code (“Kill the Clipboard”, flag U). They can’t open this link. A link alone must never open your record."
  },
  how: {
    legend: "How do they get the link?",
    mail: "Mail it for me",
    desk: "Show it at the front desk",
    myself: "Give it another way",
    hint: "You can copy or show the link in each case. You see it once.",
    making: "Making the link",
    mailing: "Making and mailing the link"
  },
  differs: {
    title: "This is another address than in your release",
    release: "Your release says",
    typed: "You typed",
    what:
      "The code goes to the address that you typed. Whoever reads that mailbox can open your release. What you signed does not change: it still names the other address.",
    asSigned: "Use the address in my release",
    send: "Use the address that I typed",
    made: "This link goes to another address than your release names."
  },
  refused: {
    mail: (wait: string) =>
      `No link was made: this is as many by mail, or to new people, as a day takes. Make it without the mail, or try again in ${wait}.`,
    conflict: "No link was made. The release has ended, or all that you share was stopped meanwhile.",
    forApps:
      "No link was made. The release may have ended, it may be too large for apps, or you may have too many links for apps. Try it without the choice for apps.",
    deletion: "No link was made. You asked us to delete your data, so nothing new can be shared.",
    wrong: "The service could not take the name or the e-mail address. Look at them again."
  },
  lost: {
    title: "Was a link made?",
    asking: "No answer came back. We are looking whether a link was made.",
    away: "We could not reach the service. A link may have been made. We keep asking.",
    none: "No link was made. Nothing was sent.",
    again: "Try again",
    made: "A link was made, but its address did not reach this phone.",
    unmailed: "We can’t show the address again, and it was not mailed. Turn the link off, then make a new one.",
    mailed: (time: string) => `It was mailed: ${time}. They can use it.`,
    off: "Turn it off",
    keep: "Keep it",
    stopped: "That link is off. You can make a new one."
  },
  made: {
    title: "The link is ready",
    mailed: (time: string) => `Mail sent ${time}`,
    notMailed: "The mail did not go out. Give the link yourself, or make a new one.",
    until: (moment: string) => `It works until ${moment}.`,
    once: "This is the only time we show the link.",
    qr: "QR code for the link",
    point: (email: string) => `Point the clinic’s camera here. They also need the code that we mail to ${email}.`,
    full: "Show it full screen",
    copy: "Copy the link",
    copyForApp: "Copy it for an app",
    copied: "Copied. The link is in your clipboard.",
    byHand: "This browser does not copy for us. The link is selected: copy it yourself.",
    address: "The link",
    share: "Share the link",
    shared: "Shared.",
    notShared: "Sharing did not work here. Copy the link.",
    done: "Done",
    again: "Make a new one",
    ended: "This link no longer works.",
    close: "Close",
    awake: "The screen stays on.",
    asleep: "Keep your screen on."
  },
  code: {
    title: "At the front desk",
    when:
      "Does their app ask for a passcode before anything else? Send the code now. If not, we mail it when they try to open the link.",
    tell: (email: string) => `Tell the front desk: “Type the code that was mailed to ${email}.”`,
    send: "Send the code now",
    again: "Send a new code",
    sending: "Sending the code",
    later: (name: string, wait: string) => `${name} (in ${wait})`,
    sent: (wait: string) => `The code is in the mail. It works once, for ${wait}.`,
    tooMany: (wait: string) =>
      `Codes were mailed a short time ago. They may look in their junk folder, or wait ${wait} for a new one.`,
    notSent: "The mail did not go out. Nothing was lost. Try again in a moment."
  },
  leaving: {
    title: "Leave without giving the link?",
    what:
      "It was not mailed, copied, shared or shown full screen. When you leave, we can’t show it again. You can make a new one.",
    stay: "Stay here",
    leave: "Leave"
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type LinkWords = typeof english
