/** The service's name for people, on pages and in mails. */
export const serviceName = "Veteran Records"
