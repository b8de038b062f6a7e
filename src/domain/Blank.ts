/** Characters that Unicode lets a screen omit, such as joiners and Hangul's fillers, and the empty Braille pattern. */
export const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu

/** Letters, digits, punctuation and symbols are visible; spaces, combining marks and controls are not. */
const seen = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

export const isBlank = (text: string): boolean => !seen.test(text)
