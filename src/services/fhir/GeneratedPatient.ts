interface Veteran {
  readonly veteranId: string
  readonly callSign: string
  /** The id of the stored Patient, where there is one under another id. */
  readonly stored: string | undefined
}

/** The Patient of a record that holds none under the veteran's id: it tells nothing but what the veteran is called here. */
export const generatedPatient = ({ callSign, stored, veteranId }: Veteran) => ({
  resourceType: "Patient",
  id: veteranId,
  active: true,
  name: [{ use: "nickname", text: callSign }],
  ...stored !== undefined && { link: [{ other: { reference: `Patient/${stored}` }, type: "seealso" }] }
})
