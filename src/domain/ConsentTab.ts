/** This screen is in the veteran's app, not in this service (specification, "What the service does" 4). */
export const consentTab = "the Consent tab of the app where your health records are kept"
