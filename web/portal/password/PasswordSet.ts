/** The address of the sign-in after a password was chosen. It says so once, until the provider has signed in. */
export const passwordSet = "/#/password-set"

export const isPasswordSet = () => `/${location.hash}` === passwordSet

export const leavePasswordSet = () => isPasswordSet() ? history.replaceState(null, "", "#/patients") : undefined
