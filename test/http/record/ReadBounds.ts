export const every = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]

export const condition = (id: string, content: object) => JSON.stringify({ resourceType: "Condition", id, ...content })

export const coded = (code: string, system = "http://snomed.info/sct") => ({ code: { coding: [{ system, code }] } })
