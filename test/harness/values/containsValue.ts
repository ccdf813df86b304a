/** Whether a text contains a value. A number must stand alone, because identifiers and hashes contain arbitrary digits. */
export function containsValue(text: string, value: string): boolean {
  return /^\d+$/.test(value)
    ? new RegExp(`(?<![0-9A-Za-z-])${value}(?![0-9A-Za-z-])`).test(text)
    : text.includes(value)
}
