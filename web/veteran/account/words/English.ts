const tries = (count: number) => `${count} times`

/** The words of the account, and of a deletion wherever it shows, in English, which is the source. */
export const english = {
  title: "Account",
  /** Said after an answer was lost, above what the service says now. */
  looked: "We looked again. This is how it is now.",
  person: {
    title: "You",
    name: "Name",
    nameHint: "Only the people who run this service can change your name here.",
    email: "E-mail",
    emailHint: "Codes, and news about your account, go there.",
    change: "Change e-mail"
  },
  email: {
    label: "New e-mail",
    hint: "We mail a code to it. Until you enter the code, nothing changes.",
    send: "Send the code",
    sending: "Sending the code",
    malformed: "Enter a whole e-mail address, such as name@example.org.",
    same: "This is your address already.",
    tooMany: (wait: string, perDay: number) =>
      `Too many codes were sent. You can ask for ${perDay} a day. Wait ${wait}.`,
    unanswered: "We got no answer. If a code arrives, it will not work. Send a new one.",
    sentTo: "We sent a code to",
    until: "It works for 10 minutes. No mail? Look in your junk folder.",
    code: "Code from the e-mail",
    digits: (count: number) => `${count} digits`,
    length: (count: number) => `The code has ${count} digits.`,
    finish: "Change my e-mail",
    finishing: "Checking the code",
    again: "Send a new code",
    sentAgain: "A new code is on its way. The older one no longer works.",
    keep: "Keep the old address",
    changed: "Your e-mail is changed. We told the old address too."
  },
  devices: {
    title: "Where I am signed in",
    ended: (name: string) => `Ended on ${name}. It can no longer open your record.`,
    unnamed: "A device without a name",
    unnamedInside: "a device without a name",
    current: "This device",
    facts: (day: string, time: string, network: string) =>
      `Signed in ${day}. Last used ${time}, from network ${network}.`,
    end: "End",
    endOn: (name: string) => `End on ${name}`,
    endAll: "End all, this one too",
    allTitle: "Sign out everywhere?",
    allText: "Every device is signed out right away, this one too. Your shares stay as they are.",
    keep: "Keep",
    confirm: "End all"
  },
  signIns: {
    title: "VA sign-ins",
    text: "Accounts at VA that open your record here, such as ID.me or Login.gov. VA does not tell us which it is.",
    name: (number: number) => `VA sign-in ${number}`,
    added: {
      mail: (time: string) => `Added ${time}, with a code that we mailed.`,
      operator: (time: string) => `Added ${time}, by the people who run this service.`,
      session: (time: string) => `Added ${time}, while you were signed in here.`
    },
    account: (host: string) => `Account at ${host}.`,
    only: "This is the only one, so it can't be removed. Add another one first.",
    remove: "Remove",
    removeNamed: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    means: "It can no longer open your record. Every device is signed out, this one too. Your shares stay as they are.",
    afterward: "Afterward, sign in with a VA sign-in that you keep.",
    keep: "Keep it",
    last: "The last VA sign-in can't be removed. Add another one first.",
    full: (count: number) => `You have ${count}, which is the most. Remove one before you add another.`,
    add: "Add another VA sign-in",
    addText:
      "Next, VA asks you to sign in. Sign in the other way there, such as with Login.gov. Then you come back here.",
    addGo: "Go to VA",
    addGoing: "Going to VA",
    adding: "Adding your VA sign-in",
    cancel: "Cancel",
    done: "Added. You can sign in both ways now.",
    taken:
      "VA signed you in with one that opens a record here already. To add another, sign out at va.gov, then try again.",
    other: "This VA sign-in could not be added. VA may know it as another person's. Nothing was changed.",
    tooMany: (wait: string) => `Too many tries. Wait ${wait}, then try again.`
  },
  notices: {
    title: "Messages to me",
    text: "We mail you. No message has health data or a name in it.",
    looks: "When somebody looked at my record",
    each: "Each time",
    daily: "Once a day",
    off: "Never",
    offHint: "You can still see every look in this app.",
    others: "Other messages",
    endings: "3 days before a share ends",
    stale: "When I share a record that is not up to date",
    staleHint: "One message, after as many days without an update as you say here.",
    days: "Days without an update",
    daysWrong: (minimum: number, maximum: number) => `Enter a number from ${minimum} to ${maximum}.`,
    daysRange: (minimum: number, maximum: number) => `A number from ${minimum} to ${maximum}.`,
    always: "Messages that keep your account safe always come: a new device, a new e-mail, wrong codes, a deletion.",
    save: "Save",
    saving: "Saving",
    saved: "Saved.",
    unsaved: "Not saved yet."
  },
  copy: {
    title: "Get all my data",
    text:
      "One ZIP file: your record, your own words, notes, documents, who can see them, and who looked. It may take a minute.",
    safe: "The file is not locked. Whoever has it can read it, so save it on a device of your own.",
    limit: (perDay: number) => `You can get it ${tries(perDay)} a day. We mail you each time.`,
    making: "Making your copy",
    arriving: "Your copy is arriving",
    received: (size: string) => `${size} so far`,
    keepOpen: "Keep this page open until it is saved.",
    cancel: "Cancel",
    cancelled: "You stopped it. Nothing was saved.",
    ready: (size: string) => `Your copy is whole: ${size}. Look in your downloads.`,
    again: "Save it again",
    leaves: "This page forgets the copy when you leave it.",
    cutTitle: "The copy is not complete",
    cut: "The connection ended too early, so nothing was saved. Try again.",
    runningTitle: "A copy is being made already",
    running: "Here or on another device. Wait until it is done, then try again.",
    tooManyTitle: "No more copies today",
    tooMany: (wait: string, perDay: number) => `You can get ${perDay} copies in 24 hours. Wait ${wait}.`
  },
  deletion: {
    title: "Delete my data",
    intro: "You can ask us to forget you. We wait 72 hours. Until then you can still say no.",
    nowTitle: "Right away",
    now: ["Everything that you share ends. You have to share it anew if you stay.",
      "No update is stored, and nothing new is shared."],
    goneTitle: "After 72 hours, this is gone for good",
    gone: [
      "your record here, your own words, and the files you added",
      "notes that providers wrote about you here",
      "your sign-ins, your name and your e-mail"
    ],
    staysTitle: "This stays, and why",
    stays: [
      "A signed release that somebody was shown. The law has us keep it for at least 6 years. Nobody can open it.",
      "The list of what happened with your record. It has numbers and no names, and proves that nothing was hidden.",
      "What others read, printed or saved. We can't take that back.",
      "Backups of this service, until the people who run it delete them.",
      "Your record at VA. VA keeps it as before."
    ],
    copyFirst: "Do you want a copy? Get all your data first, above.",
    label: "Type your name as it is here",
    hint: (name: string) => `Your name here: ${name}`,
    differs: (name: string) => `That is not your name here. Type: ${name}`,
    keep: "Keep my data",
    ask: "Delete my data in 72 hours",
    asking: "Asking for the deletion",
    asked: (time: string) => `You asked us to delete your data. It happens ${time}.`,
    due: (time: string) => `We delete your data on ${time}. To stop that, press “Keep my data” at the top of the page.`,
    sharedEnded: "Everything that you shared has ended.",
    /** Why a button that would store or share something is off. */
    off: "Your data is about to be deleted.",
    tooMany: (wait: string) => `You asked too often today. Wait ${wait}.`,
    kept: "Your data stays. What you shared before has ended: share it anew if you want to."
  },
  device: {
    title: "What this app keeps on this device",
    text:
      "A key that only this browser can use, the number of your sign-in, and the app's own files. No health data, and no password. VA's key to your record is gone when you close the app.",
    forget: "Forget this device",
    question: "Forget this device?",
    means: "We sign you out, and remove this app's key and files from this device. Your record and your shares stay.",
    loses: "What you began here and did not finish is lost.",
    keep: "Keep"
  },
  about: {
    title: "About this app",
    notVa: "Veteran Records is not part of VA, and this is not a VA website.",
    source:
      "VA keeps your record. What you see here is a copy from your last update. If something in it is wrong, tell VA.",
    privacy: "Nobody sees your record here unless you share it. Every look is in “Who looked.”",
    help: "Need help? Call the people who gave you this app.",
    sandbox: "This one is for trying out. It has no real records."
  },
  signedInAs: "Signed in as",
  signOut: "Sign out"
}

/** Every other language has the same keys. A missing one does not compile. */
export type AccountWords = typeof english
