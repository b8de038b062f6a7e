/** What Unicode lets a screen leave out, such as joiners and Hangul's fillers; and the Braille pattern without a dot. */
export const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu

/** Letters, digits and signs are seen; space, marks, controls and what is invisible are not. */
const seen = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** @returns true if a text shows nothing */
export const isBlank = (text: string): boolean => !seen.test(text)
