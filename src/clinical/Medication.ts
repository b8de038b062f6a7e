import type { Medication, MedicationBatch, MedicationIngredient, MedicationRequest, Reference } from "fhir/r4.js"
import { codeOf, codeText } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, members, text } from "./Members.ts"
import { ratio } from "./Quantity.ts"
import { type Source, typedReader } from "./Reader.ts"
import { namedReference, reference, type TitleOf } from "./Reference.ts"
import { unlessUsual } from "./Words.ts"

const ingredient = (json: unknown, titleOf: TitleOf) => {
  const { itemCodeableConcept, itemReference, strength } = members<MedicationIngredient>(json)
  return joined([codeText(itemCodeableConcept) ?? reference(itemReference, titleOf), ratio(strength)], " ")
}

const ingredients = (json: unknown, titleOf: TitleOf) => each(json, (one) => ingredient(one, titleOf), "; ")

/** A product that requests and statements refer to. A mixture without a code gets its ingredients as title. */
export const medication = typedReader<Medication>({
  place: () => ({ section: "other", group: "Medication", groupTitle: "Medication products" }),
  title: ({ code }) => codeText(code),
  standIn: ({ ingredient }, { titleOf }) => ingredients(ingredient, titleOf),
  parts: (product, { titleOf }) => {
    const { expirationDate, lotNumber } = members<MedicationBatch>(product.batch)
    return {
      code: codeOf(product.code),
      // `active` is omitted: it means that the product may be ordered, not that the patient takes it.
      status: unlessUsual("active", product.status),
      details: labelled({
        Form: codeText(product.form),
        Ingredients: codeText(product.code) && ingredients(product.ingredient, titleOf),
        Manufacturer: reference(product.manufacturer, titleOf),
        Lot: text(lotNumber),
        Expires: dateText(expirationDate)
      })
    }
  }
})

type Naming = Pick<MedicationRequest, "medicationCodeableConcept" | "medicationReference">

/** The name of a medication in a request, a statement or an event. */
export const medicationName = ({ json, titleOf }: Source): string | null => {
  const { medicationCodeableConcept, medicationReference } = members<Naming>(json)
  return codeText(medicationCodeableConcept) ?? namedReference(medicationReference, titleOf)
}

/** The content of a mixture without a name, if the reference to it has one. */
export const mixtureIngredients = (source: Source): string | null => {
  const { display, reference: address } = members<Reference>(members<Naming>(source.json).medicationReference)
  const [name, literal] = [text(display), text(address)]
  if (name === null || literal === null || medicationName(source) !== name) return null
  const content = source.titleOf(literal) ?? null
  // A mixture without ingredients has only its type as title.
  return content === name || content === "Medication" ? null : content
}

/** The literal reference to a medication, if the record has no name for it. */
export const unnamedMedication = (source: Source): string | null =>
  medicationName(source) === null ? reference(members<Naming>(source.json).medicationReference, source.titleOf) : null

export const medicationCode = ({ json }: Source): string | null =>
  codeOf(members<Naming>(json).medicationCodeableConcept)
