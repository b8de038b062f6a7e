/**
 * Where a veteran ends sharing: a screen of the veteran's app (specification, "What the service does" 4), not of this
 * service.
 */
export const consentTab = "the Consent tab of the app where your health records are kept"
