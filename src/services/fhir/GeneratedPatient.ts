interface Veteran {
  readonly veteranId: string
  readonly callSign: string
  /** The id of the stored Patient that the generated one links to, if there is one. */
  readonly stored: string | undefined
}

/** The Patient for a record that has none under the veteran's id. It contains only the veteran's call sign. */
export const generatedPatient = ({ callSign, stored, veteranId }: Veteran) => ({
  resourceType: "Patient",
  id: veteranId,
  active: true,
  name: [{ use: "nickname", text: callSign }],
  ...stored !== undefined && { link: [{ other: { reference: `Patient/${stored}` }, type: "seealso" }] }
})
