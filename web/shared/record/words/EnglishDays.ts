/** How a record's dates are written, in English. Pages without a record use them too. */
export const englishDays = {
  /** For dates and numbers (BCP 47). */
  tag: "en-US",
  months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  day: (month: string, day: number, year: string) => `${month} ${day}, ${year}`,
  /** The words between dates: `2019-03-15 to 2019-03-18`. */
  between: (text: string) => text
}
