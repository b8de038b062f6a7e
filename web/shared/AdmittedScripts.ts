let admitted: ReadonlyArray<string> | undefined

/** Names the only scripts that this page may run as workers. The page calls it once, when it begins. */
export const admitScripts = (addresses: ReadonlyArray<string>) => {
  if (admitted !== undefined) throw new TypeError("The scripts of this page are known.")
  admitted = addresses
}

export const isAdmitted = (address: string) => admitted?.includes(address) === true
