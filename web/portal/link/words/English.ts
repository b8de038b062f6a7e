/** The words of the link's page, in English, which is the source. */
export const english = {
  title: "A health document for you",
  checking: "Checking the link",
  tryAgain: "Try again",
  steps: ["Get a code", "Enter the code", "Read and save"] as readonly [string, string, string],
  ask: {
    text:
      "A veteran chose to share a signed release of health information with you. To make sure it is you, we send a code to your e-mail.",
    goesTo: "Code goes to",
    until: "Link works until",
    send: "E-mail me a code",
    have: "I already have a code",
    notYours: "Not your e-mail? Close this page and tell the person who gave you the link. Keep the link to yourself."
  },
  send: {
    sending: "Sending the code",
    later: (name: string, wait: string) => `${name} (in ${wait})`,
    tooMany: (wait: string) => `No more codes can be sent just now. Wait ${wait}.`,
    notSent: "The e-mail could not be sent. Nothing was lost. Try again in a moment.",
    again: "Get a new code"
  },
  code: {
    title: "Enter your code",
    sent: (digits: number) => `We sent an ${digits}-digit code to`,
    newest: (digits: number) => `Take the ${digits}-digit code from the newest e-mail to`,
    keep: "Keep this page open.",
    label: (digits: number) => `${digits}-digit code`,
    until: (time: string) => `It works until ${time}.`,
    length: (digits: number) => `The code has ${digits} digits.`,
    open: "Open the document",
    opening: "Opening the document",
    again: "Send a new code",
    onItsWay: "A new code is on its way. The older one no longer works.",
    junk: "No e-mail? Look in your junk folder. The subject does not show the code.",
    arrived: (received: string, size: string) => `${received} of ${size} MB`
  },
  read: {
    title: "Your document is open",
    tab: "Your document",
    now: "Save it now. For the veteran's privacy, this page can't open it again without a new code.",
    save: (size: string) => `Save the PDF (${size})`,
    seen: "The veteran can see that you opened it.",
    saved: "Saved. Look in your downloads.",
    print: "To print, save the PDF and print that. It names the patient on every page of the record.",
    frame: "The record and the signed document",
    inside: "Also inside the PDF",
    saveFile: "Save",
    record: "the record (FHIR)",
    authorization: "the authorization (JSON)",
    ccda: {
      title: "Made from the record",
      save: "Download as C-CDA (for your EHR)",
      exact:
        "This is a translation, made on this device. The record as FHIR is exact, and the C-CDA is not. Some items " +
        "are in its text only, and doses are in words only.",
      busy: "Making the C-CDA…",
      failed: "We can't translate this record to C-CDA. Save the record as FHIR instead."
    },
    unread: (name: string) => `We can't take ${name} out of the PDF. It is in the PDF that you save.`
  },
  otherLink: {
    title: "Open the other link?",
    text: "The document on this page is not saved. It closes when you open another link.",
    keep: "Keep this document",
    open: "Open the other link"
  },
  /** Why there is nothing (more) to read, as far as the page itself decides it. */
  ends: {
    // The page cannot distinguish a reload from an address without a token.
    no_link: {
      title: "Open the link again",
      text: "For the veteran's privacy, this page keeps no link. Open it from your e-mail, or scan the QR code again."
    },
    turned_off_while_open: {
      title: "The veteran turned this link off",
      text: "The document has left this page. If you still need it, ask the person who gave you the link."
    },
    code_ended: {
      title: "That code no longer works",
      text: "A code works once, for 10 minutes and 5 tries. Get a new one."
    },
    download_stopped: {
      title: "The download stopped",
      text: "The connection was lost for too long. Get a new code to start again."
    },
    too_many_downloads: {
      title: "Too many tries",
      text: "There were too many tries from this network. Wait 15 minutes, then get a new code."
    },
    closed: {
      title: "The document is closed",
      text: "This page forgets it when you leave, and after a day. Get a new code to open it again."
    }
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type LinkWords = typeof english
