/** The service sends at most this many of the patient's entries, the newest ones of all categories (Patients.ts). */
export const sentEntries = 200

/** Said where entries may be missing, so that nobody reads the rest as all. */
export const cutWords = `Only the patient's newest ${sentEntries} entries are here. Ask the patient about older ones.`
