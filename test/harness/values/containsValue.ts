/** Whether a text holds a value; a whole number only as one, as identifiers and hashes hold any digits by chance. */
export function containsValue(text: string, value: string): boolean {
  return /^\d+$/.test(value)
    ? new RegExp(`(?<![0-9A-Za-z-])${value}(?![0-9A-Za-z-])`).test(text)
    : text.includes(value)
}
