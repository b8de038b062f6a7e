/** Ends a sentence. The time of a Spanish page has a full stop at its end already: "9:46 a.m.". */
export const fullStop = (text: string) => text.endsWith(".") ? text : `${text}.`
