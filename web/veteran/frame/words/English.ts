/** The words of the app's frame, in English, which is the source: tabs, and titles for the browser's history. */
export const english = {
  main: "Main",
  tabs: {
    home: "Home",
    record: "Record",
    sharing: "Sharing",
    looks: "Who looked"
  },
  titles: {
    home: "Home",
    update: "Update",
    record: "Record",
    complete: "How complete",
    words: "My own words",
    sharing: "Sharing",
    share: "Share",
    release: "Sign a release",
    link: "Link",
    looks: "Who looked",
    documents: "Documents",
    account: "Account",
    confirm: "Confirm"
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type FrameWords = typeof english
